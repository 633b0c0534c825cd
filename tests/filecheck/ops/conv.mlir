// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Conv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x4x3x3xf32>) {
  // CHECK: ge.Conv2D({{.*}} : tensor<2x8x5x5xf32>{{$}}
  %y = ge.Conv2D(%x0, %x1) {strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Conv2D_2(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x2x3x3xf32>, %x2: tensor<8xf32>) {
  // CHECK: ge.Conv2D({{.*}} : tensor<2x8x5x5xf32>{{$}}
  %y = ge.Conv2D(%x0, %x1, bias = %x2) {strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], groups = 2, data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @DepthwiseConv2D(%x0: tensor<2x4x9x9xf32>, %x1: tensor<8x1x3x3xf32>, %x2: tensor<8xf32>) {
  // CHECK: ge.DepthwiseConv2D({{.*}} : tensor<2x8x5x5xf32>{{$}}
  %y = ge.DepthwiseConv2D(%x0, %x1, bias = %x2) {strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @DepthwiseConv2D_2(%x0: tensor<2x9x9x4xf16>, %x1: tensor<3x3x4x2xf16>) {
  // CHECK: ge.DepthwiseConv2D({{.*}} : tensor<2x7x7x8xf16>{{$}}
  %y = ge.DepthwiseConv2D(%x0, %x1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0]} : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Conv3D(%0: tensor<2x4x6x7x8xf32>, %1: tensor<8x4x3x3x3xf32>) {
  // CHECK: ge.Conv3D({{.*}} : tensor<2x8x3x5x4xf32>{{$}}
  %n = ge.Conv3D(%0, %1) {strides = [1, 1, 2, 1, 2], pads = [1, 1, 0, 0, 1, 0], data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv3D_2(%0: tensor<2x4x6x7x8xf32>, %1: tensor<8x2x3x3x3xf32>, %2: tensor<8xf32>) {
  // CHECK: ge.Conv3D({{.*}} : tensor<2x8x3x5x4xf32>{{$}}
  %n = ge.Conv3D(%0, %1, bias = %2) {strides = [1, 1, 2, 1, 2], pads = [1, 1, 0, 0, 1, 0], groups = 2, data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}
