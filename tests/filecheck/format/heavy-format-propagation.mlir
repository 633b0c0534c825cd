// RUN: ge-opt %s --pipeline=engine-claim,heavy-format-propagation | filecheck %s

// The convolution's layout flows through Relu and the residual Add; one conversion of the input
// serves both readers, the filter is given its layout, the double-precision branch goes back to ND.
// CHECK: %trans_TransData_0 = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"{{.*}}} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
// CHECK-NOT: ge.TransData(%x)
// CHECK: ge.Const() {{.*}} : tensor<16x16x3x3xf16, #ge.layout<FRACTAL_Z>>
// CHECK: %conv = ge.Conv2D(%trans_TransData_0, %w){{.*}} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
// CHECK: %sum = ge.Add(%conv, %trans_TransData_0){{.*}} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
// CHECK: %trans_TransData_1 = ge.TransData(%sum) {src_format = "NC1HWC0", dst_format = "NCHW"{{.*}}} : tensor<1x16x8x8xf16>
// CHECK: %wide = ge.Cast(%trans_TransData_1){{.*}} : tensor<1x16x8x8xf64>
// CHECK: ge.NetOutput(%trans_TransData_1, %wide)
ge.graph @net(%x: tensor<1x16x8x8xf16>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<16x16x3x3xf16>
  %conv = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x16x8x8xf16>
  %sum = ge.Add(%conv, %x) : tensor<1x16x8x8xf16>
  %wide = ge.Cast(%sum) {dst_type = 11} : tensor<1x16x8x8xf64>
  ge.NetOutput(%sum, %wide)
}
