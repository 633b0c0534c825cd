// RUN: ge-opt %s --pipeline=unchanged-transpose-remove | filecheck %s

// CHECK: ge.graph @main
// CHECK-NOT: ge.Transpose(
// CHECK: %b = ge.TransposeD(%y) {perm = [1, 0]}
// CHECK: ge.NetOutput(%x, %b)
ge.graph @main(%x: tensor<2x1x1x4xf32>, %y: tensor<4x4xf32>) {
  %p = ge.Const() {value = dense<[0, 2, 1, 3]> : tensor<4xi32>} : tensor<4xi32>
  %a = ge.Transpose(%x, %p) : tensor<2x1x1x4xf32>
  %b = ge.TransposeD(%y) {perm = [1, 0]} : tensor<4x4xf32>
  ge.NetOutput(%a, %b)
}
