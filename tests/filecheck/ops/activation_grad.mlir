// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @GeluGrad(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<2x3x4xf32>) {
  // CHECK: ge.GeluGrad({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.GeluGrad(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GeluGrad_2(%0: tensor<2x?xf16>, %1: tensor<4xf16>, %2: tensor<2x4xf16>) {
  // CHECK: ge.GeluGrad({{.*}} : tensor<2x4xf16>{{$}}
  %n = ge.GeluGrad(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @SigmoidGrad(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>) {
  // CHECK: ge.SigmoidGrad({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.SigmoidGrad(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SigmoidGrad_2(%0: tensor<?x4xbf16>, %1: tensor<4xbf16>) {
  // CHECK: ge.SigmoidGrad({{.*}} : tensor<?x4xbf16>{{$}}
  %n = ge.SigmoidGrad(%0, %1) {complex_conj = true} : tensor<*xbf16>
  ge.NetOutput(%n)
}

ge.graph @TanhGrad(%0: tensor<2x3x4xf32>, %1: tensor<3x1xf32>) {
  // CHECK: ge.TanhGrad({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.TanhGrad(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @TanhGrad_2(%0: tensor<2xcomplex<f32>>, %1: tensor<2xcomplex<f32>>) {
  // CHECK: ge.TanhGrad({{.*}} : tensor<2xcomplex<f32>>{{$}}
  %n = ge.TanhGrad(%0, %1) {complex_conj = true} : tensor<*xcomplex<f32>>
  ge.NetOutput(%n)
}

ge.graph @SoftmaxGrad(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>) {
  // CHECK: ge.SoftmaxGrad({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.SoftmaxGrad(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SoftmaxGrad_2(%0: tensor<2x?x4xf16>, %1: tensor<?x3x4xf16>) {
  // CHECK: ge.SoftmaxGrad({{.*}} : tensor<2x3x4xf16>{{$}}
  %n = ge.SoftmaxGrad(%0, %1) {axes = [0, -1]} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @LogSoftmaxGrad(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>) {
  // CHECK: ge.LogSoftmaxGrad({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.LogSoftmaxGrad(%0, %1) {axis = [1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @LogSoftmaxGrad_2(%0: tensor<f32>, %1: tensor<f32>) {
  // CHECK: ge.LogSoftmaxGrad({{.*}} : tensor<f32>{{$}}
  %n = ge.LogSoftmaxGrad(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SwiGluGrad(%0: tensor<2x3xf32>, %1: tensor<2x6xf32>) {
  // CHECK: ge.SwiGluGrad({{.*}} : tensor<2x6xf32>{{$}}
  %n = ge.SwiGluGrad(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SwiGluGrad_2(%0: tensor<2x?xf16>, %1: tensor<?x3xf16>) {
  // CHECK: ge.SwiGluGrad({{.*}} : tensor<4x3xf16>{{$}}
  %n = ge.SwiGluGrad(%0, %1) {dim = 0} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @SoftmaxGradExt(%0: tensor<2x?x4xf16>, %1: tensor<?x3x4xf16>, %2: tensor<1xf16>) {
  // CHECK: ge.SoftmaxGradExt({{.*}}) {axes = -1} : tensor<2x3x4xf16>{{$}}
  %n = ge.SoftmaxGradExt(%0, %1, %2) {axes = -1} : tensor<*xf16>
  ge.NetOutput(%n)
}
