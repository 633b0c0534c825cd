// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @DequantSwigluQuant(%0: tensor<3x8xi32>, %1: tensor<8xf32>, %2: tensor<3xf32>, %3: tensor<8xi32>, %4: tensor<1xf32>, %5: tensor<1xf32>) {
  // CHECK: ge.DequantSwigluQuant({{.*}} : tensor<3x4xi8>, tensor<3xf32>{{$}}
  %n, %n_1 = ge.DequantSwigluQuant(%0, weight_scale = %1, activation_scale = %2, bias = %3, quant_scale = %4, quant_offset = %5) : tensor<*xi8>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @DequantSwigluQuant_2(%0: tensor<2x?x8xbf16>, %1: tensor<4xf16>) {
  // CHECK: ge.DequantSwigluQuant({{.*}} : tensor<2x?x4xf8E4M3FN>, tensor<2x?xf32>{{$}}
  %n, %n_1 = ge.DequantSwigluQuant(%0, quant_scale = %1) {activate_left = true, quant_mode = "dynamic", dst_type = 36} : tensor<*xf8E4M3FN>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @DequantSwigluQuant_3(%0: tensor<3x8xi32>, %1: tensor<2x8xf32>, %2: tensor<2x8xf16>, %3: tensor<2x4xf32>) {
  %4 = ge.Const() {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.DequantSwigluQuant({{.*}} : tensor<3x4xi8>, tensor<3xf32>{{$}}
  %n, %n_1 = ge.DequantSwigluQuant(%0, weight_scale = %1, bias = %2, quant_scale = %3, group_index = %4) {activate_left = true, quant_mode = "dynamic", swiglu_mode = 1, clamp_limit = 1.5} : tensor<*xi8>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @DequantSwigluQuant_4(%0: tensor<3x8xi32>, %1: tensor<2x8xf32>, %2: tensor<3x1xf32>, %3: tensor<2xf32>, %4: tensor<2xf32>) {
  %5 = ge.Const() {value = dense<[2, 1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.DequantSwigluQuant({{.*}} : tensor<3x4xi8>, tensor<3xf32>{{$}}
  %n, %n_1 = ge.DequantSwigluQuant(%0, weight_scale = %1, activation_scale = %2, quant_scale = %3, quant_offset = %4, group_index = %5) {swiglu_mode = 2} : tensor<*xi8>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @DequantSwigluQuant_5(%0: tensor<4x3xf16>, %1: tensor<1xf32>) {
  // CHECK: ge.DequantSwigluQuant({{.*}} : tensor<2x3xi8>, tensor<2xf32>{{$}}
  %n, %n_1 = ge.DequantSwigluQuant(%0, quant_scale = %1) {activate_dim = 0, swiglu_mode = 3} : tensor<*xi8>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}
