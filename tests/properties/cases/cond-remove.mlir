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

// -----

// take-branch fires
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %y = ge.If(%c, [%x]) : tensor<2xf32> then_branch(%a) {
    %r = ge.Relu(%a) : tensor<2xf32>
    ge.NetOutput(%r)
  } else_branch(%a) {
    ge.NetOutput(%a)
  }
  ge.NetOutput(%y)
}

// -----

// An index beyond the last graph takes the last.
// before
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<7> : tensor<i32>} : tensor<i32>
  %y = ge.Case(%c, [%x]) : tensor<2xf32> branches(%a) {
    ge.NetOutput(%a)
  } branches(%a) {
    %r = ge.Relu(%a) : tensor<2xf32>
    ge.NetOutput(%r)
  }
  ge.NetOutput(%y)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<7> : tensor<i32>} : tensor<i32>
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    %r = ge.Relu(%a) : tensor<2xf32>
    ge.NetOutput(%r)
  }
  ge.NetOutput(%y)
}
