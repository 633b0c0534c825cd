ge.graph @net(%n: tensor<i64>, %x: tensor<3xf32>, %w: tensor<3xf32>) {
  %z = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  %i, %m, %y, %v = ge.While(%z, %n, %x, %w) : tensor<i64>, tensor<i64>, tensor<3xf32>, tensor<3xf32> cond(%a, %b, %c, %d) {
    %t = ge.Less(%a, %b) : tensor<i1>
    ge.NetOutput(%t)
  } body(%a, %b, %c, %d) {
    %one = ge.Const() {value = dense<1> : tensor<i64>} : tensor<i64>
    %t = ge.Add(%a, %one) : tensor<i64>
    %u = ge.Mul(%c, %d) : tensor<3xf32>
    ge.NetOutput(%t, %b, %u, %d)
  }
  ge.NetOutput(%i, %y, %v)
}
