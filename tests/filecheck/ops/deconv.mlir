// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Conv2DTranspose(%0: tensor<2x4x5x6xf32>, %1: tensor<4x3x3x3xf32>) {
  %2 = ge.Const() {value = dense<0> : tensor<4xi64>} : tensor<4xi64>
  // CHECK: ge.Conv2DTranspose({{.*}} : tensor<2x3x9x12xf32>{{$}}
  %n = ge.Conv2DTranspose(%2, %0, %1) {strides = [1, 1, 2, 2], pads = [1, 1, 0, 1], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DTranspose_2(%0: tensor<2x4x5x6xf16>, %1: tensor<4x3x3x3xf16>, %2: tensor<6xf16>) {
  %3 = ge.Const() {value = dense<[0, 0, 10, 0]> : tensor<4xi64>} : tensor<4xi64>
  // CHECK: ge.Conv2DTranspose({{.*}} : tensor<2x6x10x13xf16>{{$}}
  %n = ge.Conv2DTranspose(%3, %0, %1, bias = %2) {strides = [1, 1, 2, 2], pads = [1, 1, 0, 1], groups = 2, data_format = "NCHW", output_padding = [0, 0, 0, 1]} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Conv3DTranspose(%0: tensor<1x2x3x3x3xf32>, %1: tensor<2x3x2x3x3xf32>) {
  %2 = ge.Const() {value = dense<0> : tensor<5xi64>} : tensor<5xi64>
  // CHECK: ge.Conv3DTranspose({{.*}} : tensor<1x3x6x5x6xf32>{{$}}
  %n = ge.Conv3DTranspose(%2, %0, %1) {strides = [1, 1, 2, 2, 2], pads = [0, 0, 1, 1, 0, 1], data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DTransposeD(%0: tensor<2x4x5x6xf32>, %1: tensor<4x3x3x3xf32>, %2: tensor<3xf32>) {
  // CHECK: ge.Conv2DTransposeD({{.*}} : tensor<2x3x9x13xf32>{{$}}
  %n = ge.Conv2DTransposeD(%0, %1, bias = %2) {input_size = [2, 3, 9, 13], strides = [1, 1, 2, 2], pads = [1, 1, 0, 1], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DTransposeD_2(%0: tensor<1x4x?x6xi8>, %1: tensor<4x3x3x3xi8>) {
  // CHECK: ge.Conv2DTransposeD({{.*}} : tensor<1x3x?x12xi32>{{$}}
  %n = ge.Conv2DTransposeD(%0, %1) {input_size = [0, 0, 0, 0], strides = [1, 1, 2, 2], pads = [1, 1, 0, 1], data_format = "NCHW"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DBackpropInput(%0: tensor<4x3x3x3xf32>, %1: tensor<2x4x5x6xf32>) {
  %2 = ge.Const() {value = dense<[2, 3, 9, 13]> : tensor<4xi64>} : tensor<4xi64>
  // CHECK: ge.Conv2DBackpropInput({{.*}} : tensor<2x3x9x13xf32>{{$}}
  %n = ge.Conv2DBackpropInput(%2, %0, %1) {strides = [1, 1, 2, 2], pads = [1, 1, 0, 1], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DBackpropInput_2(%0: tensor<4xi32>, %1: tensor<4x3x3x3xf16>, %2: tensor<2x4x5x?xf16>) {
  // CHECK: ge.Conv2DBackpropInput({{.*}} : tensor<2x3x?x?xf16>{{$}}
  %n = ge.Conv2DBackpropInput(%0, %1, %2) {strides = [1, 1, 2, 2], pads = [1, 1, 0, 1], data_format = "NCHW"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Conv2DBackpropInputD(%0: tensor<6x4x3x3xf32>, %1: tensor<2x6x3x3xf32>) {
  // CHECK: ge.Conv2DBackpropInputD({{.*}} : tensor<2x4x5x6xf32>{{$}}
  %n = ge.Conv2DBackpropInputD(%0, %1) {input_size = [2, 4, 5, 6], strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DBackpropInputD_2(%0: tensor<3x2x4x5xi8>, %1: tensor<2x2x5x5xi8>) {
  // CHECK: ge.Conv2DBackpropInputD({{.*}} : tensor<2x5x6x4xi32>{{$}}
  %n = ge.Conv2DBackpropInputD(%0, %1) {input_size = [2, 5, 6, 4], strides = [1, 2, 1, 1], pads = [0, 0, 1, 0], dilations = [1, 1, 2, 1]} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Conv3DBackpropInput(%0: tensor<3x2x2x3x2xf32>, %1: tensor<1x3x2x3x3xf32>) {
  %2 = ge.Const() {value = dense<[1, 2, 3, 5, 4]> : tensor<5xi32>} : tensor<5xi32>
  // CHECK: ge.Conv3DBackpropInput({{.*}} : tensor<1x2x3x5x4xf32>{{$}}
  %n = ge.Conv3DBackpropInput(%2, %0, %1) {strides = [1, 1, 1, 2, 1], pads = [0, 0, 1, 1, 0, 0], data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv3DBackpropInput_2(%0: tensor<5xi64>, %1: tensor<2x3x2x2x3xf16>, %2: tensor<1x2x3x3x3xf16>) {
  // CHECK: ge.Conv3DBackpropInput({{.*}} : tensor<1x?x?x?x2xf16>{{$}}
  %n = ge.Conv3DBackpropInput(%0, %1, %2) {strides = [1, 1, 2, 1, 1], pads = [0, 0, 1, 1, 0, 0]} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Conv3DTranspose_2(%0: tensor<1x2x3x3x3xf32>, %1: tensor<2x3x2x3x3xf32>) {
  %2 = ge.Const() {value = dense<0> : tensor<5xi64>} : tensor<5xi64>
  // CHECK: ge.Conv3DTranspose({{.*}} : tensor<1x3x6x5x6xf32>{{$}}
  %n = ge.Conv3DTranspose(%2, %0, %1) {strides = [1, 1, 2, 2, 2], pads = [0, 0, 1, 1, 0, 1], data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}
