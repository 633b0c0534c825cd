// RUN: ge-opt %s --pipeline=dim1-transpose-to-squeeze | filecheck %s

// Axes of size 1 move without data; others do not. A permutation that is an input counts where it
// is a constant, which goes where nothing else reads it.

// CHECK-LABEL: ge.graph @moves
// CHECK-NOT: ge.Const
// CHECK: %a_Squeeze = ge.Squeeze(%x) {axis = [3]} : tensor<?x3x4xf32>
// CHECK: %a = ge.Unsqueeze(%a_Squeeze) {axes = [1]} : tensor<?x1x3x4xf32>
// CHECK: %b_Squeeze = ge.Squeeze(%y) {axis = [0, 1]} : tensor<4xf16>
// CHECK: %b = ge.Unsqueeze(%b_Squeeze) {axes = [1, 2]} : tensor<4x1x1xf16>
ge.graph @moves(%x: tensor<?x3x4x1xf32>, %y: tensor<1x1x4xf16>) {
  %a = ge.TransposeD(%x) {perm = [0, -1, 1, 2]} : tensor<?x1x3x4xf32>
  %p = ge.Const() {value = dense<[2, 0, 1]> : tensor<3xi32>} : tensor<3xi32>
  %b = ge.Transpose(%y, %p) : tensor<4x1x1xf16>
  ge.NetOutput(%a, %b)
}

// CHECK-LABEL: ge.graph @stays
// CHECK-NOT: queeze
// CHECK: ge.NetOutput
ge.graph @stays(%x: tensor<2x3x4x1xf32>, %q: tensor<4xi32>, %z: tensor<?x?xf32>) {
  %a = ge.TransposeD(%x) {perm = [0, 2, 1, 3]} : tensor<2x4x3x1xf32>
  %b = ge.TransposeD(%x) {perm = [0, 3, 1, 2], ge.attr.no_need_constant_folding = true} : tensor<2x1x3x4xf32>
  %c = ge.Transpose(%x, %q) : tensor<?x?x?x?xf32>
  %d = ge.TransposeD(%z) {perm = [0, 1]} : tensor<?x?xf32>
  ge.NetOutput(%a, %b, %c, %d)
}
