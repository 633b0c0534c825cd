// reshape-transpose fires
ge.graph @g(%x: tensor<2x1x3xf32>) {
  %t = ge.TransposeD(%x) {perm = [1, 0, 2]} : tensor<1x2x3xf32>
  ge.NetOutput(%t)
}

// -----

// reshape-transpose declines: the permutation is not known
ge.graph @g(%x: tensor<1x?xf32>, %p: tensor<2xi32>) {
  %t = ge.Transpose(%x, %p) : tensor<?x?xf32>
  ge.NetOutput(%t)
}

// -----

// Sizes that are 1 when the graph runs would be squeezed, too.
// reshape-transpose declines: no axis is known to have size 1
ge.graph @g(%x: tensor<?x?xf32>) {
  %t = ge.TransposeD(%x) {perm = [0, 1]} : tensor<?x?xf32>
  ge.NetOutput(%t)
}

// -----

// reshape-transpose declines: axes of another size change places
ge.graph @g(%x: tensor<2x1x3xf32>) {
  %t = ge.TransposeD(%x) {perm = [2, 1, 0]} : tensor<3x1x2xf32>
  ge.NetOutput(%t)
}

// -----

// reshape-transpose declines: a layout says how it is stored
ge.graph @g(%x: tensor<1x16x4x4xf16, #ge.layout<NC1HWC0>>) {
  %t = ge.TransposeD(%x) {perm = [1, 0, 2, 3]} : tensor<16x1x4x4xf16>
  ge.NetOutput(%t)
}
