// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @AscendRequant(%0: tensor<2x3x4xi32>, %1: tensor<3xui64>) {
  // CHECK: ge.AscendRequant({{.*}} : tensor<2x3x4xi8>{{$}}
  %n = ge.AscendRequant(%0, %1) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @AscendRequant_2(%0: tensor<2x?xi32>, %1: tensor<1xui64>) {
  // CHECK: ge.AscendRequant({{.*}} : tensor<2x?xi8>{{$}}
  %n = ge.AscendRequant(%0, %1) {relu_flag = true} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @TransQuantParamV2(%0: tensor<4xf32>) {
  // CHECK: ge.TransQuantParamV2({{.*}} : tensor<4xui64>{{$}}
  %n = ge.TransQuantParamV2(%0) : tensor<*xui64>
  ge.NetOutput(%n)
}

ge.graph @TransQuantParamV2_2(%0: tensor<?xf32>, %1: tensor<4xf32>) {
  // CHECK: ge.TransQuantParamV2({{.*}} : tensor<4xui64>{{$}}
  %n = ge.TransQuantParamV2(%0, offset = %1) {round_mode = 1} : tensor<*xui64>
  ge.NetOutput(%n)
}

ge.graph @Quantize(%0: tensor<2x3x4xf32>, %1: tensor<3xf32>, %2: tensor<3xi32>) {
  // CHECK: ge.Quantize({{.*}} : tensor<2x3x4xi8>{{$}}
  %n = ge.Quantize(%0, %1, zero_points = %2) {dtype = "torch.qint8"} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @Quantize_2(%0: tensor<2x?xf16>, %1: tensor<1xf32>) {
  // CHECK: ge.Quantize({{.*}} : tensor<2x?xui8>{{$}}
  %n = ge.Quantize(%0, %1) {dtype = "torch.quint8"} : tensor<*xui8>
  ge.NetOutput(%n)
}

ge.graph @Dequantize(%0: tensor<2x?x!ge.qint8>, %1: tensor<f32>, %2: tensor<1xf32>) {
  // CHECK: ge.Dequantize({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Dequantize(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Dequantize_2(%0: tensor<2x3x!ge.quint8>, %1: tensor<f32>, %2: tensor<f32>) {
  // CHECK: ge.Dequantize({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.Dequantize(%0, %1, %2) {mode = "MIN_FIRST"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @FakeQuantWithMinMaxArgs(%0: tensor<2x?xf32>) {
  // CHECK: ge.FakeQuantWithMinMaxArgs({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.FakeQuantWithMinMaxArgs(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @FakeQuantWithMinMaxArgs_2(%0: tensor<2x3xf32>) {
  // CHECK: ge.FakeQuantWithMinMaxArgs({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.FakeQuantWithMinMaxArgs(%0) {min = 0.5, max = 2.0, num_bits = 4, narrow_range = true} : tensor<*xf32>
  ge.NetOutput(%n)
}
