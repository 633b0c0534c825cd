// RUN: ge-opt %s --pipeline=cast-remove | filecheck %s

// CHECK: ge.graph @main
// CHECK-NEXT: %b = ge.Cast(%x) {dst_type = 11}
// CHECK-NEXT: %d = ge.Cast(%y) {dst_type = 1}
// CHECK-NEXT: %e = ge.Cast(%d) {dst_type = 0}
// CHECK-NEXT: ge.NetOutput(%b, %e, %x)
ge.graph @main(%x: tensor<4xf16>, %y: tensor<4xf32>) {
  %a = ge.Cast(%x) {dst_type = 0} : tensor<4xf32>
  %b = ge.Cast(%a) {dst_type = 11} : tensor<4xf64>
  %d = ge.Cast(%y) {dst_type = 1} : tensor<4xf16>
  %e = ge.Cast(%d) {dst_type = 0} : tensor<4xf32>
  %f = ge.Cast(%x) {dst_type = 1} : tensor<4xf16>
  ge.NetOutput(%b, %e, %f)
}
