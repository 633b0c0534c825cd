// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @LayerNorm(%0: tensor<2x3x4xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.LayerNorm({{.*}} : tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>{{$}}
  %n, %n_1, %n_2 = ge.LayerNorm(%0, %1, %2) {begin_norm_axis = 1, begin_params_axis = -1} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNorm_2(%0: tensor<2x?x4xf16>, %1: tensor<4xf16>, %2: tensor<4xf16>) {
  // CHECK: ge.LayerNorm({{.*}} : tensor<2x?x4xf16>, tensor<2x?x1xf16>, tensor<2x?x1xf16>{{$}}
  %n, %n_1, %n_2 = ge.LayerNorm(%0, %1, %2) {begin_norm_axis = -1, begin_params_axis = -1} : tensor<*xf16>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNormV3(%0: tensor<2x3x4xf32>, %1: tensor<3x4xf32>, %2: tensor<3x4xf32>) {
  // CHECK: ge.LayerNormV3({{.*}} : tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>{{$}}
  %n, %n_1, %n_2 = ge.LayerNormV3(%0, %1, %2) {begin_norm_axis = 1, begin_params_axis = 1} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNormV4(%0: tensor<2x3x4xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  %3 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.LayerNormV4({{.*}} : tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>{{$}}
  %n, %n_1, %n_2 = ge.LayerNormV4(%0, %3, gamma = %1, beta = %2) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @LayerNormV4_2(%0: tensor<2x3x4xf16>, %1: tensor<3x4xf16>) {
  %2 = ge.Const() {value = dense<[3, 4]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.LayerNormV4({{.*}} : tensor<2x3x4xf16>, tensor<2x1x1xf32>, tensor<2x1x1xf32>{{$}}
  %n, %n_1, %n_2 = ge.LayerNormV4(%0, %2, gamma = %1) : tensor<*xf16>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @RmsNorm(%0: tensor<2x3x4xf32>, %1: tensor<4xf32>) {
  // CHECK: ge.RmsNorm({{.*}} : tensor<2x3x4xf32>, tensor<2x3x1xf32>{{$}}
  %n, %n_1 = ge.RmsNorm(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @RmsNorm_2(%0: tensor<2x?x4xf16>, %1: tensor<?x4xf16>) {
  // CHECK: ge.RmsNorm({{.*}} : tensor<2x?x4xf16>, tensor<2x1x1xf32>{{$}}
  %n, %n_1 = ge.RmsNorm(%0, %1) : tensor<*xf16>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @AddRmsNorm(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.AddRmsNorm({{.*}} : tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x4xf32>{{$}}
  %n, %n_1, %n_2 = ge.AddRmsNorm(%0, %1, %2) {epsilon = 1.0e-05} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @AddRmsNorm_2(%0: tensor<?x3x4xf16>, %1: tensor<2x?x4xf16>, %2: tensor<4xf16>) {
  // CHECK: ge.AddRmsNorm({{.*}} : tensor<2x3x4xf16>, tensor<2x3x1xf32>, tensor<2x3x4xf16>{{$}}
  %n, %n_1, %n_2 = ge.AddRmsNorm(%0, %1, %2) : tensor<*xf16>, tensor<*xf32>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @GroupNorm(%0: tensor<2x4x5x6xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.GroupNorm({{.*}} : tensor<2x4x5x6xf32>, tensor<2x2xf32>, tensor<2x2xf32>{{$}}
  %n, %n_1, %n_2 = ge.GroupNorm(%0, %1, %2) {num_groups = 2} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @GroupNorm_2(%0: tensor<?x?x5xf16>, %1: tensor<4xf16>, %2: tensor<4xf16>) {
  // CHECK: ge.GroupNorm({{.*}} : tensor<?x4x5xf16>, tensor<?x4xf16>, tensor<?x4xf16>{{$}}
  %n, %n_1, %n_2 = ge.GroupNorm(%0, %1, %2) {num_groups = 4} : tensor<*xf16>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @InstanceNorm(%0: tensor<2x4x5x6xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.InstanceNorm({{.*}} : tensor<2x4x5x6xf32>, tensor<2x4x1x1xf32>, tensor<2x4x1x1xf32>{{$}}
  %n, %n_1, %n_2 = ge.InstanceNorm(%0, %1, %2) {data_format = "NCHW"} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @InstanceNorm_2(%0: tensor<2x3x5x6x4xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.InstanceNorm({{.*}} : tensor<2x3x5x6x4xf32>, tensor<2x1x1x1x4xf32>, tensor<2x1x1x1x4xf32>{{$}}
  %n, %n_1, %n_2 = ge.InstanceNorm(%0, %1, %2) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @L2Normalize(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.L2Normalize({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.L2Normalize(%0) {axis = [1, -1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @L2Normalize_2(%0: tensor<2x?xf16>) {
  // CHECK: ge.L2Normalize({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.L2Normalize(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @LayerNormV3_2(%0: tensor<2x3x4xf32>, %1: tensor<3x4xf32>, %2: tensor<3x4xf32>) {
  // CHECK: ge.LayerNormV3({{.*}} : tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>{{$}}
  %n, %n_1, %n_2 = ge.LayerNormV3(%0, %1, %2) {begin_norm_axis = 1, begin_params_axis = 1} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}
