// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @LpNorm(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.LpNorm({{.*}} : tensor<f32>{{$}}
  %n = ge.LpNorm(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @LpNorm_2(%0: tensor<2x?x4xf16>) {
  // CHECK: ge.LpNorm({{.*}} : tensor<1x?x1xf16>{{$}}
  %n = ge.LpNorm(%0) {p = 1, axes = [0, -1], keepdim = true} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @LpNormV2(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.LpNormV2({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.LpNormV2(%0) {p = 2.5, axes = [1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @LpNormV2_2(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.LpNormV2({{.*}} : tensor<3xf32>{{$}}
  %n = ge.LpNormV2(%0) {p = 0xff800000 : f32, axes = [-1, 0]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ReduceLogSum(%0: tensor<2x3x4xf32>) {
  %1 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.ReduceLogSum({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.ReduceLogSum(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ReduceLogSum_2(%0: tensor<2x?xf16>) {
  %1 = ge.Const() {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  // CHECK: ge.ReduceLogSum({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.ReduceLogSum(%0, %1) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ReduceMeanWithCast(%0: tensor<2x3x4xf32>) {
  %1 = ge.Const() {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.ReduceMeanWithCast({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.ReduceMeanWithCast(%0, %1) {dtype = f16} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ReduceMeanWithCast_2(%0: tensor<2x?xi32>) {
  %1 = ge.Const() {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ReduceMeanWithCast({{.*}} : tensor<1x1xi32>{{$}}
  %n = ge.ReduceMeanWithCast(%0, %1) {keep_dims = true} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @ReduceStdV2(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.ReduceStdV2({{.*}} : tensor<3xf32>, tensor<3xf32>{{$}}
  %n, %n_1 = ge.ReduceStdV2(%0) {dim = [0, 2]} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @ReduceStdV2_2(%0: tensor<2x?xf16>) {
  // CHECK: ge.ReduceStdV2({{.*}} : tensor<1x1xf16>, tensor<1x1xf16>{{$}}
  %n, %n_1 = ge.ReduceStdV2(%0) {correction = 0, keepdim = true} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @ReduceStdWithMean(%0: tensor<2x3x4xf32>, %1: tensor<1x3x1xf32>) {
  // CHECK: ge.ReduceStdWithMean({{.*}} : tensor<3xf32>{{$}}
  %n = ge.ReduceStdWithMean(%0, %1) {dim = [0, 2]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ReduceStdWithMean_2(%0: tensor<2x?xf16>, %1: tensor<2x3xf16>) {
  // CHECK: ge.ReduceStdWithMean({{.*}} : tensor<2xf16>{{$}}
  %n = ge.ReduceStdWithMean(%0, %1) {dim = [1], unbiased = false} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @SquareSumV1(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.SquareSumV1({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.SquareSumV1(%0) {axis = [1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SquareSumV1_2(%0: tensor<2x?xf16>) {
  // CHECK: ge.SquareSumV1({{.*}} : tensor<1x1xf16>{{$}}
  %n = ge.SquareSumV1(%0) {axis = [], keep_dims = true} : tensor<*xf16>
  ge.NetOutput(%n)
}
