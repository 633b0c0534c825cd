// ge-opt reproducer 1
// error: none, this one is for the tests
// pipeline: fix(prune){max=2}
// options: {"verify": "ends"}
// run with: ge-opt --run-reproducer FILE
// RUN: ge-opt --run-reproducer %s --dump-pass-pipeline 2>&1 | filecheck %s

ge.graph @g(%x: tensor<4xf32>) {
  %dead = ge.Sigmoid(%x) : tensor<4xf32>
  ge.NetOutput(%x)
}

// CHECK:      Pass pipeline: fix(prune){max=2}
// CHECK-NEXT: ge.graph @g(%x: tensor<4xf32>) {
// CHECK-NEXT:   ge.NetOutput(%x)
