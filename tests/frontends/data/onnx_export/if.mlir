ge.graph @net(%c: tensor<i1>, %x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %k = ge.Const() {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %r, %s = ge.If(%c, [%x, %y, %k]) : tensor<2x3xf32>, tensor<3xf32> then_branch(%a, %b, %d) {
    %t = ge.Mul(%a, %d) : tensor<2x3xf32>
    ge.NetOutput(%t, %b)
  } else_branch(%a, %b, %d) {
    %t = ge.Add(%a, %b) : tensor<2x3xf32>
    %u = ge.Mul(%b, %d) : tensor<3xf32>
    ge.NetOutput(%t, %u)
  }
  ge.NetOutput(%r, %s)
}
