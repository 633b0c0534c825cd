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
