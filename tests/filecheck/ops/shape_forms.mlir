// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ShapeN(%0: tensor<2x?xf32>, %1: tensor<f16>, %2: tensor<*xi8>) {
  // CHECK: ge.ShapeN({{.*}} : tensor<2xi32>, tensor<0xi32>, tensor<?xi32>{{$}}
  %n, %n_1, %n_2 = ge.ShapeN(%0, %1, %2) : tensor<*xi32>, tensor<*xi32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @ShapeN_2(%0: tensor<2x3xf32>) {
  // CHECK: ge.ShapeN({{.*}} : tensor<2xi64>{{$}}
  %n = ge.ShapeN(%0) {dtype = 9} : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @GatherShapes(%0: tensor<2x?xf32>, %1: tensor<3xf16>) {
  // CHECK: ge.GatherShapes({{.*}} : tensor<2xi32>{{$}}
  %n = ge.GatherShapes(%0, %1) {axes = [[0, 1], [1, 0]]} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @BroadcastArgs() {
  %0 = ge.Const() {value = dense<[2, 1]> : tensor<2xi64>} : tensor<2xi64>
  %1 = ge.Const() {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.BroadcastArgs({{.*}} : tensor<2xi64>{{$}}
  %n = ge.BroadcastArgs(%0, %1) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @BroadcastArgs_2(%0: tensor<2xi32>, %1: tensor<3xi32>) {
  // CHECK: ge.BroadcastArgs({{.*}} : tensor<3xi32>{{$}}
  %n = ge.BroadcastArgs(%0, %1) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @BroadcastGradientArgs() {
  %0 = ge.Const() {value = dense<[2, 1, 1]> : tensor<3xi64>} : tensor<3xi64>
  %1 = ge.Const() {value = dense<[3, 1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.BroadcastGradientArgs({{.*}} : tensor<2xi64>, tensor<2xi64>{{$}}
  %n, %n_1 = ge.BroadcastGradientArgs(%0, %1) : tensor<*xi64>, tensor<*xi64>
  ge.NetOutput(%n, %n_1)
}

ge.graph @BroadcastGradientArgs_2(%0: tensor<2xi32>, %1: tensor<3xi32>) {
  // CHECK: ge.BroadcastGradientArgs({{.*}} : tensor<?xi32>, tensor<?xi32>{{$}}
  %n, %n_1 = ge.BroadcastGradientArgs(%0, %1) : tensor<*xi32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @ConcatOffset(%0: tensor<3xi32>, %1: tensor<3xi32>) {
  %2 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.ConcatOffset({{.*}} : tensor<3xi32>, tensor<3xi32>{{$}}
  %n, %n_1 = ge.ConcatOffset(%2, [%0, %1]) {N = 2} : tensor<*xi32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @FlattenV2(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.FlattenV2({{.*}} : tensor<2x12xf32>{{$}}
  %n = ge.FlattenV2(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @FlattenV2_2(%0: tensor<2x?x4x5xf16>) {
  // CHECK: ge.FlattenV2({{.*}} : tensor<2x?x5xf16>{{$}}
  %n = ge.FlattenV2(%0) {end_axis = 2} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Permute(%0: tensor<2x?x4xf32>) {
  // CHECK: ge.Permute({{.*}} : tensor<4x2x?xf32>{{$}}
  %n = ge.Permute(%0) {order = [2, 0, 1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SqueezeV2(%0: tensor<1x3x1xf32>) {
  // CHECK: ge.SqueezeV2({{.*}} : tensor<3xf32>{{$}}
  %n = ge.SqueezeV2(%0) {axis = [0, -1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SqueezeV2_2(%0: tensor<1x3x1xf32>) {
  // CHECK: ge.SqueezeV2({{.*}} : tensor<3xf32>{{$}}
  %n = ge.SqueezeV2(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @UnsqueezeV2(%0: tensor<3x?xf32>) {
  // CHECK: ge.UnsqueezeV2({{.*}} : tensor<1x3x1x?xf32>{{$}}
  %n = ge.UnsqueezeV2(%0) {axis = [0, 2]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @TransShape(%0: tensor<2x6xf32>) {
  // CHECK: ge.TransShape({{.*}} : tensor<3x4xf32>{{$}}
  %n = ge.TransShape(%0) {outShape = [3, 4]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ReFormat(%0: tensor<2x?xf32>) {
  // CHECK: ge.ReFormat({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.ReFormat(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}
