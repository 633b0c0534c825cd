ge.graph @net(%x: tensor<2x6x5x4xf32>, %w: tensor<3x3x4x8xf32>, %b: tensor<8xf32>) {
  %y = ge.Conv2D(%x, %w, bias = %b) {strides = [1, 2, 1, 1], pads = [1, 1, 0, 1]} : tensor<2x3x4x8xf32>
  ge.NetOutput(%y)
}
