// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ROIPooling(%0: tensor<2x3x8x9xf32>, %1: tensor<4x5xf32>) {
  // CHECK: ge.ROIPooling({{.*}} : tensor<4x3x2x3xf32>{{$}}
  %n = ge.ROIPooling(%0, %1) {pooled_h = 2, pooled_w = 3, spatial_scale_h = 0.5, spatial_scale_w = 0.25} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ROIPooling_2(%0: tensor<2x3x8x9xf16>, %1: tensor<?x5x16xf16>, %2: tensor<2x8xi32>) {
  // CHECK: ge.ROIPooling({{.*}} : tensor<32x3x2x3xf16>{{$}}
  %n = ge.ROIPooling(%0, %1, roi_actual_num = %2) {pooled_h = 2, pooled_w = 3, spatial_scale_h = 0.5, spatial_scale_w = 0.25} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @PSROIPooling(%0: tensor<2x12x8x9xf32>, %1: tensor<2x5x4xf32>) {
  // CHECK: ge.PSROIPooling({{.*}} : tensor<8x3x2x2xf32>{{$}}
  %n = ge.PSROIPooling(%0, %1) {spatial_scale = 0.5, output_dim = 3, group_size = 2} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @PSROIPoolingV2(%0: tensor<?x?x8x9xf16>, %1: tensor<2x5x?xf16>) {
  // CHECK: ge.PSROIPoolingV2({{.*}} : tensor<?x3x2x2xf16>{{$}}
  %n = ge.PSROIPoolingV2(%0, %1) {spatial_scale = 0.5, output_dim = 3, group_size = 2} : tensor<*xf16>
  ge.NetOutput(%n)
}
