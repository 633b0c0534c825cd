// RUN: ge-opt %s --pipeline=conv-scale-fold | filecheck %s

// Either operand order, a scalar, a bias there already; a constant of another shape, two users and a
// constant minus the convolution stay.

// CHECK-LABEL: ge.graph @folded
// CHECK: %c_filter = ge.Const() {value = #ge.weight<mul("w", const({{.*}}2.0
// CHECK: %m_bias = ge.Const() {value = dense<[-1.0, -2.0, -3.0, -4.0]> : tensor<4xf32>}
// CHECK: %d = ge.Conv2D(%x, %c_filter, bias = %m_bias)
// CHECK-NOT: ge.Mul
// CHECK-NOT: ge.Sub
// CHECK: ge.NetOutput(%d)
ge.graph @folded(%x: tensor<1x4x8x8xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<4x4x3x3xf32>
  %s = ge.Const() {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %o = ge.Const() {value = dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf32>} : tensor<1x4x1x1xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x4x8x8xf32>
  %m = ge.Mul(%s, %c) : tensor<1x4x8x8xf32>
  %d = ge.Sub(%m, %o) : tensor<1x4x8x8xf32>
  ge.NetOutput(%d)
}

// CHECK-LABEL: ge.graph @kept
// CHECK: ge.Add(
// CHECK: ge.Mul(
// CHECK: ge.Sub(
ge.graph @kept(%x: tensor<1x4x8x8xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<4x4x1x1xf32>
  %o = ge.Const() {value = #ge.weight<"o">} : tensor<8xf32>
  %s = ge.Const() {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %a = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x4x8x8xf32>
  %b = ge.Add(%a, %o) : tensor<1x4x8x8xf32>
  %c = ge.Conv2D(%b, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x4x8x8xf32>
  %d = ge.Mul(%c, %s) : tensor<1x4x8x8xf32>
  %e = ge.Conv2D(%d, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x4x8x8xf32>
  %f = ge.Sub(%s, %e) : tensor<1x4x8x8xf32>
  ge.NetOutput(%f, %c)
}
