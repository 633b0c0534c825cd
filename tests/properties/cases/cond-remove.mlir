// GE leaves a negative condition alone.
// take-branch declines: the condition is negative
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<-1> : tensor<i32>} : tensor<i32>
  %y = ge.If(%c, [%x]) : tensor<2xf32> then_branch(%a) {
    %r = ge.Relu(%a) : tensor<2xf32>
    ge.NetOutput(%r)
  } else_branch(%a) {
    ge.NetOutput(%a)
  }
  ge.NetOutput(%y)
}

// -----

// A half is true, but GE truncates it.
// take-branch declines: the condition is no clear number
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %y = ge.If(%c, [%x]) : tensor<2xf32> then_branch(%a) {
    %r = ge.Relu(%a) : tensor<2xf32>
    ge.NetOutput(%r)
  } else_branch(%a) {
    ge.NetOutput(%a)
  }
  ge.NetOutput(%y)
}
