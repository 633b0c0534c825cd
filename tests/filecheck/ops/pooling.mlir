// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @MaxPool(%x: tensor<2x9x9x4xf32>) {
  // CHECK: ge.MaxPool({{.*}} : tensor<2x5x5x4xf32>{{$}}
  %y = ge.MaxPool(%x) {ksize = [1, 3, 3, 1], strides = [1, 2, 2, 1], padding = "SAME"} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @MaxPool_2(%x: tensor<2x8x8x4xf32>) {
  // CHECK: ge.MaxPool({{.*}} : tensor<2x3x3x4xf32>{{$}}
  %y = ge.MaxPool(%x) {ksize = [1, 3, 3, 1], strides = [1, 2, 2, 1], padding = "VALID"} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @AvgPool(%x: tensor<2x9x9x4xf32>) {
  // CHECK: ge.AvgPool({{.*}} : tensor<2x5x5x4xf32>{{$}}
  %y = ge.AvgPool(%x) {ksize = [1, 3, 3, 1], strides = [1, 2, 2, 1], padding = "SAME"} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @AvgPool_2(%x: tensor<2x8x8x4xf32>) {
  // CHECK: ge.AvgPool({{.*}} : tensor<2x3x3x4xf32>{{$}}
  %y = ge.AvgPool(%x) {ksize = [1, 3, 3, 1], strides = [1, 2, 2, 1], padding = "VALID"} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @MaxPoolV3(%x: tensor<2x4x8x8xf32>) {
  // CHECK: ge.MaxPoolV3({{.*}} : tensor<2x4x4x4xf32>{{$}}
  %y = ge.MaxPoolV3(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2], pads = [1, 1, 1, 1]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @MaxPoolV3_2(%x: tensor<2x4x8x8xf32>) {
  // CHECK: ge.MaxPoolV3({{.*}} : tensor<2x4x4x4xf32>{{$}}
  %y = ge.MaxPoolV3(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2], ceil_mode = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @AvgPoolV2(%x: tensor<2x4x8x8xf32>) {
  // CHECK: ge.AvgPoolV2({{.*}} : tensor<2x4x4x4xf32>{{$}}
  %y = ge.AvgPoolV2(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2], pads = [1, 1, 1, 1]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @AvgPoolV2_2(%x: tensor<2x4x8x8xf32>) {
  // CHECK: ge.AvgPoolV2({{.*}} : tensor<2x4x4x4xf32>{{$}}
  %y = ge.AvgPoolV2(%x) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2], ceil_mode = true} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @GlobalAveragePool(%x: tensor<2x4x9x9xf32>) {
  // CHECK: ge.GlobalAveragePool({{.*}} : tensor<2x4x1x1xf32>{{$}}
  %y = ge.GlobalAveragePool(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}
