ge.graph @net(%x: tensor<2x3x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) {
  %a, %m, %v = ge.LayerNorm(%x, %g, %b) {begin_norm_axis = -1, begin_params_axis = -1, epsilon = 1.0e-5} : tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>
  %r, %s, %t = ge.AddRmsNorm(%x, %x, %g) : tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x4xf32>
  %l = ge.L2Normalize(%x) {axis = [2]} : tensor<2x3x4xf32>
  %q = ge.AscendQuant(%x) {scale = 20.0, offset = 3.0} : tensor<2x3x4xi8>
  ge.NetOutput(%a, %m, %v, %r, %s, %t, %l, %q)
}
