// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @DynamicRNN(%0: tensor<3x2x4xf16>, %1: tensor<9x20xf16>, %2: tensor<20xf32>) {
  // CHECK: ge.DynamicRNN({{.*}} : tensor<3x2x5xf16>, tensor<3x2x5xf16>, tensor<3x2x5xf16>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4, %n_5, %n_6, %n_7 = ge.DynamicRNN(%0, %1, %2) : tensor<*xf16>, tensor<*xf16>, tensor<*xf16>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4, %n_5, %n_6, %n_7)
}

ge.graph @DynamicRNN_2(%0: tensor<?x2x4xf32>, %1: tensor<9x20xf32>, %2: tensor<20xf32>, %3: tensor<2xi32>, %4: tensor<1x2x5xf32>, %5: tensor<1x2x5xf32>) {
  // CHECK: ge.DynamicRNN({{.*}} : tensor<?x2x5xf32>, tensor<?x2x5xf32>, tensor<?x2x5xf32>, tensor<?x2x5xf32>, tensor<?x2x5xf32>, tensor<?x2x5xf32>, tensor<?x2x5xf32>, tensor<?x2x5xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4, %n_5, %n_6, %n_7 = ge.DynamicRNN(%0, %1, %2, seq_length = %3, init_h = %4, init_c = %5) {direction = "REDIRECTIONAL", gate_order = "ifjo"} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4, %n_5, %n_6, %n_7)
}

ge.graph @DynamicGRUV2(%0: tensor<3x2x4xf32>, %1: tensor<4x15xf32>, %2: tensor<5x15xf32>) {
  // CHECK: ge.DynamicGRUV2({{.*}} : tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4, %n_5 = ge.DynamicGRUV2(%0, %1, %2) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4, %n_5)
}

ge.graph @DynamicGRUV2_2(%0: tensor<3x?x4xf16>, %1: tensor<4x15xf16>, %2: tensor<5x15xf16>, %3: tensor<15xf32>, %4: tensor<15xf32>, %5: tensor<2x5xf32>) {
  // CHECK: ge.DynamicGRUV2({{.*}} : tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>, tensor<3x2x5xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4, %n_5 = ge.DynamicGRUV2(%0, %1, %2, bias_input = %3, bias_hidden = %4, init_h = %5) {gate_order = "rzh"} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4, %n_5)
}

ge.graph @BasicLSTMCell(%0: tensor<2x4xf16>, %1: tensor<2x5xf16>, %2: tensor<2x5xf32>, %3: tensor<9x20xf16>, %4: tensor<20xf32>) {
  // CHECK: ge.BasicLSTMCell({{.*}} : tensor<2x5xf32>, tensor<2x5xf16>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4, %n_5, %n_6 = ge.BasicLSTMCell(%0, %1, %2, %3, %4) : tensor<*xf32>, tensor<*xf16>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4, %n_5, %n_6)
}
