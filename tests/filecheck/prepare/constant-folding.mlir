// RUN: ge-opt %s --pipeline=constant-folding | filecheck %s
// RUN: ge-opt %s --pipeline="constant-folding{max-bytes=100}" | filecheck %s --check-prefix=LIMIT

// Exact and small: inline. Inexact, or large: a recipe. Random, effects and marked nodes stay. What
// a folded node waited for, its users wait for.

// CHECK-LABEL: ge.graph @inline
// CHECK: %d = ge.Const() {value = dense<[5, 7]> : tensor<2xi32>} : tensor<2xi32>
// CHECK: %q = ge.Const() {value = dense<[2.0, 3.0]> : tensor<2xf32>} : tensor<2xf32>
// CHECK: %e = ge.Const() {value = #ge.weight<exp(const([4.0, 9.0], f32))>} : tensor<2xf32>
// CHECK: %n = ge.Const() {value = dense<[2, 3]> : tensor<2xi32>} : tensor<2xi32>
ge.graph @inline(%x: tensor<2x3xf32>) {
  %a = ge.Const() {value = dense<[2, 3]> : tensor<2xi32>} : tensor<2xi32>
  %b = ge.Const() {value = dense<[3, 4]> : tensor<2xi32>} : tensor<2xi32>
  %d = ge.Add(%a, %b) : tensor<2xi32>
  %f = ge.Const() {value = dense<[4.0, 9.0]> : tensor<2xf32>} : tensor<2xf32>
  %q = ge.Sqrt(%f) : tensor<2xf32>
  %e = ge.Exp(%f) : tensor<2xf32>
  %n = ge.Shape(%x) : tensor<2xi32>
  ge.NetOutput(%d, %q, %e, %n)
}

// CHECK-LABEL: ge.graph @large
// CHECK: %t = ge.Const() {value = #ge.weight<transpose("w", [1, 0])>} : tensor<32x64xf32>
// CHECK: %p = ge.Const() {value = #ge.weight<splat(1.5, [1000], f32)>} : tensor<1000xf32>
// LIMIT-LABEL: ge.graph @large
// LIMIT: %t = ge.Const() {value = #ge.weight<transpose("w", [1, 0])>} : tensor<32x64xf32>
// LIMIT: %p = ge.Fill(
ge.graph @large() {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<64x32xf32>
  %t = ge.TransposeD(%w) {perm = [1, 0]} : tensor<32x64xf32>
  %n = ge.Const() {value = dense<[1000]> : tensor<1xi32>} : tensor<1xi32>
  %v = ge.Const() {value = dense<1.5> : tensor<f32>} : tensor<f32>
  %p = ge.Fill(%n, %v) : tensor<1000xf32>
  ge.NetOutput(%t, %p)
}

// CHECK-LABEL: ge.graph @kept
// CHECK: ge.RandomUniform(
// CHECK: ge.Neg(
ge.graph @kept() {
  %n = ge.Const() {value = dense<[3]> : tensor<1xi32>} : tensor<1xi32>
  %r = ge.RandomUniform(%n) {dtype = f32} : tensor<3xf32>
  %m = ge.Neg(%n) {ge.attr.no_need_constant_folding = false} : tensor<1xi32>
  ge.NetOutput(%r, %m)
}

// CHECK-LABEL: ge.graph @order
// CHECK: %done = ge.Print(%x)
// CHECK: ge.Print(%b) after(%done)
ge.graph @order(%x: tensor<2xi32>) {
  %done = ge.Print(%x) : !ge.ctrl
  %a = ge.Const() {value = dense<[2, 3]> : tensor<2xi32>} : tensor<2xi32>
  %b = ge.Neg(%a) after(%done) : tensor<2xi32>
  ge.Print(%b)
  ge.NetOutput()
}
