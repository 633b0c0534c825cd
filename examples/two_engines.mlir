// Two engines at work at once: AI Core has no kernels for f64, so the statistics of %s run on the
// AI CPU while the convolutions of %x run on AI Core; both meet in the last product.
//
//   ge-run examples/two_engines.mlir --random-inputs 0 --check 1e-5 --trace trace.json
ge.graph @two_engines(%x: tensor<4x64x56x56xf32>, %w: tensor<64x64x3x3xf32>, %s: tensor<16384xf64>) {
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<4x64x56x56xf32>
  %r = ge.Relu(%c) : tensor<4x64x56x56xf32>
  %c2 = ge.Conv2D(%r, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<4x64x56x56xf32>
  %p = ge.MaxPoolV3(%c2) {ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2]} : tensor<4x64x28x28xf32>
  %q = ge.Square(%s) : tensor<16384xf64>
  %m = ge.ReduceMeanD(%q) {axes = [0], keep_dims = true} : tensor<1xf64>
  %g = ge.Sqrt(%m) : tensor<1xf64>
  %f = ge.Cast(%g) {dst_type = 0} : tensor<1xf32>
  %y = ge.Mul(%p, %f) : tensor<4x64x28x28xf32>
  ge.NetOutput(%y)
}
