// drop-transpose declines: the permutation is not known
ge.graph @g(%x: tensor<?x?xf32>, %p: tensor<2xi32>) {
  %t = ge.Transpose(%x, %p) : tensor<?x?xf32>
  ge.NetOutput(%t)
}

// -----

// drop-transpose declines: the permutation does not fit the rank
ge.graph @g(%x: tensor<*xf32>) {
  %p = ge.Const() {value = dense<[1, 0]> : tensor<2xi32>} : tensor<2xi32>
  %t = ge.Transpose(%x, %p) : tensor<*xf32>
  ge.NetOutput(%t)
}
