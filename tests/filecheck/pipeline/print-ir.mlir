// RUN: ge-opt %s -p prune,prune --print-ir-after-change 2>&1 | filecheck %s
// RUN: ge-opt %s -p prune,prune --print-ir-diff -o /dev/null 2>&1 | filecheck %s --check-prefix=DIFF

ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %dead = ge.Sigmoid(%x) : tensor<4xf32>
  ge.NetOutput(%a)
}

// CHECK:      // -----// IR Dump After prune //----- //
// CHECK-NEXT: ge.graph @g(%x: tensor<4xf32>) {
// CHECK-NEXT:   %a = ge.Relu(%x) : tensor<4xf32>
// CHECK-NEXT:   ge.NetOutput(%a)
// CHECK-NEXT: }
// CHECK-NOT:  IR Dump After prune
// CHECK:      ge.graph @g(%x: tensor<4xf32>) {

// DIFF:      // -----// IR Diff After prune //----- //
// DIFF:      {{^}}-  %dead = ge.Sigmoid(%x) : tensor<4xf32>
// DIFF-NOT:  IR Diff
