// The text form: what is left out, what is kept, and the generic form.
// RUN: ge-opt %s | filecheck %s
// RUN: ge-opt %s | ge-opt | filecheck %s
// RUN: ge-opt %s --print-op-generic | ge-opt --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: ge-opt %s --print-debuginfo | filecheck %s --check-prefix=INFO

// CHECK: ge.graph @text(%x: tensor<1x16x8x8xf16>, %w: tensor<16x16x3x3xf16>) attributes {ge.batch = 1 : i64} {
// GENERIC: "ge.graph"() <{sym_name = "text"}> ({
// GENERIC-NEXT: ^bb0(%x: tensor<1x16x8x8xf16>, %w: tensor<16x16x3x3xf16>):
ge.graph @text(%x: tensor<1x16x8x8xf16>, %w: tensor<16x16x3x3xf16>) attributes {ge.batch = 1} {
  // defaults go, declared order comes, a name equal to the result's is not written
  // CHECK-NEXT: %c, %c_done = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x16x8x8xf16>, !ge.ctrl
  // GENERIC-NEXT: %c, %c_done = "ge.Conv2D"(%x, %w) <{
  // INFO: ge.Conv2D{{.*}} loc("c"("{{.*}}text.mlir":[[#]]:3))
  %c = ge.Conv2D(%x, %w) {data_format = "NCHW", pads = [1, 1, 1, 1], groups = 1, strides = [1, 1, 1, 1]} : tensor<1x16x8x8xf16> loc("c")
  // CHECK-NEXT: %r = ge.Relu(%c) after(%c_done) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16> loc("block/relu"("relu_1"))
  // GENERIC-NEXT: %r = "ge.Relu"(%c, %c_done) {ge.engine = "AIcoreEngine"} : (tensor<1x16x8x8xf16>, !ge.ctrl) -> tensor<1x16x8x8xf16>
  // INFO: ge.Relu{{.*}} loc("block/relu"(fused["relu_1", "{{.*}}text.mlir":[[#]]:3]))
  %r = ge.Relu(%c) after(%c) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16> loc("block/relu"("relu_1"))
  // CHECK-NEXT: %k = ge.Const() {value = dense<"0x007C003C"> : tensor<2xf16>} : tensor<2xf16>
  // GENERIC-NEXT: %k = "ge.Const"() <{value = dense<"0x007C003C"> : tensor<2xf16>}> : () -> tensor<2xf16>
  %k = ge.Const() {value = dense<[0x7C00, 1.0]> : tensor<2xf16>} : tensor<2xf16>
  // CHECK-NEXT: ge.NetOutput(%r, %k)
  // GENERIC-NEXT: "ge.NetOutput"(%r, %k)
  ge.NetOutput(%r, %k)
}
