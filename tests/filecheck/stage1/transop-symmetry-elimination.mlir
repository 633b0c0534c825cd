// RUN: ge-opt %s --pipeline=transop-symmetry-elimination | filecheck %s
// RUN: ge-opt %s --pipeline="transop-symmetry-elimination{lossy-casts=true}" | filecheck %s --check-prefix=LOSSY

// CHECK-LABEL: ge.graph @pairs
// CHECK-NOT: ge.TransData
// CHECK-NOT: ge.Squeeze
// CHECK: %t = ge.TransposeD(%x)
// CHECK-NOT: ge.TransposeD
// CHECK: ge.NetOutput(%x, %x, %x, %t)
ge.graph @pairs(%x: tensor<1x16x4x4xf16>) {
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x4x4xf16, #ge.layout<NC1HWC0>>
  %b = ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<1x16x4x4xf16>
  %s = ge.Squeeze(%x) {axis = [0]} : tensor<16x4x4xf16>
  %u = ge.Unsqueeze(%s) {axes = [0]} : tensor<1x16x4x4xf16>
  %t = ge.TransposeD(%x) {perm = [0, 2, 3, 1]} : tensor<1x4x4x16xf16>
  %v = ge.TransposeD(%t) {perm = [0, 3, 1, 2]} : tensor<1x16x4x4xf16>
  ge.NetOutput(%b, %u, %v, %t)
}

// CHECK-LABEL: ge.graph @casts
// CHECK: ge.Cast(%x) {dst_type = 1}
// CHECK: ge.Cast({{.*}}) {dst_type = 0}
// CHECK: ge.Cast(%x) {dst_type = 3}
// CHECK: ge.Cast({{.*}}) {dst_type = 0}
// CHECK-NOT: ge.Cast
// LOSSY-LABEL: ge.graph @casts
// LOSSY: ge.Cast(%x) {dst_type = 3}
// LOSSY: ge.Cast({{.*}}) {dst_type = 0}
// LOSSY-NOT: ge.Cast
ge.graph @casts(%x: tensor<4xf32>, %h: tensor<4xf16>) {
  %a = ge.Cast(%x) {dst_type = 1} : tensor<4xf16>
  %b = ge.Cast(%a) {dst_type = 0} : tensor<4xf32>
  %c = ge.Cast(%x) {dst_type = 3} : tensor<4xi32>
  %d = ge.Cast(%c) {dst_type = 0} : tensor<4xf32>
  %e = ge.Cast(%h) {dst_type = 0} : tensor<4xf32>
  %f = ge.Cast(%e) {dst_type = 1} : tensor<4xf16>
  ge.NetOutput(%b, %d, %f)
}

// CHECK-LABEL: ge.graph @kept
// CHECK-COUNT-2: ge.TransposeD(
// CHECK-COUNT-2: ge.Reshape(
ge.graph @kept(%x: tensor<4x4x4xf32>, %y: tensor<?x?xf32>) {
  %a = ge.TransposeD(%x) {perm = [1, 2, 0]} : tensor<4x4x4xf32>
  %b = ge.TransposeD(%a) {perm = [1, 2, 0]} : tensor<4x4x4xf32>
  %s = ge.Shape(%y) : tensor<2xi32>
  %m = ge.Const() {value = dense<[-1]> : tensor<1xi32>} : tensor<1xi32>
  %f = ge.Reshape(%y, %m) : tensor<?xf32>
  %g = ge.Reshape(%f, %s) : tensor<?x?xf32>
  ge.NetOutput(%b, %g)
}
