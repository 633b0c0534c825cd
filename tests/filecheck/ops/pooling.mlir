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

ge.graph @MaxPoolWithArgmax(%0: tensor<2x7x6x3xf32>) {
  // CHECK: ge.MaxPoolWithArgmax({{.*}} : tensor<2x4x3x3xf32>, tensor<2x4x3x3xi64>{{$}}
  %n, %n_1 = ge.MaxPoolWithArgmax(%0) {ksize = [1, 3, 2, 1], strides = [1, 2, 2, 1], padding = "SAME"} : tensor<*xf32>, tensor<*xi64>
  ge.NetOutput(%n, %n_1)
}

ge.graph @MaxPoolWithArgmax_2(%0: tensor<2x3x7x6xf16>) {
  // CHECK: ge.MaxPoolWithArgmax({{.*}} : tensor<2x3x3x5xf16>, tensor<2x3x3x5xi32>{{$}}
  %n, %n_1 = ge.MaxPoolWithArgmax(%0) {ksize = [1, 1, 3, 2], strides = [1, 1, 2, 1], padding = "VALID", Targmax = 3, include_batch_in_index = true, data_format = "NCHW", nan_prop = true} : tensor<*xf16>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @AdaptiveAvgPool2d(%0: tensor<2x3x7x5xf32>) {
  // CHECK: ge.AdaptiveAvgPool2d({{.*}} : tensor<2x3x3x7xf32>{{$}}
  %n = ge.AdaptiveAvgPool2d(%0) {output_size = [3, 7]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AdaptiveAvgPool2d_2(%0: tensor<3x?x5xf16>) {
  // CHECK: ge.AdaptiveAvgPool2d({{.*}} : tensor<3x1x2xf16>{{$}}
  %n = ge.AdaptiveAvgPool2d(%0) {output_size = [1, 2]} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @GlobalAveragePool_2(%0: tensor<2x4x9x9xf32>) {
  // CHECK: ge.GlobalAveragePool({{.*}} : tensor<2x4x1x1xf32>{{$}}
  %n = ge.GlobalAveragePool(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Pooling(%0: tensor<2x3x5x4xf32>) {
  // CHECK: ge.Pooling({{.*}} : tensor<2x3x3x4xf32>{{$}}
  %n = ge.Pooling(%0) {window = [3, 2], stride = [2, 1], pad = [1, 1, 0, 1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Pooling_2(%0: tensor<2x3x5x4xf32>) {
  // CHECK: ge.Pooling({{.*}} : tensor<2x3x3x3xf32>{{$}}
  %n = ge.Pooling(%0) {mode = 1, window = [2, 2], stride = [2, 2], pad = [0, 0, 1, 0]} : tensor<*xf32>
  ge.NetOutput(%n)
}
