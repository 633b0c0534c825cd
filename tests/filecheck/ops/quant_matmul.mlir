// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @QuantBatchMatmul(%0: tensor<2x3xi8>, %1: tensor<3x4xi8>, %2: tensor<4xi32>, %3: tensor<4xui64>) {
  // CHECK: ge.QuantBatchMatmul({{.*}} : tensor<2x4xf16>{{$}}
  %n = ge.QuantBatchMatmul(%0, %1, %2, %3) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @QuantBatchMatmul_2(%0: tensor<5x3x2xi8>, %1: tensor<?x4x3xi8>, %2: tensor<1xi32>, %3: tensor<1xui64>) {
  // CHECK: ge.QuantBatchMatmul({{.*}} : tensor<5x2x4xf16>{{$}}
  %n = ge.QuantBatchMatmul(%0, %1, %2, %3) {adj_x1 = true, adj_x2 = true} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @QuantBatchMatmulV3(%0: tensor<2x3xi8>, %1: tensor<3x4xi8>, %2: tensor<4xui64>) {
  // CHECK: ge.QuantBatchMatmulV3({{.*}} : tensor<2x4xf16>{{$}}
  %n = ge.QuantBatchMatmulV3(%0, %1, %2) {dtype = 1} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @QuantBatchMatmulV3_2(%0: tensor<2x3xi8>, %1: tensor<4x3xi8>, %2: tensor<1xf32>, %3: tensor<4xi32>, %4: tensor<2xf32>) {
  // CHECK: ge.QuantBatchMatmulV3({{.*}} : tensor<2x4xbf16>{{$}}
  %n = ge.QuantBatchMatmulV3(%0, %1, %2, bias = %3, pertoken_scale = %4) {dtype = 27, transpose_x2 = true} : tensor<*xbf16>
  ge.NetOutput(%n)
}

ge.graph @WeightQuantBatchMatmulV2(%0: tensor<2x3xf16>, %1: tensor<3x4xi8>, %2: tensor<4xf16>) {
  // CHECK: ge.WeightQuantBatchMatmulV2({{.*}} : tensor<2x4xf16>{{$}}
  %n = ge.WeightQuantBatchMatmulV2(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @WeightQuantBatchMatmulV2_2(%0: tensor<3x?xbf16>, %1: tensor<4x3xi8>, %2: tensor<4x2xbf16>, %3: tensor<4x2xbf16>, %4: tensor<4xf32>) {
  // CHECK: ge.WeightQuantBatchMatmulV2({{.*}} : tensor<?x4xbf16>{{$}}
  %n = ge.WeightQuantBatchMatmulV2(%0, %1, %2, antiquant_offset = %3, bias = %4) {transpose_x = true, transpose_weight = true, antiquant_group_size = 2} : tensor<*xbf16>
  ge.NetOutput(%n)
}
