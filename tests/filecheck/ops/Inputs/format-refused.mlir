ge.graph @source(%x: tensor<1x32x4x4xf16>) {
  // expected-error@+1 {{GX-223: ge.TransData: src_format does not fit the input}}
  %a = ge.TransData(%x) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<1x32x4x4xf16>
  ge.NetOutput(%a)
}

// -----

ge.graph @result(%x: tensor<1x32x4x4xf16>) {
  // expected-error@+1 {{GX-223: ge.TransData: dst_format does not fit the result}}
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x32x4x4xf16>
  ge.NetOutput(%a)
}

// -----

ge.graph @unknown(%x: tensor<1x32x4x4xf16>) {
  // expected-error@+1 {{GX-223: ge.TransData: dst_format is no format}}
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC2HWC0"} : tensor<1x32x4x4xf16>
  ge.NetOutput(%a)
}

// -----

ge.graph @size(%x: tensor<1x32x4x4xf16>) {
  // expected-error@+1 {{GX-227: ge.Reinterpret: the two types differ in size}}
  %a = ge.Reinterpret(%x) : tensor<1x32x4x4xf32>
  ge.NetOutput(%a)
}
