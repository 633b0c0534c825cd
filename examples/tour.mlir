// A small network with work for several passes: a duplicate, dead code, arithmetic on constants,
// and a convolution followed by batch normalisation.
ge.graph @tour(%x: tensor<1x16x8x8xf32>) {
  %half = ge.Const() {value = dense<0.5> : tensor<16xf32>} : tensor<16xf32>
  %one = ge.Const() {value = dense<1.0> : tensor<16xf32>} : tensor<16xf32>
  %scale = ge.Add(%half, %half) : tensor<16xf32>
  %w = ge.Const() {value = #ge.weight<broadcast(const(0.0625, f32), [16, 16, 1, 1])>} : tensor<16x16x1x1xf32>
  %conv = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x16x8x8xf32>
  %bn = ge.BNInfer(%conv, %scale, %half, %half, %one) {epsilon = 1.0e-05} : tensor<1x16x8x8xf32>
  %a = ge.Relu(%bn) : tensor<1x16x8x8xf32>
  %b = ge.Relu(%bn) : tensor<1x16x8x8xf32>
  %unused = ge.Neg(%a) : tensor<1x16x8x8xf32>
  %y = ge.Add(%a, %b) : tensor<1x16x8x8xf32>
  ge.NetOutput(%y)
}
