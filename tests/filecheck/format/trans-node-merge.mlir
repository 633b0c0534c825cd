// RUN: ge-opt %s --pipeline=trans-node-merge | filecheck %s

// CHECK: %w = ge.Const() {value = #ge.weight<"w">} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>>
// CHECK: %a = ge.TransData(%x)
// CHECK-NOT: ge.TransData
// CHECK: %conv = ge.Conv2D(%a, %w)
// CHECK: %sum = ge.Add(%conv, %a)
// CHECK: ge.NetOutput(%x, %sum)
ge.graph @net(%x: tensor<1x16x8x8xf16>) {
  %c = ge.Const() {value = #ge.weight<"w">} : tensor<16x16x1x1xf16>
  %w = ge.TransData(%c) {src_format = "NCHW", dst_format = "FRACTAL_Z"} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>>
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %b = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %back = ge.TransData(%b) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<1x16x8x8xf16>
  %conv = ge.Conv2D(%a, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %sum = ge.Add(%conv, %b) : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  ge.NetOutput(%back, %sum)
}
