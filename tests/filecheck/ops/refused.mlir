// What operators refuse: each node says why, at its place.
// RUN: ge-opt %s --split-input-file --verify-diagnostics

ge.graph @PRelu(%x0: tensor<2x3x4xf32>, %x1: tensor<4xf32>) {
  // expected-error@+1 {{GX-221: ge.PRelu: channels of x and weight do not agree}}
  %y = ge.PRelu(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @GeluV2(%x: tensor<2xf32>) {
  // expected-error@+1 {{GX-223: ge.GeluV2: unknown approximation}}
  %y = ge.GeluV2(%x) {approximate = "fast"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @SoftmaxV2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-222: ge.SoftmaxV2: axes is out of range for rank 2}}
  %y = ge.SoftmaxV2(%x) {axes = [2]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @SoftmaxV2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-223: ge.SoftmaxV2: axes is empty}}
  %y = ge.SoftmaxV2(%x) {axes = []} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @SoftmaxV2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-223: ge.SoftmaxV2: half_to_float needs a float16 input}}
  %y = ge.SoftmaxV2(%x) {half_to_float = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Add(%x0: tensor<2x3xf32>, %x1: tensor<4xf32>) {
  // expected-error@+1 {{GX-221: ge.Add: shapes do not broadcast}}
  %y = ge.Add(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Equal(%x0: tensor<2x3xf32>, %x1: tensor<4xf32>) {
  // expected-error@+1 {{GX-221: ge.Equal: shapes do not broadcast}}
  %y = ge.Equal(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

// -----

ge.graph @AddN(%x0: tensor<2xf32>, %x1: tensor<3xf32>) {
  // expected-error@+1 {{GX-221: ge.AddN: shapes of the inputs do not agree}}
  %y = ge.AddN(%x0, %x1) {N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @AddN(%x0: tensor<2xf32>, %x1: tensor<2xf32>) {
  // expected-error@+1 {{GX-226: ge.AddN: N is not the number of inputs}}
  %y = ge.AddN(%x0, %x1) {N = 3} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Select(%x0: tensor<2x3xi1>, %x1: tensor<2x3xf32>, %x2: tensor<3x2xf32>) {
  // expected-error@+1 {{GX-221: ge.Select: shapes of x1 and x2 do not agree}}
  %y = ge.Select(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Select(%x0: tensor<3xi1>, %x1: tensor<2x3xf32>, %x2: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-221: ge.Select: condition and first axis do not agree}}
  %y = ge.Select(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BroadcastTo(%x: tensor<3xf32>) {
  %c0 = ge.Const() {value = dense<[2, 4]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{GX-221: ge.BroadcastTo: the shape does not broadcast to the target}}
  %y = ge.BroadcastTo(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BroadcastTo(%x: tensor<3xf32>) {
  %c0 = ge.Const() {value = dense<[-2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{GX-223: ge.BroadcastTo: shape has a negative entry}}
  %y = ge.BroadcastTo(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BroadcastTo(%x: tensor<3x1xf32>) {
  %c0 = ge.Const() {value = dense<[-1, 3, 4]> : tensor<3xi64>} : tensor<3xi64>
  // expected-error@+1 {{GX-223: ge.BroadcastTo: -1 stands for an axis that x has not}}
  %y = ge.BroadcastTo(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BiasAdd(%x0: tensor<2x3xf32>, %x1: tensor<4xf32>) {
  // expected-error@+1 {{GX-221: ge.BiasAdd: channels of x and bias do not agree}}
  %y = ge.BiasAdd(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BiasAdd(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>) {
  // expected-error@+1 {{GX-223: ge.BiasAdd: data_format is not supported}}
  %y = ge.BiasAdd(%x0, %x1) {data_format = "CHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BiasAdd(%x0: tensor<2x3xf32>, %x1: tensor<1x3xf32>) {
  // expected-error@+1 {{GX-220: ge.BiasAdd: bias has the wrong rank}}
  %y = ge.BiasAdd(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x0xf32>) {
  // expected-error@+1 {{GX-227: ge.Conv2D: the filter is empty}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @DepthwiseConv2D(%x0: tensor<2x0x9x9xf32>, %x1: tensor<8x1x3x3xf32>) {
  // expected-error@+1 {{GX-221: ge.DepthwiseConv2D: the filter does not fit the channels}}
  %y = ge.DepthwiseConv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-220: ge.Conv2D: x has the wrong rank}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x3x3x3xf32>) {
  // expected-error@+1 {{GX-221: ge.Conv2D: input channels do not fit the filter}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>, %x2: tensor<4xf32>) {
  // expected-error@+1 {{GX-221: ge.Conv2D: bias does not have one value per output channel}}
  %y = ge.Conv2D(%x0, %x1, bias = %x2) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-221: ge.Conv2D: output channels do not divide into groups}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], groups = 3, data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-223: ge.Conv2D: groups must be positive}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], groups = 0, data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-224: ge.Conv2D: strides has the wrong number of entries}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-223: ge.Conv2D: strides must be positive}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 0, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-223: ge.Conv2D: strides must be 1 along batch and channels}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 2, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-223: ge.Conv2D: pads must not be negative}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, -1, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-227: ge.Conv2D: the filter is larger than the padded input}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], dilations = [1, 1, 9, 9], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // expected-error@+1 {{GX-223: ge.Conv2D: data_format is not supported}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "HWCN"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @DepthwiseConv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x2x3x3xf32>) {
  // expected-error@+1 {{GX-221: ge.DepthwiseConv2D: a depthwise filter has one input channel}}
  %y = ge.DepthwiseConv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @DepthwiseConv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<6x1x3x3xf32>) {
  // expected-error@+1 {{GX-221: ge.DepthwiseConv2D: the filter does not fit the channels}}
  %y = ge.DepthwiseConv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @ConcatD(%x0: tensor<2x3xf32>, %x1: tensor<3x3xf32>) {
  // expected-error@+1 {{GX-221: ge.ConcatD: the inputs differ on axis 0}}
  %y = ge.ConcatD(%x0, %x1) {concat_dim = 1, N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @ConcatD(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-226: ge.ConcatD: N is not the number of inputs}}
  %y = ge.ConcatD(%x0, %x1) {concat_dim = 1, N = 3} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @ConcatV2(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<2> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{GX-222: ge.ConcatV2: axis is out of range for rank 2}}
  %y = ge.ConcatV2([%x0, %x1], %c0) {N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Concat(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{GX-221: ge.Concat: concat_dim must hold one value}}
  %y = ge.Concat(%c0, [%x]) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Pack(%x0: tensor<2x3xf32>, %x1: tensor<3x2xf32>) {
  // expected-error@+1 {{GX-221: ge.Pack: shapes of the inputs do not agree}}
  %y = ge.Pack(%x0, %x1) {N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Unpack(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-226: ge.Unpack: num is not the size of axis 0}}
  %y0, %y1, %y2 = ge.Unpack(%x) {num = 3} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1, %y2)
}

// -----

ge.graph @Split(%x: tensor<5x3xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{GX-221: ge.Split: axis 0 does not split evenly}}
  %y0, %y1 = ge.Split(%c0, %x) {num_split = 2} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1)
}

// -----

ge.graph @SplitD(%x: tensor<4x3xf32>) {
  // expected-error@+1 {{GX-223: ge.SplitD: num_split must be positive}}
  %y = ge.SplitD(%x) {split_dim = 0, num_split = 0} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @SplitV(%x: tensor<4xf32>) {
  %c0 = ge.Const() {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  %c1 = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{GX-221: ge.SplitV: size_splits does not add up to the axis}}
  %y0, %y1 = ge.SplitV(%x, %c0, %c1) {num_split = 2} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1)
}

// -----

ge.graph @SplitV(%x: tensor<4xf32>) {
  %c0 = ge.Const() {value = dense<[1, 3]> : tensor<2xi64>} : tensor<2xi64>
  %c1 = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{GX-224: ge.SplitV: size_splits has the wrong number of entries}}
  %y0, %y1, %y2 = ge.SplitV(%x, %c0, %c1) {num_split = 3} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1, %y2)
}

// -----

ge.graph @Pad(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<1> : tensor<1x2xi64>} : tensor<1x2xi64>
  // expected-error@+1 {{GX-224: ge.Pad: paddings must hold a pair per axis}}
  %y = ge.Pad(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Pad(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[[1, -1], [0, 0]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  // expected-error@+1 {{GX-223: ge.Pad: paddings must not be negative}}
  %y = ge.Pad(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @PadV3(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[2, 0, 0, 0]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error@+1 {{GX-221: ge.PadV3: mode reflect needs more elements}}
  %y = ge.PadV3(%x, %c0) {mode = "reflect"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @PadV3(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<4xi64>} : tensor<4xi64>
  // expected-error@+1 {{GX-223: ge.PadV3: unknown mode}}
  %y = ge.PadV3(%x, %c0) {mode = "wrap"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @PadV3(%x0: tensor<2x3xf32>, %x1: tensor<2xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<4xi64>} : tensor<4xi64>
  // expected-error@+1 {{GX-221: ge.PadV3: constant_values must be one element}}
  %y = ge.PadV3(%x0, %c0, constant_values = %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Tile(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-224: ge.Tile: multiples has too few entries}}
  %y = ge.Tile(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @TileD(%x: tensor<2xf32>) {
  // expected-error@+1 {{GX-223: ge.TileD: multiples must not be negative}}
  %y = ge.TileD(%x) {multiples = [-1]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Fill(%x: tensor<f32>) {
  %c0 = ge.Const() {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-223: ge.Fill: dims has a negative entry}}
  %y = ge.Fill(%c0, %x) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Fill(%x: tensor<2xf32>) {
  %c0 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-221: ge.Fill: value must be one element}}
  %y = ge.Fill(%c0, %x) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Cast(%x: tensor<2xf32>) {
  // expected-error@+1 {{GX-223: ge.Cast: dst_type is no dtype number}}
  %y = ge.Cast(%x) {dst_type = 5} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Exp(%x: tensor<2xf32>) {
  // expected-error@+1 {{GX-223: ge.Exp: base must be positive or -1}}
  %y = ge.Exp(%x) {base = 0.0} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @ClipByValue(%x0: tensor<2xf32>, %x1: tensor<3xf32>, %x2: tensor<f32>) {
  // expected-error@+1 {{GX-221: ge.ClipByValue: the shape does not broadcast to the target}}
  %y = ge.ClipByValue(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @TransData(%x: tensor<4xf32>) {
  // expected-error@+1 {{GX-223: ge.TransData: src_format does not fit the input}}
  %y = ge.TransData(%x) {src_format = "NC1HWC0", dst_format = "ND"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Data(%x: tensor<2xf32>) {
  // expected-error@+1 {{GX-223: ge.Data: index must not be negative}}
  %y = ge.Data(%x) {index = -1} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Slice(%x: tensor<4xf32>) {
  %c0 = ge.Const() {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %c1 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-227: ge.Slice: the block reaches beyond the input}}
  %y = ge.Slice(%x, %c0, %c1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Slice(%x: tensor<4xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<2xi64>} : tensor<2xi64>
  %c1 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-224: ge.Slice: offsets has the wrong number of entries}}
  %y = ge.Slice(%x, %c0, %c1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @SliceD(%x: tensor<4xf32>) {
  // expected-error@+1 {{GX-223: ge.SliceD: offsets must be ≥ 0 and size ≥ -1}}
  %y = ge.SliceD(%x) {offsets = [-1], size = [1]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @StridedSlice(%x: tensor<4xf32>) {
  %c0 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c1 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-223: ge.StridedSlice: strides must not be zero}}
  %y = ge.StridedSlice(%x, %c0, %c1, %c2) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @StridedSlice(%x: tensor<4xf32>) {
  %c0 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c1 = ge.Const() {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  %c2 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-224: ge.StridedSlice: begin, end and strides differ in length}}
  %y = ge.StridedSlice(%x, %c0, %c1, %c2) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @StridedSlice(%x: tensor<4xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<2xi64>} : tensor<2xi64>
  %c1 = ge.Const() {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  %c2 = ge.Const() {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{GX-220: ge.StridedSlice: the slice has more entries than the input axes}}
  %y = ge.StridedSlice(%x, %c0, %c1, %c2) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @StridedSliceD(%x: tensor<4xf32>) {
  // expected-error@+1 {{GX-223: ge.StridedSliceD: end_mask must not be negative}}
  %y = ge.StridedSliceD(%x) {begin = [0], end = [1], strides = [1], end_mask = -1} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Gather(%x: tensor<f32>) {
  %c0 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-220: ge.Gather: a scalar cannot be gathered from}}
  %y = ge.Gather(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @GatherV2(%x: tensor<4x5xf32>) {
  %c0 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c1 = ge.Const() {value = dense<2> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{GX-222: ge.GatherV2: axis is out of range for rank 2}}
  %y = ge.GatherV2(%x, %c0, %c1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @GatherV2(%x: tensor<4x5xf32>) {
  %c0 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c1 = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{GX-223: ge.GatherV2: batch_dims reaches beyond axis}}
  %y = ge.GatherV2(%x, %c0, %c1) {batch_dims = 1} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @MatMulV2(%x0: tensor<2x3xf32>, %x1: tensor<4x3xf32>) {
  // expected-error@+1 {{GX-221: ge.MatMulV2: inner dims of x1 and x2 do not agree}}
  %y = ge.MatMulV2(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @MatMulV2(%x0: tensor<2x3xf32>, %x1: tensor<1x3x4xf32>) {
  // expected-error@+1 {{GX-220: ge.MatMulV2: x2 has the wrong rank}}
  %y = ge.MatMulV2(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @MatMulV2(%x0: tensor<2x3xf32>, %x1: tensor<3x4xf32>, %x2: tensor<3xf32>) {
  // expected-error@+1 {{GX-221: ge.MatMulV2: the shape does not broadcast to the target}}
  %y = ge.MatMulV2(%x0, %x1, bias = %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BatchMatMulV2(%x0: tensor<3xf32>, %x1: tensor<3x4xf32>) {
  // expected-error@+1 {{GX-220: ge.BatchMatMulV2: x1 is no matrix}}
  %y = ge.BatchMatMulV2(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BatchMatMul(%x0: tensor<2x2x3xf32>, %x1: tensor<3x3x4xf32>) {
  // expected-error@+1 {{GX-221: ge.BatchMatMul: shapes do not broadcast}}
  %y = ge.BatchMatMul(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @BatchNorm(%x0: tensor<2x4x9x9xf32>, %x1: tensor<4xf32>, %x2: tensor<4xf32>) {
  // expected-error@+1 {{GX-228: ge.BatchNorm: inference needs the input mean}}
  %y0, %y1, %y2, %y3, %y4, %y5 = ge.BatchNorm(%x0, %x1, %x2) {is_training = false} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1, %y2, %y3, %y4, %y5)
}

// -----

ge.graph @BatchNorm(%x0: tensor<2x4x9x9xf32>, %x1: tensor<4xf32>, %x2: tensor<9xf32>) {
  // expected-error@+1 {{GX-221: ge.BatchNorm: channels of x and scale do not agree}}
  %y0, %y1, %y2, %y3, %y4, %y5 = ge.BatchNorm(%x0, %x1, %x2) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1, %y2, %y3, %y4, %y5)
}

// -----

ge.graph @BNInfer(%x0: tensor<2x4x9x9xf32>, %x1: tensor<4xf32>, %x2: tensor<4xf32>, %x3: tensor<4xf32>, %x4: tensor<5xf32>) {
  // expected-error@+1 {{GX-221: ge.BNInfer: channels of x and variance do not agree}}
  %y = ge.BNInfer(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.1} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @LRN(%x: tensor<2x4x9xf32>) {
  // expected-error@+1 {{GX-220: ge.LRN: x has the wrong rank}}
  %y = ge.LRN(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @LRN(%x: tensor<2x4x9x9xf32>) {
  // expected-error@+1 {{GX-223: ge.LRN: norm_region is not supported}}
  %y = ge.LRN(%x) {norm_region = "EVERYWHERE"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @MaxPoolV3(%x: tensor<2x4x9x9xf32>) {
  // expected-error@+1 {{GX-223: ge.MaxPoolV3: a window would see padding only}}
  %y = ge.MaxPoolV3(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2], pads = [3, 0, 0, 0]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @MaxPoolV3(%x: tensor<2x4x9x9xf32>) {
  // expected-error@+1 {{GX-223: ge.MaxPoolV3: unknown padding_mode}}
  %y = ge.MaxPoolV3(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2], padding_mode = "FULL"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @MaxPoolV3(%x: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{GX-227: ge.MaxPoolV3: the window is larger than the padded input}}
  %y = ge.MaxPoolV3(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @MaxPool(%x: tensor<2x4x9x9xf32>) {
  // expected-error@+1 {{GX-223: ge.MaxPool: unknown padding}}
  %y = ge.MaxPool(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2], padding = "CALCULATED", data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @AvgPoolV2(%x: tensor<2x4x9x9xf32>) {
  // expected-error@+1 {{GX-223: ge.AvgPoolV2: divisor_override must not be negative}}
  %y = ge.AvgPoolV2(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2], divisor_override = -1} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @AvgPoolV2(%x: tensor<2x4x9x9xf32>) {
  // expected-error@+1 {{GX-223: ge.AvgPoolV2: ksize must be 1 along batch and channels}}
  %y = ge.AvgPoolV2(%x) {ksize = [1, 3, 3, 1], strides = [1, 1, 2, 2]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @GlobalAveragePool(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{GX-220: ge.GlobalAveragePool: x has the wrong rank}}
  %y = ge.GlobalAveragePool(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @RandomUniform() {
  %c0 = ge.Const() {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-223: ge.RandomUniform: shape has a negative entry}}
  %y = ge.RandomUniform(%c0) {dtype = f32} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @RandomUniform() {
  %c0 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-225: ge.RandomUniform: dtype is no real float}}
  %y = ge.RandomUniform(%c0) {dtype = i32} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @ReduceSum(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-222: ge.ReduceSum: axes is out of range for rank 2}}
  %y = ge.ReduceSum(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @ReduceSum(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[0, -2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{GX-222: ge.ReduceSum: axes names an axis twice}}
  %y = ge.ReduceSum(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @ReduceSumD(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-222: ge.ReduceSumD: axes is out of range for rank 2}}
  %y = ge.ReduceSumD(%x) {axes = [-3]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Reshape(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{GX-221: ge.Reshape: the number of elements changes}}
  %y = ge.Reshape(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Reshape(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<-1> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{GX-223: ge.Reshape: shape has more than one -1}}
  %y = ge.Reshape(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Reshape(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[[2, 3]]> : tensor<1x2xi64>} : tensor<1x2xi64>
  // expected-error@+1 {{GX-220: ge.Reshape: shape must be one-dimensional}}
  %y = ge.Reshape(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Squeeze(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-221: ge.Squeeze: axis 0 cannot be squeezed}}
  %y = ge.Squeeze(%x) {axis = [0]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Unsqueeze(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-222: ge.Unsqueeze: axes names an axis twice}}
  %y = ge.Unsqueeze(%x) {axes = [0, 0]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Unsqueeze(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-222: ge.Unsqueeze: axes is out of range for rank 3}}
  %y = ge.Unsqueeze(%x) {axes = [4]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @ExpandDims(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{GX-221: ge.ExpandDims: axis must hold one value}}
  %y = ge.ExpandDims(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Flatten(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-222: ge.Flatten: axis is out of range for rank 2}}
  %y = ge.Flatten(%x) {axis = 3} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Shape(%x: tensor<2xf32>) {
  // expected-error@+1 {{GX-223: ge.Shape: dtype is no index type}}
  %y = ge.Shape(%x) {dtype = 0} : tensor<*xi32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Transpose(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{GX-222: ge.Transpose: perm is no permutation of the axes}}
  %y = ge.Transpose(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @TransposeD(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{GX-222: ge.TransposeD: perm is no permutation of the axes}}
  %y = ge.TransposeD(%x) {perm = [0]} : tensor<*xf32>
  ge.NetOutput(%y)
}

// -----

ge.graph @Assign(%x0: !ge.ref<tensor<2xf32>>, %x1: tensor<3xf32>) {
  // expected-error@+1 {{GX-221: ge.Assign: shapes of ref and value do not agree}}
  %y = ge.Assign(%x0, %x1) : !ge.ref<tensor<2xf32>>
  ge.NetOutput(%y)
}

// -----

ge.graph @AssignAdd(%x0: !ge.ref<tensor<2xf32>>, %x1: tensor<3xf32>) {
  // expected-error@+1 {{GX-221: ge.AssignAdd: the shape does not broadcast to the target}}
  %y = ge.AssignAdd(%x0, %x1) : !ge.ref<tensor<2xf32>>
  ge.NetOutput(%y)
}
