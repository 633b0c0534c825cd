// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Conv2DV2(%0: tensor<2x4x5x6xf32>, %1: tensor<6x4x3x3xf32>, %2: tensor<6xf32>) {
  // CHECK: ge.Conv2DV2({{.*}} : tensor<2x6x2x2xf32>{{$}}
  %n = ge.Conv2DV2(%0, %1, bias = %2) {strides = [1, 1, 2, 2]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv2DV2_2(%0: tensor<2x4x5x6xf32>, %1: tensor<6x4x3x3xf32>) {
  // CHECK: ge.Conv2DV2({{.*}} : tensor<2x6x3x3xf32>{{$}}
  %n = ge.Conv2DV2(%0, %1) {strides = [1, 1, 2, 2], pads = [1, 1, 1, 1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv3DV2(%0: tensor<1x2x3x5x4xf32>, %1: tensor<3x2x2x3x2xf32>, %2: tensor<3xf32>) {
  // CHECK: ge.Conv3DV2({{.*}} : tensor<1x3x2x3x3xf32>{{$}}
  %n = ge.Conv3DV2(%0, %1, bias = %2) {strides = [1, 1, 1, 1, 1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Conv3DV2_2(%0: tensor<1x2x3x5x4xf32>, %1: tensor<3x2x2x3x2xf32>) {
  // CHECK: ge.Conv3DV2({{.*}} : tensor<1x3x3x3x4xf32>{{$}}
  %n = ge.Conv3DV2(%0, %1) {strides = [1, 1, 1, 2, 1], pad_mode = "SAME_UPPER"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @QuantConv2D(%0: tensor<2x4x5x6xi8>, %1: tensor<6x4x3x3xi8>, %2: tensor<6xui64>) {
  // CHECK: ge.QuantConv2D({{.*}} : tensor<2x6x3x3xf16>{{$}}
  %n = ge.QuantConv2D(%0, %1, %2) {dtype = 1, strides = [1, 1, 2, 2], pads = [1, 1, 1, 1]} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @QuantConv2D_2(%0: tensor<2x4x5x6xi8>, %1: tensor<6x4x3x3xi8>, %2: tensor<1xi64>, %3: tensor<6xi32>) {
  // CHECK: ge.QuantConv2D({{.*}} : tensor<2x6x3x3xf32>{{$}}
  %n = ge.QuantConv2D(%0, %1, %2, bias = %3) {dtype = 0, strides = [1, 1, 2, 2], pads = [1, 1, 1, 1], offset_x = 3} : tensor<*xf32>
  ge.NetOutput(%n)
}
