// RUN: ge-opt %s --split-input-file --verify-diagnostics
// RUN: not ge-opt %s --split-input-file 2>&1 | filecheck %s

// CHECK: expected-error.mlir:9:16: error
// CHECK: expected-error.mlir:18:8: error

ge.graph @undefined(%x: tensor<4xf32>) {
  // expected-error@+1 {{%nope}}
  ge.NetOutput(%nope)
}

// -----

// The parts do not see each other.

ge.graph @unknown(%x: tensor<4xf32>) {
  // expected-error@+1 {{NoSuchOp}}
  %a = ge.NoSuchOp(%x) : tensor<4xf32>
  ge.NetOutput(%a)
}
