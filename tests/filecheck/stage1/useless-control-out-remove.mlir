// RUN: ge-opt %s --pipeline=useless-control-out-remove | filecheck %s

// What the constant waited for is kept as order between the two prints.

// CHECK: ge.graph @main
// CHECK: %p_done = ge.Print(%x) : !ge.ctrl
// CHECK: %c = ge.Const() after(%p_done) {{.*}} : tensor<4xf32>
// CHECK: ge.Print(%x) after(%p_done)
// CHECK: ge.Relu(%x) : tensor<4xf32>
ge.graph @main(%x: tensor<4xf32>) {
  %p_done = ge.Print(%x) : !ge.ctrl
  %c, %c_done = ge.Const() after(%p_done) {value = dense<1.0> : tensor<4xf32>} : tensor<4xf32>, !ge.ctrl
  ge.Print(%x) after(%c_done)
  %d, %d_done = ge.Const() {value = dense<2.0> : tensor<4xf32>} : tensor<4xf32>, !ge.ctrl
  %r = ge.Relu(%x) after(%d_done) : tensor<4xf32>
  ge.NetOutput(%r, %c, %d)
}
