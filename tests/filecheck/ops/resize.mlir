// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Resize(%0: tensor<1x2x4x5xf32>) {
  %1 = ge.Const() {value = dense<[1.0, 1.0, 2.0, 0.5]> : tensor<4xf32>} : tensor<4xf32>
  // CHECK: ge.Resize({{.*}} : tensor<1x2x8x2xf32>{{$}}
  %n = ge.Resize(%0, scales = %1) {mode = "linear"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Resize_2(%0: tensor<1x2x4x5xf16>) {
  %1 = ge.Const() {value = dense<[1, 2, 7, 3]> : tensor<4xi64>} : tensor<4xi64>
  // CHECK: ge.Resize({{.*}} : tensor<1x2x7x3xf16>{{$}}
  %n = ge.Resize(%0, sizes = %1) {exclude_outside = 1, mode = "cubic"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ResizeNearestNeighborV2(%0: tensor<2x3x4x5xf32>) {
  %1 = ge.Const() {value = dense<[6, 9]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.ResizeNearestNeighborV2({{.*}} : tensor<2x3x6x9xf32>{{$}}
  %n = ge.ResizeNearestNeighborV2(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ResizeNearestNeighborV2_2(%0: tensor<2x?x4x5xui8>) {
  %1 = ge.Const() {value = dense<[6, 9]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.ResizeNearestNeighborV2({{.*}} : tensor<2x?x6x9xui8>{{$}}
  %n = ge.ResizeNearestNeighborV2(%0, %1) {half_pixel_centers = true} : tensor<*xui8>
  ge.NetOutput(%n)
}

ge.graph @ResizeBilinearV2(%0: tensor<2x3x4x5xf16>) {
  %1 = ge.Const() {value = dense<[6, 9]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.ResizeBilinearV2({{.*}} : tensor<2x3x6x9xf16>{{$}}
  %n = ge.ResizeBilinearV2(%0, %1) {align_corners = true} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ResizeBilinearV2_2(%0: tensor<2x3x4x5xui8>) {
  %1 = ge.Const() {value = dense<[6, 9]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.ResizeBilinearV2({{.*}} : tensor<2x3x6x9xf32>{{$}}
  %n = ge.ResizeBilinearV2(%0, %1) {half_pixel_centers = true} : tensor<*xf32>
  ge.NetOutput(%n)
}
