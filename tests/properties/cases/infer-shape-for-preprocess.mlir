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
ge.graph @g(%x: tensor<4xf16>) {
  %c = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  %y = ge.If(%c, [%x]) : tensor<4xf16> then_branch(%a) {
    ge.NetOutput(%a)
  } else_branch(%a) {
    %r = ge.Neg(%a) : tensor<4xf16>
    ge.NetOutput(%r)
  }
  ge.NetOutput(%y)
}

// -----

// infer-types declines: the operator has no rule
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.Opaque(%x) {type = "Unknown"} : tensor<2xf32>
  ge.NetOutput(%y)
}

// -----

// infer-types declines: the recorded type says as much
ge.graph @g(%x: tensor<1x16x4x4xf16, #ge.layout<NC1HWC0>>) {
  %y = ge.Relu(%x) : tensor<1x16x4x4xf16, #ge.layout<NC1HWC0>>
  ge.NetOutput(%y)
}

// -----

// fold-constant declines: the shape of the input is not known
ge.graph @g(%x: tensor<?x4xf32>) {
  %s = ge.Shape(%x) : tensor<2xi32>
  ge.NetOutput(%s)
}
