ge.graph @net(%x: tensor<3xf32>) {
  %y, %z = ge.PartitionedCall(%x) : tensor<3xf32>, tensor<3xf32> f(%a) {
    %t = ge.Relu(%a) : tensor<3xf32>
    ge.NetOutput(%t, %a)
  }
  %s = ge.Sub(%y, %z) : tensor<3xf32>
  ge.NetOutput(%s)
}
