// State is a value of type !ge.ref; writing gives the ref again, which orders what follows.
// RUN: ge-opt %s -p infer-shape | filecheck %s
// RUN: ge-opt %s | ge-opt --print-op-generic | ge-opt -p infer-shape | filecheck %s

ge.graph @variables(%x: tensor<2x3xf32>, %s: !ge.ref<tensor<2x3xf32>>) {
  // CHECK: ge.Variable() {shared_name = "w"} : !ge.ref<tensor<2x3xf32>>
  %v = ge.Variable() {shared_name = "w"} : !ge.ref<tensor<2x3xf32>>
  // CHECK: ge.Assign(%v, %x) : !ge.ref<tensor<2x3xf32>>
  %v1 = ge.Assign(%v, %x) : !ge.ref<tensor<2x3xf32>>
  // CHECK: ge.AssignAdd(%v1, %x) : !ge.ref<tensor<2x3xf32>>
  %v2 = ge.AssignAdd(%v1, %x) : !ge.ref<tensor<2x3xf32>>
  // CHECK: ge.Read(%v2) : tensor<2x3xf32>
  %y = ge.Read(%v2) : tensor<*xf32>
  // CHECK: ge.RefData(%s) {index = 1} : !ge.ref<tensor<2x3xf32>>
  %d = ge.RefData(%s) {index = 1} : !ge.ref<tensor<2x3xf32>>
  // CHECK: ge.AssignSub(%d, %x) : !ge.ref<tensor<2x3xf32>>
  %d1 = ge.AssignSub(%d, %x) : !ge.ref<tensor<2x3xf32>>
  // CHECK: ge.Read(%d1) : tensor<2x3xf32>
  %z = ge.Read(%d1) : tensor<*xf32>
  ge.NetOutput(%y, %z)
}
