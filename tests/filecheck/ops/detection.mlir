// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @NonMaxSuppressionV6(%0: tensor<1x6x4xf32>, %1: tensor<1x2x6xf32>, %2: tensor<f32>, %3: tensor<f32>) {
  %4 = ge.Const() {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.NonMaxSuppressionV6({{.*}} : tensor<?x3xi32>{{$}}
  %n = ge.NonMaxSuppressionV6(%0, %1, max_output_size = %4, iou_threshold = %2, score_threshold = %3) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @NonMaxSuppressionV6_2(%0: tensor<1x6x4xf32>, %1: tensor<1x2x6xf32>) {
  // CHECK: ge.NonMaxSuppressionV6({{.*}} : tensor<?x3xi32>{{$}}
  %n = ge.NonMaxSuppressionV6(%0, %1) {center_point_box = 1} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @NonMaxSuppressionV3(%0: tensor<6x4xf32>, %1: tensor<6xf16>, %2: tensor<i32>, %3: tensor<f32>) {
  // CHECK: ge.NonMaxSuppressionV3({{.*}} : tensor<?xi32>{{$}}
  %n = ge.NonMaxSuppressionV3(%0, %1, %2, %3, %3) : tensor<*xi32>
  ge.NetOutput(%n)
}
