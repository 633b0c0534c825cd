ge.graph @net(%x: tensor<1x5x5x3xf32>, %w: tensor<3x3x3x2xf32>) {
  %y = ge.DepthwiseConv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1]} : tensor<1x5x5x6xf32>
  ge.NetOutput(%y)
}
