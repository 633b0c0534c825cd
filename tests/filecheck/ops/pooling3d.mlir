// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @MaxPool3D(%0: tensor<2x4x6x7x8xf32>) {
  // CHECK: ge.MaxPool3D({{.*}} : tensor<2x4x3x4x4xf32>{{$}}
  %n = ge.MaxPool3D(%0) {ksize = [1, 1, 2, 3, 3], strides = [1, 1, 2, 2, 2], padding = "CALCULATED", pads = [0, 0, 1, 1, 1, 1], data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MaxPool3D_2(%0: tensor<2x4x6x7x8xf32>) {
  // CHECK: ge.MaxPool3D({{.*}} : tensor<2x4x3x4x4xf32>{{$}}
  %n = ge.MaxPool3D(%0) {ksize = [1, 1, 2, 3, 3], strides = [1, 1, 2, 2, 2], padding = "SAME", data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MaxPool3DWithArgmaxV2(%0: tensor<2x4x6x7x8xf32>) {
  // CHECK: ge.MaxPool3DWithArgmaxV2({{.*}} : tensor<2x4x3x3x3xf32>, tensor<2x4x3x3x3xi64>{{$}}
  %n, %n_1 = ge.MaxPool3DWithArgmaxV2(%0) {ksize = [1, 1, 2, 3, 3], strides = [1, 1, 2, 2, 2], dtype = 9} : tensor<*xf32>, tensor<*xi64>
  ge.NetOutput(%n, %n_1)
}

ge.graph @MaxPool3DWithArgmaxV2_2(%0: tensor<2x?x6x7x8xf16>) {
  // CHECK: ge.MaxPool3DWithArgmaxV2({{.*}} : tensor<2x?x3x4x5xf16>, tensor<2x?x3x4x5xi32>{{$}}
  %n, %n_1 = ge.MaxPool3DWithArgmaxV2(%0) {ksize = [1, 1, 2, 3, 3], strides = [1, 1, 2, 2, 2], pads = [0, 1, 1], ceil_mode = true} : tensor<*xf16>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @AvgPool3D(%0: tensor<2x4x6x7x8xf32>) {
  // CHECK: ge.AvgPool3D({{.*}} : tensor<2x4x3x4x4xf32>{{$}}
  %n = ge.AvgPool3D(%0) {ksize = [1, 1, 2, 3, 3], strides = [1, 1, 2, 2, 2], pads = [0, 0, 1, 1, 1, 1], data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AvgPool3D_2(%0: tensor<2x4x?x7x8xf32>) {
  // CHECK: ge.AvgPool3D({{.*}} : tensor<2x4x?x3x4xf32>{{$}}
  %n = ge.AvgPool3D(%0) {ksize = [1, 1, 2, 3, 3], strides = [1, 1, 2, 2, 2], pads = [0, 0, 0, 0, 0, 0], ceil_mode = true, count_include_pad = false, data_format = "NCDHW"} : tensor<*xf32>
  ge.NetOutput(%n)
}
