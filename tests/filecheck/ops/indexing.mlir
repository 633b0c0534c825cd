// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Slice(%x: tensor<4x5xf32>) {
  %c0 = ge.Const() {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %c1 = ge.Const() {value = dense<[2, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.Slice({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.Slice(%x, %c0, %c1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @SliceD(%x: tensor<4x5xf32>) {
  // CHECK: ge.SliceD({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.SliceD(%x) {offsets = [1, 2], size = [2, -1]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @StridedSlice(%x: tensor<4x5xf32>) {
  %c0 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %c1 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.StridedSlice({{.*}} : tensor<2x5xf32>{{$}}
  %y = ge.StridedSlice(%x, %c0, %c1, %c2) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @StridedSlice_2(%x0: tensor<4x5xf32>, %x1: tensor<1xi64>, %x2: tensor<1xi64>) {
  %c0 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.StridedSlice({{.*}} : tensor<?x5xf32>{{$}}
  %y = ge.StridedSlice(%x0, %x1, %x2, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @StridedSliceD(%x: tensor<4x5xf32>) {
  // CHECK: ge.StridedSliceD({{.*}} : tensor<4x5xf32>{{$}}
  %y = ge.StridedSliceD(%x) {begin = [-1, 0], end = [0, 9], strides = [-1, 1], end_mask = 1} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Gather(%x: tensor<4x5xf32>) {
  %c0 = ge.Const() {value = dense<[1, 0]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.Gather({{.*}} : tensor<2x5xf32>{{$}}
  %y = ge.Gather(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Gather_2(%x: tensor<2x4x5xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<2x3xi64>} : tensor<2x3xi64>
  // CHECK: ge.Gather({{.*}} : tensor<2x3x5xf32>{{$}}
  %y = ge.Gather(%x, %c0) {batch_dims = 1} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @GatherV2(%x: tensor<4x5xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<2x3xi64>} : tensor<2x3xi64>
  %c1 = ge.Const() {value = dense<-1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.GatherV2({{.*}} : tensor<4x2x3xf32>{{$}}
  %y = ge.GatherV2(%x, %c0, %c1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @GatherV2_2(%x0: tensor<4x5xf32>, %x1: tensor<2x3xi64>, %x2: tensor<i64>) {
  // CHECK: ge.GatherV2({{.*}} : tensor<?x?x?xf32>{{$}}
  %y = ge.GatherV2(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Slice_2(%0: tensor<4x5xf32>) {
  %1 = ge.Const() {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %2 = ge.Const() {value = dense<[2, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.Slice({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.Slice(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SliceD_2(%0: tensor<4x5xf32>) {
  // CHECK: ge.SliceD({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.SliceD(%0) {offsets = [1, 2], size = [2, -1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @StridedSliceD_2(%0: tensor<4x5xf32>) {
  // CHECK: ge.StridedSliceD({{.*}} : tensor<4x5xf32>{{$}}
  %n = ge.StridedSliceD(%0) {begin = [-1, 0], end = [0, 9], strides = [-1, 1], end_mask = 1} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @StridedSliceV2(%0: tensor<4x5xf32>) {
  %1 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %2 = ge.Const() {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %3 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %4 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.StridedSliceV2({{.*}} : tensor<4x2xf32>{{$}}
  %n = ge.StridedSliceV2(%0, %1, %2, axes = %3, strides = %4) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @StridedSliceV2_2(%0: tensor<4x5xf32>) {
  %1 = ge.Const() {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %2 = ge.Const() {value = dense<[-99]> : tensor<1xi64>} : tensor<1xi64>
  %3 = ge.Const() {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  %4 = ge.Const() {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.StridedSliceV2({{.*}} : tensor<4x5xf32>{{$}}
  %n = ge.StridedSliceV2(%0, %1, %2, axes = %3, strides = %4) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GatherElements(%0: tensor<3x4xf32>, %1: tensor<2x4xi64>) {
  // CHECK: ge.GatherElements({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.GatherElements(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GatherElements_2(%0: tensor<3x4xf16>, %1: tensor<3x?xi32>) {
  // CHECK: ge.GatherElements({{.*}} : tensor<3x?xf16>{{$}}
  %n = ge.GatherElements(%0, %1) {dim = -1} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @GatherNd(%0: tensor<3x4x5xf32>, %1: tensor<6x2xi64>) {
  // CHECK: ge.GatherNd({{.*}} : tensor<6x5xf32>{{$}}
  %n = ge.GatherNd(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GatherNd_2(%0: tensor<3x4xf32>) {
  %1 = ge.Const() {value = dense<[[0], [2]]> : tensor<2x1xi64>} : tensor<2x1xi64>
  // CHECK: ge.GatherNd({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.GatherNd(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}
