// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @BiasAddGrad(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.BiasAddGrad({{.*}} : tensor<4xf32>{{$}}
  %n = ge.BiasAddGrad(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @BiasAddGrad_2(%0: tensor<2x?x4xi32>) {
  // CHECK: ge.BiasAddGrad({{.*}} : tensor<?xi32>{{$}}
  %n = ge.BiasAddGrad(%0) {data_format = "NCHW"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @L2Loss(%0: tensor<2x?xf32>) {
  // CHECK: ge.L2Loss({{.*}} : tensor<f32>{{$}}
  %n = ge.L2Loss(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MseLoss(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>) {
  // CHECK: ge.MseLoss({{.*}} : tensor<f32>{{$}}
  %n = ge.MseLoss(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MseLoss_2(%0: tensor<2x?xf16>, %1: tensor<2x3xf16>) {
  // CHECK: ge.MseLoss({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.MseLoss(%0, %1) {reduction = "none"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @MseLossGrad(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<f32>) {
  // CHECK: ge.MseLossGrad({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.MseLossGrad(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MseLossGrad_2(%0: tensor<2x3x4xf32>, %1: tensor<2x?x4xf32>, %2: tensor<2x3x4xf32>) {
  // CHECK: ge.MseLossGrad({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.MseLossGrad(%0, %1, %2) {reduction = "none"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @NLLLoss(%0: tensor<4x3xf32>, %1: tensor<4xi32>, %2: tensor<3xf32>) {
  // CHECK: ge.NLLLoss({{.*}} : tensor<f32>, tensor<f32>{{$}}
  %n, %n_1 = ge.NLLLoss(%0, %1, weight = %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @NLLLoss_2(%0: tensor<?x3xf16>, %1: tensor<4xi64>) {
  // CHECK: ge.NLLLoss({{.*}} : tensor<4xf16>, tensor<f16>{{$}}
  %n, %n_1 = ge.NLLLoss(%0, %1) {reduction = "none"} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @NLLLossGrad(%0: tensor<4x3xf32>, %1: tensor<f32>, %2: tensor<4xi32>, %3: tensor<3xf32>, %4: tensor<1xf32>) {
  // CHECK: ge.NLLLossGrad({{.*}} : tensor<4x3xf32>{{$}}
  %n = ge.NLLLossGrad(%0, %1, %2, %3, %4) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @NLLLossGrad_2(%0: tensor<2x3x5xf32>, %1: tensor<2x5xf32>, %2: tensor<2x5xi32>, %3: tensor<3xf32>, %4: tensor<f32>) {
  // CHECK: ge.NLLLossGrad({{.*}} : tensor<2x3x5xf32>{{$}}
  %n = ge.NLLLossGrad(%0, %1, %2, %3, %4) {reduction = "none"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SigmoidCrossEntropyWithLogits(%0: tensor<2x3x4xf32>, %1: tensor<2x?x4xf32>) {
  // CHECK: ge.SigmoidCrossEntropyWithLogits({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.SigmoidCrossEntropyWithLogits(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SigmoidCrossEntropyWithLogits_2(%0: tensor<?xbf16>, %1: tensor<?xbf16>) {
  // CHECK: ge.SigmoidCrossEntropyWithLogits({{.*}} : tensor<?xbf16>{{$}}
  %n = ge.SigmoidCrossEntropyWithLogits(%0, %1) : tensor<*xbf16>
  ge.NetOutput(%n)
}

ge.graph @SmoothL1Loss(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>) {
  // CHECK: ge.SmoothL1Loss({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.SmoothL1Loss(%0, %1) {sigma = 0.5} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SmoothL1Loss_2(%0: tensor<2x?xf16>, %1: tensor<?x3xf16>) {
  // CHECK: ge.SmoothL1Loss({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.SmoothL1Loss(%0, %1) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @SoftmaxCrossEntropyLoss(%0: tensor<4x3xf32>, %1: tensor<4xi64>) {
  // CHECK: ge.SoftmaxCrossEntropyLoss({{.*}} : tensor<f32>, tensor<4x3xf32>{{$}}
  %n, %n_1 = ge.SoftmaxCrossEntropyLoss(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @SoftmaxCrossEntropyLoss_2(%0: tensor<2x3x5xf32>, %1: tensor<2x5xi32>, %2: tensor<3xf32>) {
  // CHECK: ge.SoftmaxCrossEntropyLoss({{.*}} : tensor<2x5xf32>, tensor<2x3x5xf32>{{$}}
  %n, %n_1 = ge.SoftmaxCrossEntropyLoss(%0, %1, weights = %2) {ignore_index = 2, reduction = "none"} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @SoftmaxCrossEntropyWithLogits(%0: tensor<4x3xf32>, %1: tensor<4x3xf32>) {
  // CHECK: ge.SoftmaxCrossEntropyWithLogits({{.*}} : tensor<4xf32>, tensor<4x3xf32>{{$}}
  %n, %n_1 = ge.SoftmaxCrossEntropyWithLogits(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @SoftmaxCrossEntropyWithLogits_2(%0: tensor<?x3xf16>, %1: tensor<1x3xf16>) {
  // CHECK: ge.SoftmaxCrossEntropyWithLogits({{.*}} : tensor<?xf16>, tensor<?x3xf16>{{$}}
  %n, %n_1 = ge.SoftmaxCrossEntropyWithLogits(%0, %1) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @SparseSoftmaxCrossEntropyWithLogits(%0: tensor<?x3xf32>, %1: tensor<4xi32>) {
  // CHECK: ge.SparseSoftmaxCrossEntropyWithLogits({{.*}} : tensor<4xf32>, tensor<4x3xf32>{{$}}
  %n, %n_1 = ge.SparseSoftmaxCrossEntropyWithLogits(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @SparseSoftmaxCrossEntropyWithLogits_2(%0: tensor<2x3xf16>, %1: tensor<?xi64>) {
  // CHECK: ge.SparseSoftmaxCrossEntropyWithLogits({{.*}} : tensor<2xf16>, tensor<2x3xf16>{{$}}
  %n, %n_1 = ge.SparseSoftmaxCrossEntropyWithLogits(%0, %1) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}
