// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @RotaryMul(%0: tensor<2x3x4x8xf32>, %1: tensor<3x1x8xf32>, %2: tensor<3x1x8xf32>) {
  // CHECK: ge.RotaryMul({{.*}} : tensor<2x3x4x8xf32>{{$}}
  %n = ge.RotaryMul(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @RotaryMul_2(%0: tensor<?x8xf16>, %1: tensor<1x8xf16>, %2: tensor<8xf16>) {
  // CHECK: ge.RotaryMul({{.*}} : tensor<?x8xf16>{{$}}
  %n = ge.RotaryMul(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @RotaryPositionEmbedding(%0: tensor<2x3x8xf32>, %1: tensor<3x8xf32>, %2: tensor<3x8xf32>) {
  // CHECK: ge.RotaryPositionEmbedding({{.*}} : tensor<2x3x8xf32>{{$}}
  %n = ge.RotaryPositionEmbedding(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @RotaryPositionEmbedding_2(%0: tensor<2x3x8xf16>, %1: tensor<8xf16>, %2: tensor<8xf16>) {
  // CHECK: ge.RotaryPositionEmbedding({{.*}} : tensor<2x3x8xf16>{{$}}
  %n = ge.RotaryPositionEmbedding(%0, %1, %2) {mode = 1} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ApplyRotaryPosEmb(%0: tensor<2x3x4x8xf32>, %1: tensor<2x3x1x8xf32>, %2: tensor<2x3x1x8xf32>, %3: tensor<2x3x1x8xf32>) {
  // CHECK: ge.ApplyRotaryPosEmb({{.*}} : tensor<2x3x4x8xf32>, tensor<2x3x1x8xf32>{{$}}
  %n, %n_1 = ge.ApplyRotaryPosEmb(%0, %1, %2, %3) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @ApplyRotaryPosEmb_2(%0: tensor<?x3x2x8xf16>, %1: tensor<?x3x2x8xf16>, %2: tensor<1x3x1x8xf16>, %3: tensor<1x3x1x8xf16>) {
  // CHECK: ge.ApplyRotaryPosEmb({{.*}} : tensor<?x3x2x8xf16>, tensor<?x3x2x8xf16>{{$}}
  %n, %n_1 = ge.ApplyRotaryPosEmb(%0, %1, %2, %3) {rotary_mode = "quarter"} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @InterleaveRope(%0: tensor<2x3x4x8xf16>, %1: tensor<2x1x4x8xf16>, %2: tensor<1x1x1x8xf16>) {
  // CHECK: ge.InterleaveRope({{.*}} : tensor<2x3x4x8xf16>{{$}}
  %n = ge.InterleaveRope(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}
