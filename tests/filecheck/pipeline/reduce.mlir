// RUN: ge-reduce %s --test "grep -q ge.Tanh" -o - 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=SAID < %t.err

// Everything but the node that the command looks for goes; what it read becomes an input.
// CHECK:      ge.graph @net(%r: tensor<1x1xf32>) {
// CHECK-NEXT:   %t = ge.Tanh(%r) : tensor<1x1xf32>
// CHECK-NEXT:   ge.NetOutput(%t)
// CHECK-NEXT: }

// SAID: reduced: 4 -> 1 ops
// SAID: cut the graph: 4 -> 1 ops
// SAID: shrink sizes
// SAID: failure: the command succeeds: grep -q ge.Tanh
ge.graph @net(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
  %s = ge.Add(%x, %y) : tensor<4x8xf32>
  %r = ge.Relu(%s) : tensor<4x8xf32>
  %t = ge.Tanh(%r) : tensor<4x8xf32>
  %e = ge.Exp(%t) : tensor<4x8xf32>
  ge.NetOutput(%e, %t)
}
