// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @AddLayerNorm(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<4xf32>, %3: tensor<4xf32>) {
  // CHECK: ge.AddLayerNorm({{.*}} : tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x4xf32>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.AddLayerNorm(%0, %1, %2, %3) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @AddLayerNorm_2(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf16>, %2: tensor<3x4xf32>, %3: tensor<3x4xf32>, %4: tensor<4xf32>) {
  // CHECK: ge.AddLayerNorm({{.*}} : tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x3x4xf32>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.AddLayerNorm(%0, %1, %2, %3, bias = %4) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @DeepNorm(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<4xf32>, %3: tensor<4xf32>) {
  // CHECK: ge.DeepNorm({{.*}} : tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x4xf32>{{$}}
  %n, %n_1, %n_2 = ge.DeepNorm(%0, %1, %2, %3) {alpha = 0.5} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @DeepNorm_2(%0: tensor<2x?x4xf16>, %1: tensor<2x3x4xf16>, %2: tensor<3x4xf16>, %3: tensor<3x4xf16>) {
  // CHECK: ge.DeepNorm({{.*}} : tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x3x4xf16>{{$}}
  %n, %n_1, %n_2 = ge.DeepNorm(%0, %1, %2, %3) : tensor<*xf32>, tensor<*xf32>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @GroupNormSilu(%0: tensor<2x4x5xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.GroupNormSilu({{.*}} : tensor<2x4x5xf32>, tensor<2x2xf32>, tensor<2x2xf32>{{$}}
  %n, %n_1, %n_2 = ge.GroupNormSilu(%0, gamma = %1, beta = %2) {num_groups = 2} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @GroupNormSilu_2(%0: tensor<2x?x5xf16>, %1: tensor<4xf32>) {
  // CHECK: ge.GroupNormSilu({{.*}} : tensor<2x4x5xf16>, tensor<2x4xf16>, tensor<2x4xf16>{{$}}
  %n, %n_1, %n_2 = ge.GroupNormSilu(%0, gamma = %1) {num_groups = 4, activate_silu = false} : tensor<*xf16>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @GroupNormV2(%0: tensor<2x4x5xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.GroupNormV2({{.*}} : tensor<2x4x5xf32>, tensor<2x2xf32>, tensor<2x2xf32>{{$}}
  %n, %n_1, %n_2 = ge.GroupNormV2(%0, %1, %2) {num_groups = 2} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @GroupNormV2_2(%0: tensor<?x4xf16>, %1: tensor<4xf16>, %2: tensor<?xf16>) {
  // CHECK: ge.GroupNormV2({{.*}} : tensor<?x4xf16>, tensor<?x1xf16>, tensor<?x1xf16>{{$}}
  %n, %n_1, %n_2 = ge.GroupNormV2(%0, %1, %2) {num_groups = 1} : tensor<*xf16>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNormGrad(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<2x3x1xf32>, %3: tensor<2x3x1xf32>, %4: tensor<4xf32>) {
  // CHECK: ge.LayerNormGrad({{.*}} : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>{{$}}
  %n, %n_1, %n_2 = ge.LayerNormGrad(%0, %1, %2, %3, %4) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNormGrad_2(%0: tensor<2x?x4xf16>, %1: tensor<2x3x4xf16>, %2: tensor<2x1x1xf16>, %3: tensor<2x1x1xf16>, %4: tensor<3x4xf16>) {
  // CHECK: ge.LayerNormGrad({{.*}} : tensor<2x3x4xf16>, tensor<3x4xf16>, tensor<3x4xf16>{{$}}
  %n, %n_1, %n_2 = ge.LayerNormGrad(%0, %1, %2, %3, %4) : tensor<*xf16>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNormGradV3(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<2x3x1xf32>, %3: tensor<2x3x1xf32>, %4: tensor<4xf32>) {
  // CHECK: ge.LayerNormGradV3({{.*}} : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>{{$}}
  %n, %n_1, %n_2 = ge.LayerNormGradV3(%0, %1, %2, %3, %4) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNormGradV3_2(%0: tensor<2x?x4xf16>, %1: tensor<2x3x4xf16>, %2: tensor<2x3x1xf32>, %3: tensor<2x3x1xf32>, %4: tensor<3x4xf32>) {
  // CHECK: ge.LayerNormGradV3({{.*}} : tensor<2x3x4xf16>, tensor<3x4xf32>, tensor<3x4xf32>{{$}}
  %n, %n_1, %n_2 = ge.LayerNormGradV3(%0, %1, %2, %3, %4) : tensor<*xf16>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNormBetaGammaBackpropV2(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>) {
  // CHECK: ge.LayerNormBetaGammaBackpropV2({{.*}} : tensor<3x4xf32>, tensor<3x4xf32>{{$}}
  %n, %n_1 = ge.LayerNormBetaGammaBackpropV2(%0, %1) {shape_gamma = [3, 4]} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @LayerNormBetaGammaBackpropV2_2(%0: tensor<2x?x4xf16>, %1: tensor<2x3x4xf32>) {
  // CHECK: ge.LayerNormBetaGammaBackpropV2({{.*}} : tensor<4xf16>, tensor<4xf16>{{$}}
  %n, %n_1 = ge.LayerNormBetaGammaBackpropV2(%0, %1) {shape_gamma = [4]} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @MVNV2(%0: tensor<2x3x4x5xf32>) {
  // CHECK: ge.MVNV2({{.*}} : tensor<2x3x4x5xf32>{{$}}
  %n = ge.MVNV2(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MVNV2_2(%0: tensor<2x?x4xf16>) {
  // CHECK: ge.MVNV2({{.*}} : tensor<2x?x4xf16>{{$}}
  %n = ge.MVNV2(%0) {eps = 0.5, axes = [-1, 0]} : tensor<*xf16>
  ge.NetOutput(%n)
}
