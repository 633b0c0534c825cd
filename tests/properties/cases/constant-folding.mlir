// fold-constant fires
ge.graph @g(%x: tensor<2xf32>) {
  %s = ge.Shape(%x) : tensor<1xi32>
  ge.NetOutput(%s)
}

// -----

// fold-constant declines: the shape of the input is not known
ge.graph @g(%x: tensor<?x4xf32>) {
  %s = ge.Shape(%x) : tensor<2xi32>
  ge.NetOutput(%s)
}
