// RUN: ge-opt %s --pipeline=func-to-graph | filecheck %s
// RUN: ge-opt %s --pipeline=func-to-graph --print-op-generic | ge-opt - | filecheck %s

// CHECK: ge.graph @f(%p: tensor<i1>, %x: tensor<4xf32> {ge.name = "in"}, %v: !ge.ref<tensor<4xf32>>) attributes {my.note = "kept"} {
// CHECK-NEXT: %r, %r_done = ge.Read(%v) : tensor<4xf32>, !ge.ctrl
// CHECK-NEXT: %w = ge.Assign(%v, %x) after(%r_done) : !ge.ref<tensor<4xf32>>
// CHECK-NEXT: %y = ge.If(%p, [%r]) : tensor<4xf32> then_branch(%a) {
// CHECK: ge.NetOutput(%y, %r)
func.func @f(%p: tensor<i1>, %x: tensor<4xf32> {ge.name = "in"}, %v: !ge.ref<tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>) attributes {my.note = "kept"} {
  %r = ge.Read(%v) : tensor<4xf32>
  %w = ge.Assign(%v, %x) : !ge.ref<tensor<4xf32>>
  %y = ge.If(%p, [%r]) : tensor<4xf32> then_branch(%a) {
    %n = ge.Neg(%a) : tensor<4xf32>
    ge.NetOutput(%n)
  } else_branch(%a) {
    ge.NetOutput(%a)
  }
  func.return %y, %r : tensor<4xf32>, tensor<4xf32>
}

// CHECK: ge.graph @nothing() {
// CHECK-NEXT: ge.NetOutput()
func.func @nothing() {
  func.return
}

// CHECK: ge.graph @already(%x: tensor<4xf32>) {
ge.graph @already(%x: tensor<4xf32>) {
  ge.NetOutput(%x)
}
