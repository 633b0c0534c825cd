// RUN: ge-opt %s --pipeline=identity-remove | filecheck %s

// CHECK-LABEL: ge.graph @main
// CHECK-NEXT: ge.Relu(%x)
// CHECK-NEXT: %m = ge.Identity(%r) {ge.attr.no_need_constant_folding}
// CHECK-NEXT: %t_done = ge.Print(
// CHECK: ge.Abs(%m) after(%t_done)
// CHECK: ge.PartitionedCall(
// CHECK-NEXT: ge.Identity(
ge.graph @main(%x: tensor<4xf32>) {
  %i = ge.Identity(%x) : tensor<4xf32>
  %r = ge.Relu(%i) : tensor<4xf32>
  %m = ge.Identity(%r) {ge.attr.no_need_constant_folding} : tensor<4xf32>
  %t_done = ge.Print(%m) : !ge.ctrl
  %w = ge.Identity(%m) after(%t_done) : tensor<4xf32>
  %a = ge.Abs(%w) : tensor<4xf32>
  %c = ge.PartitionedCall(%a) : tensor<4xf32> f(%v) {
    %k = ge.Identity(%v) : tensor<4xf32>
    ge.NetOutput(%k)
  }
  ge.NetOutput(%c)
}
