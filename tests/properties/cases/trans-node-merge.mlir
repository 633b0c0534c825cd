// IdleConversion declines: it changes the layout
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  ge.NetOutput(%a)
}

// -----

// ConversionChain declines: no direct conversion between two hardware layouts
ge.graph @g(%x: tensor<16x16x1x1xf16, #ge.layout<NC1HWC0>>) {
  %a = ge.TransData(%x) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<16x16x1x1xf16>
  %b = ge.TransData(%a) {src_format = "NCHW", dst_format = "FRACTAL_Z"} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>>
  ge.NetOutput(%b)
}

// -----

// ConvertedConstant fires
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<16x16x1x1xf16>
  %b = ge.TransData(%w) {src_format = "NCHW", dst_format = "FRACTAL_Z"} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>>
  %c = ge.Conv2D(%x, %b) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x16x8x8xf16>
  ge.NetOutput(%c)
}

// -----

// ConversionChain fires
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %b = ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NHWC"} : tensor<1x16x8x8xf16, #ge.layout<NHWC>>
  ge.NetOutput(%b)
}
