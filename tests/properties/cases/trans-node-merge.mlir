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

// Without engines there is none to choose.
// before
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %b = ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NHWC"} : tensor<1x16x8x8xf16, #ge.layout<NHWC>>
  ge.NetOutput(%b)
}

// -----

// after
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %b = ge.TransData(%x) {src_format = "NCHW", dst_format = "NHWC"} : tensor<1x16x8x8xf16, #ge.layout<NHWC>>
  ge.NetOutput(%b)
}

// -----

// before
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<16x16x1x1xf16>
  %b = ge.TransData(%w) {src_format = "NCHW", dst_format = "FRACTAL_Z"} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>>
  ge.NetOutput(%b)
}

// -----

// after
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %b = ge.Const() {value = #ge.weight<"w">} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>> loc("b"("w"))
  ge.NetOutput(%b)
}

// -----

// Conversions of one value to one layout are one, except where the nodes are bound to different places or wait.
// before
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %p = ge.Print([%x]) : !ge.ctrl
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %b = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %c = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0", ge.stream_label = "s"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %d = ge.TransData(%x) after(%p) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  ge.NetOutput(%a, %b, %c, %d)
}

// -----

// after
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %p = ge.Print(%x) : !ge.ctrl
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>> loc("a"(fused["a", "b"]))
  %c = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0", ge.stream_label = "s"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %d = ge.TransData(%x) after(%p) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  ge.NetOutput(%a, %a, %c, %d)
}

// -----

// Of two in a row with engines, the one that stays gets an engine that takes it.
// before
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %b = ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NHWC", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NHWC>>
  ge.NetOutput(%b)
}

// -----

// after
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %b = ge.TransData(%x) {src_format = "NCHW", dst_format = "NHWC", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NHWC>>
  ge.NetOutput(%b)
}

// -----

// IdleConversion declines: a node is marked no_need_constant_folding
ge.graph @g(%x: tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>) {
  %a = ge.TransData(%x) {src_format = "NC1HWC0", dst_format = "NC1HWC0", ge.attr.no_need_constant_folding = true} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  ge.NetOutput(%a)
}

// -----

// ConversionChain declines: a node is marked no_need_constant_folding
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %b = ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NCHW", ge.attr.no_need_constant_folding = false} : tensor<1x16x8x8xf16>
  ge.NetOutput(%b)
}

// -----

// ConvertedConstant declines: a node is marked no_need_constant_folding
ge.graph @g() {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<16x16x1x1xf16>
  %b = ge.TransData(%w) {src_format = "NCHW", dst_format = "FRACTAL_Z", ge.attr.no_need_constant_folding = true} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>>
  ge.NetOutput(%b)
}
