// RUN: ge-translate %s --to onnx --opset 21 | ge-translate - --weights %t.weights | filecheck %s
// RUN: not ge-translate %s --to onnx --opset 5 2>&1 | filecheck %s --check-prefix=OPSET

// OPSET: error: GX-337: opset 5 cannot be written

// CHECK-LABEL: ge.graph @net(%x: tensor<1x3x8x8xf32>) attributes {ge.output_names = ["pool"]}
ge.graph @net(%x: tensor<1x3x8x8xf32>) {
  // CHECK: %w = ge.Const() {value = #ge.weight<"w">} : tensor<4x3x3x3xf32>
  %w = ge.Const() {value = dense<0.5> : tensor<4x3x3x3xf32>} : tensor<4x3x3x3xf32>
  // CHECK: %conv = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"}
  %conv = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x4x8x8xf32>
  // CHECK: %act = ge.Relu(%conv) : tensor<1x4x8x8xf32>
  %act = ge.Relu(%conv) : tensor<1x4x8x8xf32>
  // CHECK: %pool = ge.MaxPoolV3(%act) {ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2]}
  %pool = ge.MaxPoolV3(%act) {ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2]} : tensor<1x4x4x4xf32>
  // CHECK: ge.NetOutput(%pool)
  ge.NetOutput(%pool)
}
