// What waits for the convolution would wait for the node behind it, too.
// conv-scale declines: another node waits for the convolution
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %k = ge.Const() {value = #ge.weight<"k">} : tensor<2x1x1xf32>
  %c, %d = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>, !ge.ctrl
  %y = ge.Mul(%c, %k) : tensor<1x2x4x4xf32>
  ge.Print([%x]) after(%d)
  ge.NetOutput(%y)
}

// -----

// conv-scale declines: the nodes are bound to different places
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %k = ge.Const() {value = #ge.weight<"k">} : tensor<2x1x1xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.stream_label = "a"} : tensor<1x2x4x4xf32>
  %y = ge.Mul(%c, %k) {ge.stream_label = "b"} : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-scale declines: the nodes are bound to different places
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %k = ge.Const() {value = #ge.weight<"k">} : tensor<2x1x1xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x2x4x4xf32>
  %y = ge.Mul(%c, %k) : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-scale declines: the convolution has weight offsets
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %k = ge.Const() {value = #ge.weight<"k">} : tensor<2x1x1xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<2x3x1x1xi8>
  %c = ge.Conv2D(%x, %w, offset_w = %o) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>
  %y = ge.Mul(%c, %k) : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-scale declines: the number of channels is not known
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<?x3x1x1xf32>
  %k = ge.Const() {value = #ge.weight<"k">} : tensor<2x1x1xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x?x4x4xf32>
  %y = ge.Mul(%c, %k) : tensor<1x?x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-scale declines: the filter holds no floats
ge.graph @g(%x: tensor<1x3x4x4xi8>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xi8>
  %k = ge.Const() {value = dense<1000> : tensor<2x1x1xi32>} : tensor<2x1x1xi32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xi32>
  %y = ge.Mul(%c, %k) : tensor<1x2x4x4xi32>
  ge.NetOutput(%y)
}

// -----

// One channel becomes two.
// conv-scale declines: the constant stretches the result of the convolution
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<1x3x1x1xf32>
  %k = ge.Const() {value = #ge.weight<"k">} : tensor<2x1x1xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x1x4x4xf32>
  %y = ge.Mul(%c, %k) : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}

// -----

// conv-scale fires
ge.graph @g(%x: tensor<1x3x4x4xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x3x1x1xf32>
  %k = ge.Const() {value = #ge.weight<"k">} : tensor<2x1x1xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>
  %y = ge.Mul(%k, %c) : tensor<1x2x4x4xf32>
  ge.NetOutput(%y)
}
