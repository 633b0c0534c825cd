ge.graph @net(%x: tensor<1x3x4x4xf16>) {
  %d = ge.Data(%x) {index = 0} : tensor<1x3x4x4xf16>
  %t = ge.TransData(%d) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x3x4x4xf16, #ge.layout<NC1HWC0>>
  %r = ge.Relu(%t) : tensor<1x3x4x4xf16, #ge.layout<NC1HWC0>>
  %y = ge.TransData(%r) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<1x3x4x4xf16>
  ge.NetOutput(%y)
}
