// Both engines at work: the convolutions run on the AI Core, the statistics of the input in double
// precision, for which the AI Core has no kernels, on the AI CPU at the same time.
//
//   ge-opt examples/two_engines.mlir --pipeline=ge-default
//   ge-run examples/two_engines.mlir --random-inputs 0
ge.graph @two_engines(%image: tensor<1x3x64x64xf16>) {
  %w1 = ge.Const() {value = dense<0.05> : tensor<4x3x1x1xf16>} : tensor<4x3x1x1xf16>
  %w2 = ge.Const() {value = dense<[[[[0.5]], [[-0.25]], [[0.125]], [[1.0]]], [[[-0.5]], [[0.75]], [[0.25]], [[-1.0]]]]> : tensor<2x4x1x1xf16>} : tensor<2x4x1x1xf16>
  %conv1 = ge.Conv2D(%image, %w1) {strides = [1, 1, 2, 2], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x4x32x32xf16>
  %relu1 = ge.Relu(%conv1) : tensor<1x4x32x32xf16>
  %conv2 = ge.Conv2D(%relu1, %w2) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x32x32xf16>
  %pool = ge.MaxPoolV3(%conv2) {ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2], data_format = "NCHW"} : tensor<1x2x16x16xf16>

  %wide = ge.Cast(%image) {dst_type = 11} : tensor<1x3x64x64xf64>
  %square = ge.Square(%wide) : tensor<1x3x64x64xf64>
  %energy = ge.ReduceMeanD(%square) {axes = [1, 2, 3], keep_dims = true} : tensor<1x1x1x1xf64>
  %root = ge.Sqrt(%energy) : tensor<1x1x1x1xf64>
  %norm = ge.Cast(%root) {dst_type = 1} : tensor<1x1x1x1xf16>

  %scaled = ge.RealDiv(%pool, %norm) : tensor<1x2x16x16xf16>
  ge.NetOutput(%scaled)
}
