// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Celu(%0: tensor<2x?xf32>) {
  // CHECK: ge.Celu({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Celu(%0) {alpha1 = 0.5, alpha3 = 2.0} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @CeluV2(%0: tensor<2x?xf32>) {
  // CHECK: ge.CeluV2({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.CeluV2(%0) {alpha = 0.5} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @CeluV2_2(%0: tensor<2x3xf32>) {
  // CHECK: ge.CeluV2({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.CeluV2(%0) {alpha = -2.0} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @FastGelu(%0: tensor<2x?xf32>) {
  // CHECK: ge.FastGelu({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.FastGelu(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @LogSigmoid(%0: tensor<2x?xf32>) {
  // CHECK: ge.LogSigmoid({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.LogSigmoid(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Shrink(%0: tensor<2x?xf32>) {
  // CHECK: ge.Shrink({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Shrink(%0) {bias = 0.25} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ThresholdedRelu(%0: tensor<2x?xf32>) {
  // CHECK: ge.ThresholdedRelu({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.ThresholdedRelu(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Threshold(%0: tensor<2x?xf32>) {
  // CHECK: ge.Threshold({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Threshold(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Threshold_2(%0: tensor<2x3xi32>) {
  // CHECK: ge.Threshold({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.Threshold(%0) {threshold = 1.5} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @ThresholdV2(%0: tensor<2x?xf32>, %1: tensor<f32>, %2: tensor<1xf32>) {
  // CHECK: ge.ThresholdV2({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.ThresholdV2(%0, %1, value = %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ThresholdV2_2(%0: tensor<2x3xi32>, %1: tensor<1xi32>) {
  // CHECK: ge.ThresholdV2({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.ThresholdV2(%0, %1) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HardMax(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.HardMax({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.HardMax(%0) {axis = 1} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @HardMax_2(%0: tensor<f32>) {
  // CHECK: ge.HardMax({{.*}} : tensor<f32>{{$}}
  %n = ge.HardMax(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GLU(%0: tensor<2x6xf32>) {
  // CHECK: ge.GLU({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.GLU(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GLU_2(%0: tensor<4x?xf16>) {
  // CHECK: ge.GLU({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.GLU(%0) {dim = 0} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @GeGluV2(%0: tensor<2x6xf32>) {
  // CHECK: ge.GeGluV2({{.*}} : tensor<2x3xf32>, tensor<2x3xf32>{{$}}
  %n, %n_1 = ge.GeGluV2(%0) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @GeGluV2_2(%0: tensor<4x?xf16>) {
  // CHECK: ge.GeGluV2({{.*}} : tensor<2x?xf16>, tensor<2x?xf16>{{$}}
  %n, %n_1 = ge.GeGluV2(%0) {dim = 0, approximate = 0, activate_left = true} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}
