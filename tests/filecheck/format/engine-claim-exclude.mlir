// RUN: ge-opt %s --pipeline="engine-claim{exclude=[AIcoreEngine]}" | filecheck %s
// RUN: not ge-opt %s --pipeline="engine-claim{exclude=[Warp]}" 2>&1 | filecheck %s --check-prefix=BAD

// CHECK: ge.Relu(%x) {ge.engine = "DNN_VM_AICPU"}
// BAD: GX-404: unknown engine in exclude
// BAD: found: Warp
ge.graph @net(%x: tensor<8xf32>) {
  %a = ge.Relu(%x) : tensor<8xf32>
  ge.NetOutput(%a)
}
