// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @MatMul(%x0: tensor<2x3xf32>, %x1: tensor<3x4xf32>) {
  // CHECK: ge.MatMul({{.*}} : tensor<2x4xf32>{{$}}
  %y = ge.MatMul(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @MatMul_2(%x0: tensor<2x3xf16>, %x1: tensor<4x3xf16>, %x2: tensor<4xf16>) {
  // CHECK: ge.MatMul({{.*}} : tensor<2x4xf16>{{$}}
  %y = ge.MatMul(%x0, %x1, bias = %x2) {transpose_x2 = true} : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @MatMulV2(%x0: tensor<2x3xf32>, %x1: tensor<3x4xf32>) {
  // CHECK: ge.MatMulV2({{.*}} : tensor<2x4xf32>{{$}}
  %y = ge.MatMulV2(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @MatMulV2_2(%x0: tensor<2x3xf16>, %x1: tensor<4x3xf16>, %x2: tensor<4xf16>) {
  // CHECK: ge.MatMulV2({{.*}} : tensor<2x4xf16>{{$}}
  %y = ge.MatMulV2(%x0, %x1, bias = %x2) {transpose_x2 = true} : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @BatchMatMul(%x0: tensor<5x1x2x3xf32>, %x1: tensor<4x3x4xf32>) {
  // CHECK: ge.BatchMatMul({{.*}} : tensor<5x4x2x4xf32>{{$}}
  %y = ge.BatchMatMul(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @BatchMatMul_2(%x0: tensor<?x3x2xf32>, %x1: tensor<3x4xf32>) {
  // CHECK: ge.BatchMatMul({{.*}} : tensor<?x2x4xf32>{{$}}
  %y = ge.BatchMatMul(%x0, %x1) {adj_x1 = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @BatchMatMulV2(%x0: tensor<5x1x2x3xf32>, %x1: tensor<4x3x4xf32>) {
  // CHECK: ge.BatchMatMulV2({{.*}} : tensor<5x4x2x4xf32>{{$}}
  %y = ge.BatchMatMulV2(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @BatchMatMulV2_2(%x0: tensor<?x3x2xf32>, %x1: tensor<3x4xf32>) {
  // CHECK: ge.BatchMatMulV2({{.*}} : tensor<?x2x4xf32>{{$}}
  %y = ge.BatchMatMulV2(%x0, %x1) {adj_x1 = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @MatMulV3(%0: tensor<2x3xf32>, %1: tensor<4x3xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.MatMulV3({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.MatMulV3(%0, %1, bias = %2) {transpose_x2 = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MatMulV3_2(%0: tensor<?x3xf16>, %1: tensor<3x4xf16>) {
  // CHECK: ge.MatMulV3({{.*}} : tensor<?x4xf16>{{$}}
  %n = ge.MatMulV3(%0, %1) : tensor<*xf16>
  ge.NetOutput(%n)
}
