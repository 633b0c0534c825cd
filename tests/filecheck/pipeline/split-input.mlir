// RUN: ge-opt %s --split-input-file -p prune | filecheck %s
// RUN: ge-opt %s --split-input-file -p prune | ge-opt - --split-input-file --print-op-generic | filecheck %s --check-prefix=GENERIC

ge.graph @first(%x: tensor<4xf32>) {
  ge.NetOutput(%x)
}
// -----
ge.graph @second(%x: tensor<4xf32>) {
  ge.NetOutput(%x)
}

// CHECK:      ge.graph @first
// CHECK:      // -----
// CHECK-NEXT: ge.graph @second

// GENERIC: "ge.graph"() <{sym_name = "first"}>
// GENERIC: "ge.graph"() <{sym_name = "second"}>
