// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @MaxPoolGrad(%0: tensor<2x5x4x3xf32>, %1: tensor<2x3x4x3xf32>, %2: tensor<2x3x4x3xf32>) {
  // CHECK: ge.MaxPoolGrad({{.*}} : tensor<2x5x4x3xf32>{{$}}
  %n = ge.MaxPoolGrad(%0, %1, %2) {ksize = [1, 3, 2, 1], strides = [1, 2, 1, 1], padding = "SAME"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MaxPoolGrad_2(%0: tensor<2x3x5x4xf32>, %1: tensor<2x3x2x3xf32>, %2: tensor<2x3x2x3xf32>) {
  // CHECK: ge.MaxPoolGrad({{.*}} : tensor<2x3x5x4xf32>{{$}}
  %n = ge.MaxPoolGrad(%0, %1, %2) {ksize = [1, 1, 3, 2], strides = [1, 1, 2, 1], padding = "VALID", data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AvgPoolGrad(%0: tensor<2x3x4x3xf32>) {
  %1 = ge.Const() {value = dense<[2, 5, 4, 3]> : tensor<4xi32>} : tensor<4xi32>
  // CHECK: ge.AvgPoolGrad({{.*}} : tensor<2x5x4x3xf32>{{$}}
  %n = ge.AvgPoolGrad(%1, %0) {ksize = [1, 3, 2, 1], strides = [1, 2, 1, 1], padding = "SAME"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AvgPoolGrad_2(%0: tensor<2x3x2x3xf32>) {
  %1 = ge.Const() {value = dense<[2, 3, 5, 4]> : tensor<4xi32>} : tensor<4xi32>
  // CHECK: ge.AvgPoolGrad({{.*}} : tensor<2x3x5x4xf32>{{$}}
  %n = ge.AvgPoolGrad(%1, %0) {ksize = [1, 1, 3, 2], strides = [1, 1, 2, 1], padding = "VALID", data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MaxPoolGradWithArgmax(%0: tensor<2x5x4x3xf32>, %1: tensor<2x3x4x3xf32>, %2: tensor<2x3x4x3xi64>) {
  // CHECK: ge.MaxPoolGradWithArgmax({{.*}} : tensor<2x5x4x3xf32>{{$}}
  %n = ge.MaxPoolGradWithArgmax(%0, %1, %2) {ksize = [1, 3, 2, 1], strides = [1, 2, 1, 1], padding = "SAME"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MaxPoolGradWithArgmax_2(%0: tensor<2x3x5x4xf32>, %1: tensor<2x3x2x3xf32>, %2: tensor<2x3x2x3xi32>) {
  // CHECK: ge.MaxPoolGradWithArgmax({{.*}} : tensor<2x3x5x4xf32>{{$}}
  %n = ge.MaxPoolGradWithArgmax(%0, %1, %2) {ksize = [1, 1, 3, 2], strides = [1, 1, 2, 1], padding = "VALID", include_batch_in_index = true, data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}
