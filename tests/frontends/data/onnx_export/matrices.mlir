ge.graph @net(%a: tensor<4x3xf32>, %b: tensor<5x4xf32>, %c: tensor<5xf32>, %s: tensor<2x4x3xf32>) {
  %y = ge.MatMulV2(%a, %b, bias = %c) {transpose_x1 = true, transpose_x2 = true} : tensor<3x5xf32>
  %z = ge.BatchMatMulV2(%s, %s) {adj_x1 = true} : tensor<2x3x3xf32>
  ge.NetOutput(%y, %z)
}
