// RUN: not ge-opt %s --pipeline=engine-claim 2>&1 | filecheck %s

// All nodes at once, with what each engine says.
// CHECK: engine-claim-refused.mlir:{{.*}} error: GX-503: no engine takes ge.Opaque
// CHECK: AIcoreEngine: is not in the AI Core library; DNN_VM_AICPU: has no semantics
// CHECK: error: GX-503: ge.Exp: the given engine AIcoreEngine does not take this node
// CHECK: found: has no kernel for (f64) -> (f64)
ge.graph @net(%x: tensor<8xf64>) {
  %a = ge.Opaque(%x) {type = "Unheard"} : tensor<8xf64>
  %b = ge.Exp(%x) {ge.engine = "AIcoreEngine"} : tensor<8xf64>
  ge.NetOutput(%a, %b)
}
