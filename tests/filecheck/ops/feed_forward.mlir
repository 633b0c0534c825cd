// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @FFN(%0: tensor<3x4xf16>, %1: tensor<4x6xf16>, %2: tensor<6x5xf16>) {
  // CHECK: ge.FFN({{.*}} : tensor<3x5xf16>{{$}}
  %n = ge.FFN(%0, %1, %2) {activation = "gelu"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @FFN_2(%0: tensor<2x?x4xf16>, %1: tensor<4x6xf16>, %2: tensor<6x5xf16>, %3: tensor<6xf16>, %4: tensor<5xf16>) {
  // CHECK: ge.FFN({{.*}} : tensor<2x?x5xf16>{{$}}
  %n = ge.FFN(%0, %1, %2, bias1 = %3, bias2 = %4) {activation = "fastgelu"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @FFN_3(%0: tensor<3x4xf16>, %1: tensor<4x12xf16>, %2: tensor<6x5xf16>) {
  // CHECK: ge.FFN({{.*}} : tensor<3x5xf16>{{$}}
  %n = ge.FFN(%0, %1, %2) {activation = "swiglu"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @FFN_4(%0: tensor<3x4xf16>, %1: tensor<2x4x6xf16>, %2: tensor<2x6x5xf16>, %3: tensor<2x6xf16>, %4: tensor<2x5xf16>) {
  %5 = ge.Const() {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.FFN({{.*}} : tensor<3x5xf16>{{$}}
  %n = ge.FFN(%0, %1, %2, expert_tokens = %5, bias1 = %3, bias2 = %4) {activation = "silu"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @FFN_5(%0: tensor<3x4xf16>, %1: tensor<2x4x6xf16>, %2: tensor<2x6x5xf16>) {
  %3 = ge.Const() {value = dense<[0, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.FFN({{.*}} : tensor<3x5xf16>{{$}}
  %n = ge.FFN(%0, %1, %2, expert_tokens = %3) {activation = "relu", tokens_index_flag = true} : tensor<*xf16>
  ge.NetOutput(%n)
}
