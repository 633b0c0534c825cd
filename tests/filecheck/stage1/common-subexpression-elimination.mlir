// RUN: ge-opt %s --pipeline=cse | filecheck %s
// RUN: ge-opt %s --pipeline=common-subexpression-elimination | filecheck %s

// Chains of duplicates merge in one sweep, bodies on their own; different control inputs, engines,
// effects, random nodes and marked nodes do not merge. Users and waiters move to the survivor.

// CHECK-LABEL: ge.graph @chain
// CHECK-COUNT-1: ge.Relu
// CHECK-COUNT-1: ge.Abs
// CHECK: ge.NetOutput(%c, %c)
ge.graph @chain(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%x) : tensor<4xf32>
  %c = ge.Abs(%a) : tensor<4xf32>
  %d = ge.Abs(%b) : tensor<4xf32>
  ge.NetOutput(%c, %d)
}

// CHECK-LABEL: ge.graph @control
// CHECK: %c, %c_done = ge.Abs(
// CHECK-NOT: ge.Abs
// CHECK: ge.Print(%x) after(%c_done)
// CHECK-COUNT-2: ge.Relu(
ge.graph @control(%x: tensor<4xf32>) {
  %c = ge.Abs(%x) : tensor<4xf32>
  %d, %d_done = ge.Abs(%x) : tensor<4xf32>, !ge.ctrl
  %p_done = ge.Print(%x) after(%d_done) : !ge.ctrl
  %e = ge.Relu(%x) : tensor<4xf32>
  %f = ge.Relu(%x) after(%p_done) : tensor<4xf32>
  ge.NetOutput(%c, %d, %e, %f)
}

// CHECK-LABEL: ge.graph @kept
// CHECK-COUNT-2: ge.RandomUniform(
// CHECK-COUNT-2: ge.Abs(
// CHECK-COUNT-2: ge.Neg(
// CHECK-COUNT-2: ge.Exp(
ge.graph @kept(%x: tensor<4xf32>) {
  %n = ge.Const() {value = dense<[4]> : tensor<1xi32>} : tensor<1xi32>
  %a = ge.RandomUniform(%n) {dtype = f32} : tensor<4xf32>
  %b = ge.RandomUniform(%n) {dtype = f32} : tensor<4xf32>
  %c = ge.Abs(%x) {ge.engine = "AIcoreEngine"} : tensor<4xf32>
  %d = ge.Abs(%x) {ge.engine = "DNN_VM_AICPU"} : tensor<4xf32>
  %e = ge.Neg(%x) {ge.attr.no_need_constant_folding = false} : tensor<4xf32>
  %f = ge.Neg(%x) {ge.attr.no_need_constant_folding = false} : tensor<4xf32>
  %g = ge.Exp(%x) : tensor<4xf32>
  %h = ge.Exp(%e) : tensor<4xf32>
  ge.NetOutput(%a, %b, %c, %d, %e, %f, %g, %h)
}

// CHECK-LABEL: ge.graph @body
// CHECK-COUNT-2: ge.Relu(
// CHECK-NOT: ge.Relu
ge.graph @body(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %c = ge.PartitionedCall(%a) : tensor<4xf32> f(%v) {
    %k = ge.Relu(%v) : tensor<4xf32>
    %l = ge.Relu(%v) : tensor<4xf32>
    %m = ge.Add(%k, %l) : tensor<4xf32>
    ge.NetOutput(%m)
  }
  ge.NetOutput(%c)
}
