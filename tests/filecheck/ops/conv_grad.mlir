// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Conv2DBackpropFilter(%0: tensor<2x4x5x6xf32>, %1: tensor<2x6x3x3xf32>) {
  %2 = ge.Const() {value = dense<[6, 4, 3, 3]> : tensor<4xi32>} : tensor<4xi32>
  // CHECK: ge.Conv2DBackpropFilter({{.*}} : tensor<6x4x3x3xf32>{{$}}
  %n = ge.Conv2DBackpropFilter(%0, %2, %1) {strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DBackpropFilter_2(%0: tensor<2x4x5x6xf32>, %1: tensor<2x6x3x3xf32>) {
  %2 = ge.Const() {value = dense<[6, 2, 3, 3]> : tensor<4xi32>} : tensor<4xi32>
  // CHECK: ge.Conv2DBackpropFilter({{.*}} : tensor<6x2x3x3xf32>{{$}}
  %n = ge.Conv2DBackpropFilter(%0, %2, %1) {strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], groups = 2, data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DBackpropFilterD(%0: tensor<2x4x5x6xf16>, %1: tensor<2x6x3x3xf16>) {
  // CHECK: ge.Conv2DBackpropFilterD({{.*}} : tensor<6x4x3x3xf32>{{$}}
  %n = ge.Conv2DBackpropFilterD(%0, %1) {filter_size = [6, 4, 3, 3], strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DBackpropFilterD_2(%0: tensor<2x4x5x6xf32>, %1: tensor<2x6x3x3xf32>) {
  // CHECK: ge.Conv2DBackpropFilterD({{.*}} : tensor<6x2x3x3xf32>{{$}}
  %n = ge.Conv2DBackpropFilterD(%0, %1) {filter_size = [6, 2, 3, 3], strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], groups = 2, data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv3DBackpropFilter(%0: tensor<1x2x3x5x4xf32>, %1: tensor<1x3x2x3x3xf32>) {
  %2 = ge.Const() {value = dense<[3, 2, 2, 3, 2]> : tensor<5xi32>} : tensor<5xi32>
  // CHECK: ge.Conv3DBackpropFilter({{.*}} : tensor<3x2x2x3x2xf32>{{$}}
  %n = ge.Conv3DBackpropFilter(%0, %2, %1) {strides = [1, 1, 1, 2, 1], pads = [0, 0, 1, 1, 0, 0], data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv3DBackpropFilter_2(%0: tensor<1x3x5x4x2xf16>, %1: tensor<1x2x3x3x3xf16>) {
  %2 = ge.Const() {value = dense<[2, 3, 2, 2, 3]> : tensor<5xi32>} : tensor<5xi32>
  // CHECK: ge.Conv3DBackpropFilter({{.*}} : tensor<2x3x2x2x3xf16>{{$}}
  %n = ge.Conv3DBackpropFilter(%0, %2, %1) {strides = [1, 1, 2, 1, 1], pads = [0, 0, 1, 1, 0, 0]} : tensor<*xf16>
  ge.NetOutput(%n)
}
