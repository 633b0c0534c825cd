ge.graph @net(%i: tensor<i32>, %x: tensor<3xf32>) {
  %y, %z = ge.Case(%i, [%x]) : tensor<3xf32>, tensor<3xf32> branches(%a) {
    %r = ge.Relu(%a) : tensor<3xf32>
    ge.NetOutput(%r, %a)
  } branches(%a) {
    %r = ge.Neg(%a) : tensor<3xf32>
    ge.NetOutput(%r, %r)
  } branches(%a) {
    %r = ge.Abs(%a) : tensor<3xf32>
    ge.NetOutput(%a, %r)
  }
  %v = ge.StatelessCase(%i, [%y]) : tensor<3xf32> branches(%a) {
    %r = ge.Exp(%a) : tensor<3xf32>
    ge.NetOutput(%r)
  }
  ge.NetOutput(%y, %z, %v)
}
