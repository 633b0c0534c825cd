// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @AddRmsNormCast(%0: tensor<2x3x4xf16>, %1: tensor<2x3x4xf16>, %2: tensor<4xf16>) {
  // CHECK: ge.AddRmsNormCast({{.*}} : tensor<2x3x4xf32>, tensor<2x3x4xf16>, tensor<2x3x1xf32>, tensor<2x3x4xf16>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.AddRmsNormCast(%0, %1, %2) : tensor<*xf32>, tensor<*xf16>, tensor<*xf32>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @AddRmsNormQuant(%0: tensor<2x4xf16>, %1: tensor<2x4xf16>, %2: tensor<4xf16>, %3: tensor<4xf32>, %4: tensor<4xi32>) {
  // CHECK: ge.AddRmsNormQuant({{.*}} : tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xf16>{{$}}
  %n, %n_1, %n_2 = ge.AddRmsNormQuant(%0, %1, %2, %3, zero_points1 = %4) : tensor<*xi8>, tensor<*xi8>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @AddRmsNormQuant_2(%0: tensor<2x4xf32>, %1: tensor<2x4xf32>, %2: tensor<4xf32>, %3: tensor<4xf32>, %4: tensor<4xf32>, %5: tensor<4xf32>) {
  // CHECK: ge.AddRmsNormQuant({{.*}} : tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xf32>{{$}}
  %n, %n_1, %n_2 = ge.AddRmsNormQuant(%0, %1, %2, %3, scales2 = %4, beta = %5) {div_mode = false} : tensor<*xi8>, tensor<*xi8>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @RmsNormGrad(%0: tensor<2x3x4xf16>, %1: tensor<2x3x4xf16>, %2: tensor<2x3x1xf32>, %3: tensor<4xf16>) {
  // CHECK: ge.RmsNormGrad({{.*}} : tensor<2x3x4xf16>, tensor<4xf32>{{$}}
  %n, %n_1 = ge.RmsNormGrad(%0, %1, %2, %3) : tensor<*xf16>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @RmsNormGrad_2(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<2xf32>, %3: tensor<3x4xf32>) {
  // CHECK: ge.RmsNormGrad({{.*}} : tensor<2x3x4xf32>, tensor<3x4xf32>{{$}}
  %n, %n_1 = ge.RmsNormGrad(%0, %1, %2, %3) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}
