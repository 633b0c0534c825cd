// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @CommonLSTM(%0: tensor<3x2x4xf32>, %1: tensor<1x20x4xf32>, %2: tensor<1x20x5xf32>) {
  // CHECK: ge.CommonLSTM({{.*}} : tensor<3x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>{{$}}
  %n, %n_1, %n_2 = ge.CommonLSTM(%0, %1, %2) {hidden_size = 5} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @CommonLSTM_2(%0: tensor<?x2x4xf32>, %1: tensor<2x20x4xf32>, %2: tensor<2x20x5xf32>, %3: tensor<2x40xf32>, %4: tensor<2xi32>, %5: tensor<2x2x5xf32>, %6: tensor<2x15xf32>) {
  // CHECK: ge.CommonLSTM({{.*}} : tensor<?x2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x5xf32>{{$}}
  %n, %n_1, %n_2 = ge.CommonLSTM(%0, %1, %2, b = %3, sequence_lens = %4, initial_h = %5, p = %6) {direction = "bidirectional", hidden_size = 5} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @CommonGRU(%0: tensor<3x2x4xf16>, %1: tensor<2x15x4xf16>, %2: tensor<2x15x5xf16>) {
  // CHECK: ge.CommonGRU({{.*}} : tensor<3x2x2x5xf16>, tensor<2x2x5xf16>{{$}}
  %n, %n_1 = ge.CommonGRU(%0, %1, %2) {direction = "bidirectional", hidden_size = 5} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @CommonGRU_2(%0: tensor<3x?x4xf32>, %1: tensor<1x15x4xf32>, %2: tensor<1x15x5xf32>, %3: tensor<1x30xf32>, %4: tensor<1x2x5xf32>) {
  // CHECK: ge.CommonGRU({{.*}} : tensor<3x1x2x5xf32>, tensor<1x2x5xf32>{{$}}
  %n, %n_1 = ge.CommonGRU(%0, %1, %2, b = %3, initial_h = %4) {direction = "reverse", hidden_size = 5, linear_before_reset = 1} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}
