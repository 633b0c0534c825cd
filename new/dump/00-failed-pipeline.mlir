ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<5xf32>
  %b = ge.Relu(%a) : tensor<4xf32>
  ge.NetOutput(%b)
}
