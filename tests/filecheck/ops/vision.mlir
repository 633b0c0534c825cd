// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @GridSampler2D(%0: tensor<2x3x4x5xf32>, %1: tensor<2x6x7x2xf32>) {
  // CHECK: ge.GridSampler2D({{.*}} : tensor<2x3x6x7xf32>{{$}}
  %n = ge.GridSampler2D(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GridSampler2D_2(%0: tensor<?x3x4x5xf16>, %1: tensor<2x6x?x2xf32>) {
  // CHECK: ge.GridSampler2D({{.*}} : tensor<2x3x6x?xf16>{{$}}
  %n = ge.GridSampler2D(%0, %1) {interpolation_mode = "bicubic", padding_mode = "reflection"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @GridSampler3D(%0: tensor<2x3x4x5x6xf32>, %1: tensor<2x3x6x7x3xf32>) {
  // CHECK: ge.GridSampler3D({{.*}} : tensor<2x3x3x6x7xf32>{{$}}
  %n = ge.GridSampler3D(%0, %1) {padding_mode = "border"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AffineGrid(%0: tensor<2x2x3xf32>) {
  %1 = ge.Const() {value = dense<[2, 3, 4, 5]> : tensor<4xi64>} : tensor<4xi64>
  // CHECK: ge.AffineGrid({{.*}} : tensor<2x4x5x2xf32>{{$}}
  %n = ge.AffineGrid(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AffineGrid_2(%0: tensor<?x3x4xf32>, %1: tensor<5xi64>) {
  // CHECK: ge.AffineGrid({{.*}} : tensor<?x?x?x?x3xf32>{{$}}
  %n = ge.AffineGrid(%0, %1) {align_corners = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ROIAlign(%0: tensor<2x3x8x9xf32>, %1: tensor<4x5xf32>) {
  // CHECK: ge.ROIAlign({{.*}} : tensor<4x3x2x3xf32>{{$}}
  %n = ge.ROIAlign(%0, %1) {spatial_scale = 0.5, pooled_height = 2, pooled_width = 3} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ROIAlign_2(%0: tensor<2x3x8x9xf16>, %1: tensor<?x5xf16>) {
  // CHECK: ge.ROIAlign({{.*}} : tensor<?x3x2x3xf16>{{$}}
  %n = ge.ROIAlign(%0, %1) {spatial_scale = 0.5, pooled_height = 2, pooled_width = 3, sample_num = 0, roi_end_mode = 2, pool_mode = "max"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @DeformableConv2D(%0: tensor<2x4x6x7xf32>, %1: tensor<6x2x3x3xf32>, %2: tensor<2x54x6x4xf32>, %3: tensor<6xf32>) {
  // CHECK: ge.DeformableConv2D({{.*}} : tensor<2x6x6x4xf32>{{$}}
  %n = ge.DeformableConv2D(%0, %1, %2, bias = %3) {strides = [1, 1, 1, 2], pads = [1, 1, 1, 1], groups = 2, data_format = "NCHW", deformable_groups = 2} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @DeformableConv2D_2(%0: tensor<2x4x6x7xf32>, %1: tensor<6x4x3x3xf32>, %2: tensor<2x18x?x4xf32>) {
  // CHECK: ge.DeformableConv2D({{.*}} : tensor<2x6x6x4xf32>{{$}}
  %n = ge.DeformableConv2D(%0, %1, %2) {strides = [1, 1, 1, 2], pads = [1, 1, 1, 1], data_format = "NCHW", modulated = false} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @HostCol2Im(%0: tensor<1x12x20xf32>) {
  %1 = ge.Const() {value = dense<[5, 7]> : tensor<2xi64>} : tensor<2xi64>
  %2 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.HostCol2Im({{.*}} : tensor<1x2x5x7xf32>{{$}}
  %n = ge.HostCol2Im(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @HostCol2Im_2(%0: tensor<1x5x6xf32>) {
  %1 = ge.Const() {value = dense<[5]> : tensor<1xi64>} : tensor<1xi64>
  %2 = ge.Const() {value = dense<[5]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.HostCol2Im({{.*}} : tensor<1x1x5xf32>{{$}}
  %n = ge.HostCol2Im(%0, %1, %2) {strides = [1], pads = [3, 2], dilations = [1]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GridSample(%0: tensor<2x3x4x5xf32>, %1: tensor<2x6x7x2xf32>) {
  // CHECK: ge.GridSample({{.*}} : tensor<2x3x6x7xf32>{{$}}
  %n = ge.GridSample(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GridSample_2(%0: tensor<2x3x4x5x6xf32>, %1: tensor<2x6x7x2x3xf32>) {
  // CHECK: ge.GridSample({{.*}} : tensor<2x3x6x7x2xf32>{{$}}
  %n = ge.GridSample(%0, %1) {interpolation_mode = "nearest"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @GridSampler3D_2(%0: tensor<2x3x2x3x4xf32>, %1: tensor<2x3x5x4x3xf32>) {
  // CHECK: ge.GridSampler3D({{.*}} : tensor<2x3x3x5x4xf32>{{$}}
  %n = ge.GridSampler3D(%0, %1) {padding_mode = "border"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @CropAndResize(%0: tensor<2x4x5x3xui8>, %1: tensor<?x4xf16>, %2: tensor<3xi32>) {
  %3 = ge.Const() {value = dense<[3, 2]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.CropAndResize({{.*}} : tensor<3x3x2x3xf16>{{$}}
  %n = ge.CropAndResize(%0, %1, %2, %3) : tensor<*xf16>
  ge.NetOutput(%n)
}
