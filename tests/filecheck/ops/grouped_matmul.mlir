// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @BatchMatMulV3(%0: tensor<5x1x2x3xf16>, %1: tensor<4x3x4xf16>, %2: tensor<4xf32>) {
  // CHECK: ge.BatchMatMulV3({{.*}} : tensor<5x4x2x4xf16>{{$}}
  %n = ge.BatchMatMulV3(%0, %1, bias = %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @BatchMatMulV3_2(%0: tensor<?x3x2xf32>, %1: tensor<3x4xf32>) {
  // CHECK: ge.BatchMatMulV3({{.*}} : tensor<?x2x4xf32>{{$}}
  %n = ge.BatchMatMulV3(%0, %1) {adj_x1 = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @FullyConnection(%0: tensor<2x3x1x2xf16>, %1: tensor<4x3x1x2xf16>, %2: tensor<4xf16>) {
  // CHECK: ge.FullyConnection({{.*}} : tensor<2x4xf16>{{$}}
  %n = ge.FullyConnection(%0, %1, b = %2) {num_output = 4} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @FullyConnection_2(%0: tensor<2x3x4xi8>, %1: tensor<4x5xi8>, %2: tensor<5xi32>) {
  // CHECK: ge.FullyConnection({{.*}} : tensor<2x3x5xi32>{{$}}
  %n = ge.FullyConnection(%0, %1, b = %2) {num_output = 5, transpose = true, axis = 2} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @GEMM(%0: tensor<2x3xf16>, %1: tensor<3x4xf16>, %2: tensor<2x4xf32>, %3: tensor<f32>, %4: tensor<1xf32>) {
  // CHECK: ge.GEMM({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.GEMM(%0, %1, %2, %3, %4) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GEMM_2(%0: tensor<3x2xi8>, %1: tensor<4x3xi8>, %2: tensor<2x4xi32>, %3: tensor<i32>, %4: tensor<i32>) {
  // CHECK: ge.GEMM({{.*}} : tensor<2x4xi32>{{$}}
  %n = ge.GEMM(%0, %1, %2, %3, %4) {transpose_a = true, transpose_b = true} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @TransposeBatchMatMul(%0: tensor<2x5x3xf16>, %1: tensor<5x3x4xf16>) {
  // CHECK: ge.TransposeBatchMatMul({{.*}} : tensor<2x5x4xf16>{{$}}
  %n = ge.TransposeBatchMatMul(%0, %1) {perm_x1 = [1, 0, 2], perm_y = [1, 0, 2]} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @TransposeBatchMatMul_2(%0: tensor<4x2x3xf16>, %1: tensor<4x3x5xf16>) {
  // CHECK: ge.TransposeBatchMatMul({{.*}} : tensor<2x2x10xf16>{{$}}
  %n = ge.TransposeBatchMatMul(%0, %1) {perm_y = [1, 0, 2], batch_split_factor = 2} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @GroupedMatmul(%0: tensor<2x3xf16>, %1: tensor<4x5xf16>, %2: tensor<3x6xf16>, %3: tensor<5x7xf16>) {
  // CHECK: ge.GroupedMatmul({{.*}} : tensor<2x6xf16>, tensor<4x7xf16>{{$}}
  %n, %n_1 = ge.GroupedMatmul([%0, %1], [%2, %3], [], [], [], [], []) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @GroupedMatmul_2(%0: tensor<4x3xf32>, %1: tensor<2x3x5xf32>, %2: tensor<2x5xf32>) {
  %3 = ge.Const() {value = dense<[1, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.GroupedMatmul({{.*}} : tensor<4x5xf32>{{$}}
  %n = ge.GroupedMatmul([%0], [%1], [%2], [], [], [], [], group_list = %3) {split_item = 3, group_type = 0} : tensor<*xf32>
  ge.NetOutput(%n)
}
