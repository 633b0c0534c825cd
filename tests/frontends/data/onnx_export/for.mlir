ge.graph @net(%i: tensor<i32>, %n: tensor<i32>, %d: tensor<i32>, %x: tensor<3xf32>, %w: tensor<3xf32>) {
  %y, %s = ge.For(%i, %n, %d, [%x, %i]) : tensor<3xf32>, tensor<i32> body(%k, %a, %b) {
    %c = ge.Cast(%k) {dst_type = 0} : tensor<f32>
    %r = ge.Add(%a, %c) : tensor<3xf32>
    ge.NetOutput(%r, %k)
  }
  ge.NetOutput(%y, %s)
}
