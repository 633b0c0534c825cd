// RUN: ge-opt %s -p prepare,stage1 --validate=each | filecheck %s
// RUN: ge-opt %s -p prepare,stage1 --validate=stage | filecheck %s
// RUN: ge-opt %s -p prepare,stage1 --validate=ends --validate-seed=2 --max-steps=9 | filecheck %s
// RUN: ge-opt %s -p prepare,stage1 --bisect | filecheck %s --check-prefix=GOOD
// RUN: ge-opt %s -p ge-default --validate=ends 2>&1 | filecheck %s --check-prefix=COMPILED

// CHECK: ge.graph @net
// CHECK: ge.NetOutput
// GOOD: nothing fails in {{[0-9]+}} runs
// COMPILED: warning: GX-440
ge.graph @net(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
  %a = ge.Relu(%x) : tensor<4x8xf32>
  %b = ge.Relu(%x) : tensor<4x8xf32>
  %s = ge.Sub(%a, %y) : tensor<4x8xf32>
  %e = ge.Mul(%s, %b) : tensor<4x8xf32>
  ge.NetOutput(%e, %a)
}
