// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ReduceSum(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ReduceSum({{.*}} : tensor<3xf32>{{$}}
  %y = ge.ReduceSum(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceSum_2(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.ReduceSum({{.*}} : tensor<2x1x4xf32>{{$}}
  %y = ge.ReduceSum(%x, %c0) {keep_dims = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceSumD(%x: tensor<2x?x4xf32>) {
  // CHECK: ge.ReduceSumD({{.*}} : tensor<2x?xf32>{{$}}
  %y = ge.ReduceSumD(%x) {axes = [2]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceSumD_2(%x: tensor<2x3xf32>) {
  // CHECK: ge.ReduceSumD({{.*}} : tensor<f32>{{$}}
  %y = ge.ReduceSumD(%x) {axes = []} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMean(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ReduceMean({{.*}} : tensor<3xf32>{{$}}
  %y = ge.ReduceMean(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMean_2(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.ReduceMean({{.*}} : tensor<2x1x4xf32>{{$}}
  %y = ge.ReduceMean(%x, %c0) {keep_dims = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMeanD(%x: tensor<2x?x4xf32>) {
  // CHECK: ge.ReduceMeanD({{.*}} : tensor<2x?xf32>{{$}}
  %y = ge.ReduceMeanD(%x) {axes = [2]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMeanD_2(%x: tensor<2x3xf32>) {
  // CHECK: ge.ReduceMeanD({{.*}} : tensor<f32>{{$}}
  %y = ge.ReduceMeanD(%x) {axes = []} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMax(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ReduceMax({{.*}} : tensor<3xf32>{{$}}
  %y = ge.ReduceMax(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMax_2(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.ReduceMax({{.*}} : tensor<2x1x4xf32>{{$}}
  %y = ge.ReduceMax(%x, %c0) {keep_dims = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMaxD(%x: tensor<2x?x4xf32>) {
  // CHECK: ge.ReduceMaxD({{.*}} : tensor<2x?xf32>{{$}}
  %y = ge.ReduceMaxD(%x) {axes = [2]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMaxD_2(%x: tensor<2x3xf32>) {
  // CHECK: ge.ReduceMaxD({{.*}} : tensor<f32>{{$}}
  %y = ge.ReduceMaxD(%x) {axes = []} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMin(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ReduceMin({{.*}} : tensor<3xf32>{{$}}
  %y = ge.ReduceMin(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMin_2(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.ReduceMin({{.*}} : tensor<2x1x4xf32>{{$}}
  %y = ge.ReduceMin(%x, %c0) {keep_dims = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMinD(%x: tensor<2x?x4xf32>) {
  // CHECK: ge.ReduceMinD({{.*}} : tensor<2x?xf32>{{$}}
  %y = ge.ReduceMinD(%x) {axes = [2]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceMinD_2(%x: tensor<2x3xf32>) {
  // CHECK: ge.ReduceMinD({{.*}} : tensor<f32>{{$}}
  %y = ge.ReduceMinD(%x) {axes = []} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceProd(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ReduceProd({{.*}} : tensor<3xf32>{{$}}
  %y = ge.ReduceProd(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceProd_2(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.ReduceProd({{.*}} : tensor<2x1x4xf32>{{$}}
  %y = ge.ReduceProd(%x, %c0) {keep_dims = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceProdD(%x: tensor<2x?x4xf32>) {
  // CHECK: ge.ReduceProdD({{.*}} : tensor<2x?xf32>{{$}}
  %y = ge.ReduceProdD(%x) {axes = [2]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceProdD_2(%x: tensor<2x3xf32>) {
  // CHECK: ge.ReduceProdD({{.*}} : tensor<f32>{{$}}
  %y = ge.ReduceProdD(%x) {axes = []} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ReduceAll(%x: tensor<2x3xi1>) {
  %c0 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.ReduceAll({{.*}} : tensor<2xi1>{{$}}
  %y = ge.ReduceAll(%x, %c0) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @ReduceAll_2(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.ReduceAll({{.*}} : tensor<2x1xi1>{{$}}
  %y = ge.ReduceAll(%x, %c0) {keep_dims = true} : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @ReduceAllD(%x: tensor<2x3xi1>) {
  // CHECK: ge.ReduceAllD({{.*}} : tensor<3xi1>{{$}}
  %y = ge.ReduceAllD(%x) {axes = [0]} : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @ReduceAny(%x: tensor<2x3xi1>) {
  %c0 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.ReduceAny({{.*}} : tensor<2xi1>{{$}}
  %y = ge.ReduceAny(%x, %c0) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @ReduceAny_2(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.ReduceAny({{.*}} : tensor<2x1xi1>{{$}}
  %y = ge.ReduceAny(%x, %c0) {keep_dims = true} : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @ReduceAnyD(%x: tensor<2x3xi1>) {
  // CHECK: ge.ReduceAnyD({{.*}} : tensor<3xi1>{{$}}
  %y = ge.ReduceAnyD(%x) {axes = [0]} : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @ReduceLogSumExp(%0: tensor<2x3x4xf32>) {
  %1 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ReduceLogSumExp({{.*}} : tensor<3xf32>{{$}}
  %n = ge.ReduceLogSumExp(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ReduceLogSumExp_2(%0: tensor<2x3xf16>, %1: tensor<1xi64>) {
  // CHECK: ge.ReduceLogSumExp({{.*}} : tensor<?x?xf16>{{$}}
  %n = ge.ReduceLogSumExp(%0, %1) {keep_dims = true} : tensor<*xf16>
  ge.NetOutput(%n)
}
