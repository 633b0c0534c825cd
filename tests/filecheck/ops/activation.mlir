// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Elu(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Elu({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Elu(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Gelu(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Gelu({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Gelu(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @GeluV2(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.GeluV2({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.GeluV2(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @HardSigmoid(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.HardSigmoid({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.HardSigmoid(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @HardSwish(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.HardSwish({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.HardSwish(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @LeakyRelu(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.LeakyRelu({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.LeakyRelu(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @LogSoftmaxV2(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.LogSoftmaxV2({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.LogSoftmaxV2(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Mish(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Mish({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Mish(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Relu(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Relu({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Relu(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Relu6(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Relu6({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Relu6(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Selu(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Selu({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Selu(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Sigmoid(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Sigmoid({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Sigmoid(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @SoftmaxV2(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.SoftmaxV2({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.SoftmaxV2(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Softplus(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Softplus({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Softplus(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Softsign(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Softsign({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Softsign(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Swish(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Swish({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Swish(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Tanh(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Tanh({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Tanh(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Elu_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Elu({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Elu(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Gelu_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Gelu({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Gelu(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @GeluV2_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.GeluV2({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.GeluV2(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @HardSigmoid_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.HardSigmoid({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.HardSigmoid(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @HardSwish_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.HardSwish({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.HardSwish(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @LeakyRelu_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.LeakyRelu({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.LeakyRelu(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @LogSoftmaxV2_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.LogSoftmaxV2({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.LogSoftmaxV2(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Mish_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Mish({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Mish(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Relu_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Relu({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Relu(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Relu6_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Relu6({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Relu6(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Selu_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Selu({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Selu(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Sigmoid_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Sigmoid({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Sigmoid(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @SoftmaxV2_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.SoftmaxV2({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.SoftmaxV2(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Softplus_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Softplus({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Softplus(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Softsign_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Softsign({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Softsign(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Swish_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Swish({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Swish(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Tanh_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Tanh({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Tanh(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @PRelu(%x0: tensor<2x3x4xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.PRelu({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.PRelu(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @PRelu_2(%x0: tensor<2x3x4xf32>, %x1: tensor<1xf32>) {
  // CHECK: ge.PRelu({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.PRelu(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @SwiGlu(%0: tensor<2x3x8xf32>) {
  // CHECK: ge.SwiGlu({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.SwiGlu(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SwiGlu_2(%0: tensor<2x?x8xf16>) {
  // CHECK: ge.SwiGlu({{.*}} : tensor<2x?x8xf16>{{$}}
  %n = ge.SwiGlu(%0) {dim = 1} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ReluGrad(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) {
  // CHECK: ge.ReluGrad({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.ReluGrad(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ReluGrad_2(%0: tensor<?x3xi32>, %1: tensor<2x1xi32>) {
  // CHECK: ge.ReluGrad({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.ReluGrad(%0, %1) : tensor<*xi32>
  ge.NetOutput(%n)
}
