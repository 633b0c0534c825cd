// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @DepthToSpace(%0: tensor<1x2x3x8xf32>) {
  // CHECK: ge.DepthToSpace({{.*}} : tensor<1x4x6x2xf32>{{$}}
  %n = ge.DepthToSpace(%0) {block_size = 2} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @DepthToSpace_2(%0: tensor<?x8x2x?xf16>) {
  // CHECK: ge.DepthToSpace({{.*}} : tensor<?x2x4x?xf16>{{$}}
  %n = ge.DepthToSpace(%0) {block_size = 2, mode = "CRD", data_format = "NCHW"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @SpaceToDepth(%0: tensor<1x4x6x2xf32>) {
  // CHECK: ge.SpaceToDepth({{.*}} : tensor<1x2x3x8xf32>{{$}}
  %n = ge.SpaceToDepth(%0) {block_size = 2} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SpaceToDepth_2(%0: tensor<?x2x4x?xi8>) {
  // CHECK: ge.SpaceToDepth({{.*}} : tensor<?x8x2x?xi8>{{$}}
  %n = ge.SpaceToDepth(%0) {block_size = 2, data_format = "NCHW"} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @Roll(%0: tensor<2x3xf32>) {
  // CHECK: ge.Roll({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.Roll(%0) {shifts = [4]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Roll_2(%0: tensor<2x?xf32>) {
  // CHECK: ge.Roll({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Roll(%0) {shifts = [1, -1], dims = [0, -1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MirrorPad(%0: tensor<2x3xf32>) {
  %1 = ge.Const() {value = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  // CHECK: ge.MirrorPad({{.*}} : tensor<3x6xf32>{{$}}
  %n = ge.MirrorPad(%0, %1) {mode = "REFLECT"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MirrorPad_2(%0: tensor<2x?xf32>, %1: tensor<2x2xi32>) {
  // CHECK: ge.MirrorPad({{.*}} : tensor<?x?xf32>{{$}}
  %n = ge.MirrorPad(%0, %1) {mode = "SYMMETRIC"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SplitVD(%0: tensor<2x6xf32>) {
  // CHECK: ge.SplitVD({{.*}} : tensor<2x1xf32>, tensor<2x5xf32>{{$}}
  %n, %n_1 = ge.SplitVD(%0) {size_splits = [1, -1], split_dim = 1, num_split = 2} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @TensorMove(%0: tensor<2x?xf32>) {
  // CHECK: ge.TensorMove({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.TensorMove(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}
