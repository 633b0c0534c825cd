// RUN: ge-opt %s --pipeline=prune | filecheck %s
// RUN: ge-opt %s --pipeline=dce | filecheck %s

// CHECK-LABEL: ge.graph @main
// CHECK:      %d = ge.Data(%y)
// CHECK:      ge.Print(%x)
// CHECK:      %o = ge.Opaque(
// CHECK-NEXT: %k = ge.Neg(%x) {ge.attr._force_skip_prune = true}
// CHECK-NEXT: %w, %w_done = ge.Abs(
// CHECK-NEXT: ge.Print(%x) after(
// CHECK-NOT:  ge.Exp
// CHECK:      ge.PartitionedCall(
// CHECK-NOT:  ge.Relu
// CHECK:        ge.NetOutput(%v)
ge.graph @main(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %d = ge.Data(%y) {index = 1} : tensor<4xf32>
  %p_done = ge.Print(%x) : !ge.ctrl
  %o = ge.Opaque(%x) {type = "Mystery"} : tensor<4xf32>
  %k = ge.Neg(%x) {ge.attr._force_skip_prune = true} : tensor<4xf32>
  %w, %w_done = ge.Abs(%x) : tensor<4xf32>, !ge.ctrl
  ge.Print(%x) after(%w_done, %p_done)
  %e = ge.Exp(%x) : tensor<4xf32>
  %f = ge.Exp(%e) : tensor<4xf32>
  %dead = ge.PartitionedCall(%f) : tensor<4xf32> f(%v) {
    %r = ge.Relu(%v) : tensor<4xf32>
    ge.NetOutput(%r)
  }
  %c = ge.PartitionedCall(%x) : tensor<4xf32> f(%v) {
    %r = ge.Relu(%v) : tensor<4xf32>
    ge.NetOutput(%v)
  }
  ge.NetOutput(%c)
}
