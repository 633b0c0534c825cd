// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @MoeGatingTopK(%0: tensor<3x8xf32>) {
  // CHECK: ge.MoeGatingTopK({{.*}} : tensor<3x2xf32>, tensor<3x2xi32>, tensor<3x8xf32>{{$}}
  %n, %n_1, %n_2 = ge.MoeGatingTopK(%0) {k = 2} : tensor<*xf32>, tensor<*xi32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @MoeGatingTopK_2(%0: tensor<?x8xf16>, %1: tensor<8xf16>) {
  // CHECK: ge.MoeGatingTopK({{.*}} : tensor<?x3xf16>, tensor<?x3xi32>, tensor<?x8xf32>{{$}}
  %n, %n_1, %n_2 = ge.MoeGatingTopK(%0, bias = %1) {k = 3, group_count = 2, group_select_mode = 1, norm_type = 1} : tensor<*xf16>, tensor<*xi32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @MoeGatingTopKSoftmax(%0: tensor<3x8xf32>) {
  // CHECK: ge.MoeGatingTopKSoftmax({{.*}} : tensor<3x2xf32>, tensor<3x2xi32>, tensor<3x2xi32>{{$}}
  %n, %n_1, %n_2 = ge.MoeGatingTopKSoftmax(%0) {k = 2} : tensor<*xf32>, tensor<*xi32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @MoeGatingTopKSoftmax_2(%0: tensor<2x3x8xf16>, %1: tensor<2x3xi1>) {
  // CHECK: ge.MoeGatingTopKSoftmax({{.*}} : tensor<2x3x8xf16>, tensor<2x3x8xi32>, tensor<2x3x8xi32>{{$}}
  %n, %n_1, %n_2 = ge.MoeGatingTopKSoftmax(%0, finished = %1) {k = 8} : tensor<*xf16>, tensor<*xi32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @MoeGatingTopKSoftmaxV2(%0: tensor<3x8xbf16>, %1: tensor<3xi1>) {
  // CHECK: ge.MoeGatingTopKSoftmaxV2({{.*}} : tensor<3x2xbf16>, tensor<3x2xi32>, tensor<3x8xf32>{{$}}
  %n, %n_1, %n_2 = ge.MoeGatingTopKSoftmaxV2(%0, finished = %1) {k = 2, renorm = 1} : tensor<*xbf16>, tensor<*xi32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @MoeGatingTopKSoftmaxV2_2(%0: tensor<3x8xf32>) {
  // CHECK: ge.MoeGatingTopKSoftmaxV2({{.*}} : tensor<3x2xf32>, tensor<3x2xi32>, tensor<3x8xf32>{{$}}
  %n, %n_1, %n_2 = ge.MoeGatingTopKSoftmaxV2(%0) {k = 2, output_softmax_result_flag = true} : tensor<*xf32>, tensor<*xi32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @MoeInitRouting(%0: tensor<3x4xf32>, %1: tensor<3x2xi32>, %2: tensor<3x2xi32>) {
  // CHECK: ge.MoeInitRouting({{.*}} : tensor<6x4xf32>, tensor<6xi32>, tensor<6xi32>{{$}}
  %n, %n_1, %n_2 = ge.MoeInitRouting(%0, %1, %2) {active_num = 3} : tensor<*xf32>, tensor<*xi32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @MoeInitRouting_2(%0: tensor<3x?xf16>, %1: tensor<3x2xi32>, %2: tensor<3x2xi32>) {
  // CHECK: ge.MoeInitRouting({{.*}} : tensor<2x?xf16>, tensor<6xi32>, tensor<6xi32>{{$}}
  %n, %n_1, %n_2 = ge.MoeInitRouting(%0, %1, %2) {active_num = 1} : tensor<*xf16>, tensor<*xi32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @MoeFinalizeRouting(%0: tensor<6x4xf32>, %1: tensor<3x4xf32>, %2: tensor<5x4xf32>, %3: tensor<3x2xf32>, %4: tensor<6xi32>, %5: tensor<3x2xi32>) {
  // CHECK: ge.MoeFinalizeRouting({{.*}} : tensor<3x4xf32>{{$}}
  %n = ge.MoeFinalizeRouting(%0, %1, bias = %2, scales = %3, expanded_row_idx = %4, expanded_expert_idx = %5) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MoeFinalizeRouting_2(%0: tensor<6x4xf32>, %1: tensor<3x4xf32>, %2: tensor<3x4xf32>, %3: tensor<5x4xf32>, %4: tensor<3x2xf32>, %5: tensor<6xi32>, %6: tensor<3x2xi32>) {
  // CHECK: ge.MoeFinalizeRouting({{.*}} : tensor<3x4xf32>{{$}}
  %n = ge.MoeFinalizeRouting(%0, %1, x2 = %2, bias = %3, scales = %4, expanded_row_idx = %5, expanded_expert_idx = %6) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MoeFinalizeRoutingV2(%0: tensor<3x4xf16>, %1: tensor<3xi32>) {
  // CHECK: ge.MoeFinalizeRoutingV2({{.*}} : tensor<3x4xf16>{{$}}
  %n = ge.MoeFinalizeRoutingV2(%0, %1) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @MoeFinalizeRoutingV2_2(%0: tensor<2x3x4xf16>, %1: tensor<6xi32>, %2: tensor<3x2xf32>) {
  // CHECK: ge.MoeFinalizeRoutingV2({{.*}} : tensor<3x4xf16>{{$}}
  %n = ge.MoeFinalizeRoutingV2(%0, %1, scales = %2) {drop_pad_mode = 3} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @MoeComputeExpertTokens(%0: tensor<7xi32>) {
  // CHECK: ge.MoeComputeExpertTokens({{.*}} : tensor<4xi32>{{$}}
  %n = ge.MoeComputeExpertTokens(%0) {num_experts = 4} : tensor<*xi32>
  ge.NetOutput(%n)
}
