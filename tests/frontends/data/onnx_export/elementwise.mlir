ge.graph @net(%x: tensor<3x4xf32>, %y: tensor<4xf32>, %i: tensor<3x4xi32>, %j: tensor<4xi32>) {
  %a = ge.FloorMod(%x, %y) : tensor<3x4xf32>
  %b = ge.FloorDiv(%i, %j) : tensor<3x4xi32>
  %c = ge.TruncateDiv(%x, %y) : tensor<3x4xf32>
  %d = ge.DivNoNan(%x, %y) : tensor<3x4xf32>
  %e = ge.Log1p(%x) : tensor<3x4xf32>
  %f = ge.Expm1(%x) : tensor<3x4xf32>
  %g = ge.Atan2(%x, %y) : tensor<3x4xf32>
  %h = ge.Exp(%x) {base = 2.0, scale = 0.5, shift = 1.0} : tensor<3x4xf32>
  %k = ge.Elu(%x) {alpha = 2.0, scale = 3.0, input_scale = 0.25} : tensor<3x4xf32>
  %l = ge.SquaredDifference(%i, %j) : tensor<3x4xi32>
  %m = ge.SoftmaxV2(%x) {axes = [0, 1]} : tensor<3x4xf32>
  %n = ge.Muls(%i) {value = 2.5} : tensor<3x4xi32>
  ge.NetOutput(%a, %b, %c, %d, %e, %f, %g, %h, %k, %l, %m, %n)
}
