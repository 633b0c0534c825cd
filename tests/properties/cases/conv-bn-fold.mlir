// What waits for the convolution would wait for the node behind it, too.
// conv-bn declines: another node waits for the convolution
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %g = ge.Const() {value = #ge.weight<"g">} : tensor<2xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<2xf32>
  %m = ge.Const() {value = #ge.weight<"m">} : tensor<2xf32>
  %v = ge.Const() {value = #ge.weight<"v">} : tensor<2xf32>
  %c, %d = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>, !ge.ctrl
  %y = ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.001} : tensor<1x2x4x4xf32>
  ge.Print([%x]) after(%d)
  ge.NetOutput(%y)
}

// -----

// conv-bn declines: the nodes are bound to different places
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %g = ge.Const() {value = #ge.weight<"g">} : tensor<2xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<2xf32>
  %m = ge.Const() {value = #ge.weight<"m">} : tensor<2xf32>
  %v = ge.Const() {value = #ge.weight<"v">} : tensor<2xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.stream_label = "a"} : tensor<1x2x4x4xf32>
  %y = ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.001, ge.stream_label = "b"} : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-bn declines: the nodes are bound to different places
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %g = ge.Const() {value = #ge.weight<"g">} : tensor<2xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<2xf32>
  %m = ge.Const() {value = #ge.weight<"m">} : tensor<2xf32>
  %v = ge.Const() {value = #ge.weight<"v">} : tensor<2xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x2x4x4xf32>
  %y = ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.001} : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-bn declines: the convolution has weight offsets
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %g = ge.Const() {value = #ge.weight<"g">} : tensor<2xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<2xf32>
  %m = ge.Const() {value = #ge.weight<"m">} : tensor<2xf32>
  %v = ge.Const() {value = #ge.weight<"v">} : tensor<2xf32>
  %z = ge.Const() {value = #ge.weight<"z">} : tensor<2x3x1x1xi8>
  %c = ge.Conv2D(%x, %w, offset_w = %z) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>
  %y = ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.001} : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-bn declines: the number of channels is not known
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<?x3x1x1xf32>
  %g = ge.Const() {value = #ge.weight<"g">} : tensor<2xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<2xf32>
  %m = ge.Const() {value = #ge.weight<"m">} : tensor<2xf32>
  %v = ge.Const() {value = #ge.weight<"v">} : tensor<2xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x?x4x4xf32>
  %y = ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.001} : tensor<1x?x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-bn declines: the normalisation is marked no_need_constant_folding
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %g = ge.Const() {value = #ge.weight<"g">} : tensor<2xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<2xf32>
  %m = ge.Const() {value = #ge.weight<"m">} : tensor<2xf32>
  %v = ge.Const() {value = #ge.weight<"v">} : tensor<2xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>
  %y = ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.001, ge.attr.no_need_constant_folding = true} : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}
