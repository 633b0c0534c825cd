// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @AscendQuant(%0: tensor<2x3xf32>) {
  // CHECK: ge.AscendQuant({{.*}} : tensor<2x3xi8>{{$}}
  %n = ge.AscendQuant(%0) {scale = 3.5, offset = -2.0} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @AscendQuant_2(%0: tensor<2x?xf16>) {
  // CHECK: ge.AscendQuant({{.*}} : tensor<2x?xi8>{{$}}
  %n = ge.AscendQuant(%0) {scale = 3.5, offset = -2.0, sqrt_mode = true, round_mode = "Floor"} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @AscendQuantV2(%0: tensor<2x3x4xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.AscendQuantV2({{.*}} : tensor<2x3x4xi8>{{$}}
  %n = ge.AscendQuantV2(%0, %1, offset = %2) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @AscendQuantV2_2(%0: tensor<2x3x4xf16>, %1: tensor<3xf16>) {
  // CHECK: ge.AscendQuantV2({{.*}} : tensor<2x3x4xi8>{{$}}
  %n = ge.AscendQuantV2(%0, %1) {round_mode = "ceil", axis = 1} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @AscendAntiQuant(%0: tensor<2x3xi8>) {
  // CHECK: ge.AscendAntiQuant({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.AscendAntiQuant(%0) {scale = 3.5, offset = -2.0} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AscendAntiQuant_2(%0: tensor<2x?xi8>) {
  // CHECK: ge.AscendAntiQuant({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.AscendAntiQuant(%0) {scale = 3.5, offset = -2.0, dtype = 1, sqrt_mode = true} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @AscendAntiQuantV2(%0: tensor<2x3xi8>, %1: tensor<3xf32>, %2: tensor<3xf32>) {
  // CHECK: ge.AscendAntiQuantV2({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.AscendAntiQuantV2(%0, %1, offset = %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @AscendAntiQuantV2_2(%0: tensor<?x3xi8>, %1: tensor<1xbf16>) {
  // CHECK: ge.AscendAntiQuantV2({{.*}} : tensor<?x3xbf16>{{$}}
  %n = ge.AscendAntiQuantV2(%0, %1) {dst_type = 27} : tensor<*xbf16>
  ge.NetOutput(%n)
}

ge.graph @AscendDequant(%0: tensor<2x3x4xi32>, %1: tensor<3xf16>) {
  // CHECK: ge.AscendDequant({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.AscendDequant(%0, %1) {relu_flag = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AscendDequant_2(%0: tensor<2x3x4xi32>, %1: tensor<3xui64>) {
  // CHECK: ge.AscendDequant({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.AscendDequant(%0, %1) {sqrt_mode = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @DynamicQuant(%0: tensor<2x3x4xf16>) {
  // CHECK: ge.DynamicQuant({{.*}} : tensor<2x3x4xi8>, tensor<2x3xf32>{{$}}
  %n, %n_1 = ge.DynamicQuant(%0) : tensor<*xi8>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @DynamicQuant_2(%0: tensor<3x4xbf16>, %1: tensor<4xbf16>) {
  // CHECK: ge.DynamicQuant({{.*}} : tensor<3x4xf8E4M3FN>, tensor<3xf32>{{$}}
  %n, %n_1 = ge.DynamicQuant(%0, smooth_scales = %1) {dst_type = 36} : tensor<*xf8E4M3FN>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @DynamicQuantV2(%0: tensor<2x3x4xf16>) {
  // CHECK: ge.DynamicQuantV2({{.*}} : tensor<2x3x4xi8>, tensor<2x3xf32>, tensor<2x3xf32>{{$}}
  %n, %n_1, %n_2 = ge.DynamicQuantV2(%0) : tensor<*xi8>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @DynamicQuantV2_2(%0: tensor<?x4xbf16>, %1: tensor<4xbf16>) {
  // CHECK: ge.DynamicQuantV2({{.*}} : tensor<?x4xi4>, tensor<?xf32>, tensor<?xf32>{{$}}
  %n, %n_1, %n_2 = ge.DynamicQuantV2(%0, smooth_scales = %1) {dst_type = 29} : tensor<*xi4>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @DynamicQuantV2_3(%0: tensor<3x4xbf16>, %1: tensor<2x4xbf16>) {
  %2 = ge.Const() {value = dense<[1, 3]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.DynamicQuantV2({{.*}} : tensor<3x4xi8>, tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1, %n_2 = ge.DynamicQuantV2(%0, smooth_scales = %1, group_index = %2) {is_symmetrical = true} : tensor<*xi8>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @DynamicQuantV2_4(%0: tensor<3x?xf16>) {
  // CHECK: ge.DynamicQuantV2({{.*}} : tensor<3x?xf8E4M3FN>, tensor<1xf32>, tensor<1xf32>{{$}}
  %n, %n_1, %n_2 = ge.DynamicQuantV2(%0) {dst_type = 36, quant_mode = "pertensor"} : tensor<*xf8E4M3FN>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}
