// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Concat(%x0: tensor<2x3xf32>, %x1: tensor<2x4xf32>) {
  %c0 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.Concat({{.*}} : tensor<2x7xf32>{{$}}
  %y = ge.Concat(%c0, [%x0, %x1]) {N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ConcatV2(%x0: tensor<2x3xf32>, %x1: tensor<2x4xf32>) {
  %c0 = ge.Const() {value = dense<-1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.ConcatV2({{.*}} : tensor<2x7xf32>{{$}}
  %y = ge.ConcatV2([%x0, %x1], %c0) {N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ConcatV2_2(%x0: tensor<2x3xf32>, %x1: tensor<2x4xf32>, %x2: tensor<i64>) {
  // CHECK: ge.ConcatV2({{.*}} : tensor<?x?xf32>{{$}}
  %y = ge.ConcatV2([%x0, %x1], %x2) {N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ConcatD(%x0: tensor<2x3xf32>, %x1: tensor<2x4xf32>) {
  // CHECK: ge.ConcatD({{.*}} : tensor<2x7xf32>{{$}}
  %y = ge.ConcatD(%x0, %x1) {concat_dim = 1, N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ConcatD_2(%x0: tensor<?x3xf32>, %x1: tensor<2x?xf32>) {
  // CHECK: ge.ConcatD({{.*}} : tensor<?x3xf32>{{$}}
  %y = ge.ConcatD(%x0, %x1) {concat_dim = 0, N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Pack(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) {
  // CHECK: ge.Pack({{.*}} : tensor<2x2x3xf32>{{$}}
  %y = ge.Pack(%x0, %x1) {axis = 1, N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Unpack(%x: tensor<2x3xf32>) {
  // CHECK: ge.Unpack({{.*}} : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>{{$}}
  %y0, %y1, %y2 = ge.Unpack(%x) {num = 3, axis = -1} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1, %y2)
}

ge.graph @Split(%x: tensor<4x3xf32>) {
  %c0 = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>
  // CHECK: ge.Split({{.*}} : tensor<2x3xf32>, tensor<2x3xf32>{{$}}
  %y0, %y1 = ge.Split(%c0, %x) {num_split = 2} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1)
}

ge.graph @Split_2(%x0: tensor<i32>, %x1: tensor<4x3xf32>) {
  // CHECK: ge.Split({{.*}} : tensor<?x?xf32>, tensor<?x?xf32>{{$}}
  %y0, %y1 = ge.Split(%x0, %x1) {num_split = 2} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1)
}

ge.graph @SplitD(%x: tensor<?x3xf32>) {
  // CHECK: ge.SplitD({{.*}} : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>{{$}}
  %y0, %y1, %y2 = ge.SplitD(%x) {split_dim = 1, num_split = 3} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1, %y2)
}

ge.graph @SplitV(%x: tensor<2x6xf32>) {
  %c0 = ge.Const() {value = dense<[1, -1]> : tensor<2xi64>} : tensor<2xi64>
  %c1 = ge.Const() {value = dense<1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.SplitV({{.*}} : tensor<2x1xf32>, tensor<2x5xf32>{{$}}
  %y0, %y1 = ge.SplitV(%x, %c0, %c1) {num_split = 2} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1)
}

ge.graph @SplitV_2(%x0: tensor<2x6xf32>, %x1: tensor<2xi64>) {
  %c0 = ge.Const() {value = dense<1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.SplitV({{.*}} : tensor<2x?xf32>, tensor<2x?xf32>{{$}}
  %y0, %y1 = ge.SplitV(%x0, %x1, %c0) {num_split = 2} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1)
}

ge.graph @Pad(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  // CHECK: ge.Pad({{.*}} : tensor<5x4xf32>{{$}}
  %y = ge.Pad(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Pad_2(%x0: tensor<2x3xf32>, %x1: tensor<2x2xi64>) {
  // CHECK: ge.Pad({{.*}} : tensor<?x?xf32>{{$}}
  %y = ge.Pad(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @PadD(%x: tensor<2x3xf32>) {
  // CHECK: ge.PadD({{.*}} : tensor<5x4xf32>{{$}}
  %y = ge.PadD(%x) {paddings = [[1, 2], [0, 1]]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @PadV3(%x0: tensor<2x3xf32>, %x1: tensor<f32>) {
  %c0 = ge.Const() {value = dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  // CHECK: ge.PadV3({{.*}} : tensor<5x4xf32>{{$}}
  %y = ge.PadV3(%x0, %c0, constant_values = %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @PadV3_2(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[1, 0, 2, 1]> : tensor<4xi64>} : tensor<4xi64>
  // CHECK: ge.PadV3({{.*}} : tensor<5x4xf32>{{$}}
  %y = ge.PadV3(%x, %c0) {paddings_contiguous = false} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Tile(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[2, 1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.Tile({{.*}} : tensor<4x3xf32>{{$}}
  %y = ge.Tile(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Tile_2(%x: tensor<2x3xf32>) {
  %c0 = ge.Const() {value = dense<[2, 2, 1]> : tensor<3xi64>} : tensor<3xi64>
  // CHECK: ge.Tile({{.*}} : tensor<2x4x3xf32>{{$}}
  %y = ge.Tile(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @TileD(%x: tensor<2x3xf32>) {
  // CHECK: ge.TileD({{.*}} : tensor<2x9xf32>{{$}}
  %y = ge.TileD(%x) {multiples = [1, 3]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Fill(%x: tensor<f16>) {
  %c0 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.Fill({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Fill(%c0, %x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Fill_2(%x0: tensor<2xi64>, %x1: tensor<f16>) {
  // CHECK: ge.Fill({{.*}} : tensor<?x?xf16>{{$}}
  %y = ge.Fill(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}
