// RUN: ge-opt %s --pipeline=conv-bn-fold | filecheck %s

// CHECK-LABEL: ge.graph @folded
// CHECK: %c_filter = ge.Const() {value = #ge.weight<cast(mul(cast("w", f32), reshape(div("g", sqrt(add("v", const([0.001], f32)))), [4, 1, 1, 1])), f16)>} : tensor<4x1x3x3xf16> loc("c_filter"("w"))
// CHECK: %c_bias = ge.Const() {value = #ge.weight<cast(add(mul(sub(cast("b", f32), "m"), div("g", sqrt(add("v", const([0.001], f32))))), "o"), f16)>}
// CHECK: %y = ge.Conv2D(%x, %c_filter, bias = %c_bias) {{.*}}groups = 2{{.*}} loc("y"(fused["y", "c"]))
// CHECK-NOT: ge.BNInfer
ge.graph @folded(%x: tensor<1x2x8x8xf16>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<4x1x3x3xf16>
  %b = ge.Const() {value = #ge.weight<"b">} : tensor<4xf16>
  %g = ge.Const() {value = #ge.weight<"g">} : tensor<4xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<4xf32>
  %m = ge.Const() {value = #ge.weight<"m">} : tensor<4xf32>
  %v = ge.Const() {value = #ge.weight<"v">} : tensor<4xf32>
  %c = ge.Conv2D(%x, %w, bias = %b) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], groups = 2, data_format = "NCHW"} : tensor<1x4x8x8xf16>
  %y = ge.BNInfer(%c, %g, %o, %m, %v) {epsilon = 0.001} : tensor<1x4x8x8xf16>
  ge.NetOutput(%y)
}

// CHECK-LABEL: ge.graph @two_users
// CHECK: ge.BNInfer
ge.graph @two_users(%x: tensor<1x4x8x8xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<4x4x1x1xf32>
  %g = ge.Const() {value = #ge.weight<"g">} : tensor<4xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x4x8x8xf32>
  %y = ge.BNInfer(%c, %g, %g, %g, %g) {epsilon = 0.001} : tensor<1x4x8x8xf32>
  ge.NetOutput(%y, %c)
}
