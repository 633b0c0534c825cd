// before
ge.graph @g(%x: tensor<2xf32>) {
  %a = ge.Neg(%x) {ge.attr._force_skip_prune = true} : tensor<2xf32>
  %b = ge.Abs(%x) {ge.attr.note = true} : tensor<2xf32>
  ge.NetOutput(%x)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %a = ge.Neg(%x) {ge.attr._force_skip_prune = true} : tensor<2xf32>
  ge.NetOutput(%x)
}

// -----

// before
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    %b = ge.Abs(%a) : tensor<2xf32>
    ge.NetOutput(%a)
  }
  ge.NetOutput(%y)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    ge.NetOutput(%a)
  }
  ge.NetOutput(%y)
}
