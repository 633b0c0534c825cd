// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ScaledMaskedSoftmax(%0: tensor<2x3x4x5xf16>, %1: tensor<2x1x4x5xi1>) {
  // CHECK: ge.ScaledMaskedSoftmax({{.*}} : tensor<2x3x4x5xf16>{{$}}
  %n = ge.ScaledMaskedSoftmax(%0, mask = %1) {scale = 0.5} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ScaledMaskedSoftmax_2(%0: tensor<?x4x4xf32>) {
  // CHECK: ge.ScaledMaskedSoftmax({{.*}} : tensor<?x4x4xf32>{{$}}
  %n = ge.ScaledMaskedSoftmax(%0) {fixed_triu_mask = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MaskedSoftmaxWithRelPosBias(%0: tensor<2x3x4x5x6xf32>, %1: tensor<3x5x6xf32>, %2: tensor<4x5x6xf32>) {
  // CHECK: ge.MaskedSoftmaxWithRelPosBias({{.*}} : tensor<2x3x4x5x6xf32>{{$}}
  %n = ge.MaskedSoftmaxWithRelPosBias(%0, atten_mask = %1, relative_pos_bias = %2) {scale_value = 0.5} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MaskedSoftmaxWithRelPosBias_2(%0: tensor<6x4x5x6xf16>, %1: tensor<3x1x5x6xf16>, %2: tensor<1x4x5x6xf16>) {
  // CHECK: ge.MaskedSoftmaxWithRelPosBias({{.*}} : tensor<6x4x5x6xf16>{{$}}
  %n = ge.MaskedSoftmaxWithRelPosBias(%0, atten_mask = %1, relative_pos_bias = %2) : tensor<*xf16>
  ge.NetOutput(%n)
}
