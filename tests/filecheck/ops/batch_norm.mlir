// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @BNTrainingReduce(%0: tensor<2x3x4x5xf32>) {
  // CHECK: ge.BNTrainingReduce({{.*}} : tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1 = ge.BNTrainingReduce(%0) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @BNTrainingReduce_2(%0: tensor<2x?xf16>) {
  // CHECK: ge.BNTrainingReduce({{.*}} : tensor<?xf32>, tensor<?xf32>{{$}}
  %n, %n_1 = ge.BNTrainingReduce(%0) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @BNTrainingUpdate(%0: tensor<2x3x4x5xf32>, %1: tensor<3xf32>, %2: tensor<3xf32>, %3: tensor<3xf32>, %4: tensor<3xf32>, %5: !ge.ref<tensor<3xf32>>, %6: !ge.ref<tensor<3xf32>>) {
  // CHECK: ge.BNTrainingUpdate({{.*}} : tensor<2x3x4x5xf32>, !ge.ref<tensor<3xf32>>, !ge.ref<tensor<3xf32>>, tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4 = ge.BNTrainingUpdate(%0, %1, %2, %3, %4, %5, %6) {factor = 0.25, epsilon = 0.001} : tensor<*xf32>, !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4)
}

ge.graph @BNTrainingUpdate_2(%0: tensor<2x?x4xf16>, %1: tensor<3xf32>, %2: tensor<?xf32>, %3: tensor<3xf32>, %4: tensor<3xf32>, %5: !ge.ref<tensor<3xf32>>, %6: !ge.ref<tensor<3xf32>>) {
  // CHECK: ge.BNTrainingUpdate({{.*}} : tensor<2x3x4xf16>, !ge.ref<tensor<3xf32>>, !ge.ref<tensor<3xf32>>, tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4 = ge.BNTrainingUpdate(%0, %1, %2, %3, %4, %5, %6) {factor = 0.25, epsilon = 0.001} : tensor<*xf16>, !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4)
}

ge.graph @BNTrainingUpdateGrad(%0: tensor<2x3x4x5xf32>, %1: tensor<2x3x4x5xf32>, %2: tensor<3xf32>, %3: tensor<3xf32>) {
  // CHECK: ge.BNTrainingUpdateGrad({{.*}} : tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1 = ge.BNTrainingUpdateGrad(%0, %1, %2, %3) {epsilon = 0.001} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @BNTrainingUpdateGrad_2(%0: tensor<2x?xbf16>, %1: tensor<2x3xbf16>, %2: tensor<?xf32>, %3: tensor<3xf32>) {
  // CHECK: ge.BNTrainingUpdateGrad({{.*}} : tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1 = ge.BNTrainingUpdateGrad(%0, %1, %2, %3) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @BNTrainingReduceGrad(%0: tensor<2x3x4x5xf32>, %1: tensor<2x3x4x5xf32>, %2: tensor<3xf32>, %3: tensor<3xf32>, %4: tensor<3xf32>, %5: tensor<3xf32>, %6: tensor<3xf32>) {
  // CHECK: ge.BNTrainingReduceGrad({{.*}} : tensor<2x3x4x5xf32>{{$}}
  %n = ge.BNTrainingReduceGrad(%0, %1, %2, %3, %4, %5, %6) {epsilon = 0.001} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @BNInferGrad(%0: tensor<2x3x4x5xf32>, %1: tensor<3xf32>, %2: tensor<3xf32>) {
  // CHECK: ge.BNInferGrad({{.*}} : tensor<2x3x4x5xf32>{{$}}
  %n = ge.BNInferGrad(%0, %1, %2) {epsilon = 0.001} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @BNInferGrad_2(%0: tensor<2x?x4xf16>, %1: tensor<3xf32>, %2: tensor<?xf32>) {
  // CHECK: ge.BNInferGrad({{.*}} : tensor<2x3x4xf16>{{$}}
  %n = ge.BNInferGrad(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @BatchNormGrad(%0: tensor<2x3x4x5xf32>, %1: tensor<2x3x4x5xf32>, %2: tensor<5xf32>, %3: tensor<5xf32>, %4: tensor<5xf32>) {
  // CHECK: ge.BatchNormGrad({{.*}} : tensor<2x3x4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<0xf32>, tensor<0xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4 = ge.BatchNormGrad(%0, %1, %2, %3, %4) {epsilon = 0.001} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4)
}

ge.graph @BatchNormGrad_2(%0: tensor<2x3x4x5xf32>, %1: tensor<2x3x4x5xf32>, %2: tensor<3xf32>, %3: tensor<3xf32>, %4: tensor<3xf32>, %5: tensor<3xf32>) {
  // CHECK: ge.BatchNormGrad({{.*}} : tensor<2x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<0xf32>, tensor<0xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4 = ge.BatchNormGrad(%0, %1, %2, %3, %4, reserve_space_3 = %5) {data_format = "NCHW", is_training = false} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4)
}

ge.graph @BatchNormGradV3(%0: tensor<2x3x4x5xf32>, %1: tensor<2x3x4x5xf32>, %2: tensor<3xf32>, %3: tensor<3xf32>, %4: tensor<3xf32>, %5: tensor<3xf32>, %6: tensor<3xf32>) {
  // CHECK: ge.BatchNormGradV3({{.*}} : tensor<2x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1, %n_2 = ge.BatchNormGradV3(%0, %1, %2, %3, %4, %5, %6) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @BatchNormGradV3_2(%0: tensor<2x?xf16>, %1: tensor<2x3xf16>, %2: tensor<3xbf16>, %3: tensor<3xf16>, %4: tensor<?xf16>, %5: tensor<3xf32>, %6: tensor<3xf32>) {
  // CHECK: ge.BatchNormGradV3({{.*}} : tensor<2x3xf16>, tensor<3xbf16>, tensor<3xbf16>{{$}}
  %n, %n_1, %n_2 = ge.BatchNormGradV3(%0, %1, %2, %3, %4, %5, %6) {is_training = false} : tensor<*xf16>, tensor<*xbf16>, tensor<*xbf16>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @BatchNormV3(%0: tensor<2x3x4x5xf32>, %1: tensor<3xf32>, %2: tensor<3xf32>, %3: !ge.ref<tensor<3xf32>>, %4: !ge.ref<tensor<3xf32>>) {
  // CHECK: ge.BatchNormV3({{.*}} : tensor<2x3x4x5xf32>, !ge.ref<tensor<3xf32>>, !ge.ref<tensor<3xf32>>, tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4 = ge.BatchNormV3(%0, %1, %2, %3, %4) : tensor<*xf32>, !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4)
}

ge.graph @BatchNormV3_2(%0: tensor<2x?x4xf16>, %1: tensor<3xbf16>, %2: tensor<3xbf16>, %3: !ge.ref<tensor<3xf32>>, %4: !ge.ref<tensor<3xf32>>) {
  // CHECK: ge.BatchNormV3({{.*}} : tensor<2x3x4xf16>, !ge.ref<tensor<3xf32>>, !ge.ref<tensor<3xf32>>, tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1, %n_2, %n_3, %n_4 = ge.BatchNormV3(%0, %1, %2, %3, %4) {is_training = false} : tensor<*xf16>, !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3, %n_4)
}

ge.graph @BNTrainingUpdateV2(%0: tensor<2x?x4xf16>, %1: tensor<3xf32>) {
  // CHECK: ge.BNTrainingUpdateV2({{.*}} : tensor<2x3x4xf16>, tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %m, %v = ge.BNTrainingUpdateV2(%0, %1, %1, %1, %1) {epsilon = 0.5} : tensor<*xf16>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m, %v)
}

ge.graph @BNInference(%0: tensor<2x?x4xf16>, %1: tensor<3xf32>, %2: tensor<f32>) {
  // CHECK: ge.BNInference({{.*}} : tensor<2x3x4xf16>{{$}}
  %n = ge.BNInference(%0, %1, %1, %2, scale = %1, offset = %1) : tensor<*xf16>
  ge.NetOutput(%n)
}
