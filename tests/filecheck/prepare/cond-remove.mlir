// RUN: ge-opt %s --pipeline=cond-remove | filecheck %s

// A constant condition takes a branch; a negative one, a fraction and an unknown one do not.

// CHECK-LABEL: ge.graph @taken
// CHECK: %y = ge.PartitionedCall(%x) after(%{{.*}}) : tensor<4xf32> f(%a) {
// CHECK:   ge.Abs(%a)
// CHECK-NOT: ge.Relu
ge.graph @taken(%x: tensor<4xf32>) {
  %done = ge.Print(%x) : !ge.ctrl
  %c = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>
  %y = ge.If(%c, [%x]) after(%done) : tensor<4xf32> then_branch(%a) {
    %r = ge.Relu(%a) : tensor<4xf32>
    ge.NetOutput(%r)
  } else_branch(%a) {
    %r = ge.Abs(%a) : tensor<4xf32>
    ge.NetOutput(%r)
  }
  ge.NetOutput(%y)
}

// CHECK-LABEL: ge.graph @kept
// CHECK-COUNT-3: ge.If(
ge.graph @kept(%x: tensor<4xf32>, %u: tensor<i1>) {
  %n = ge.Const() {value = dense<-1> : tensor<i32>} : tensor<i32>
  %f = ge.Const() {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %a = ge.If(%n, [%x]) : tensor<4xf32> then_branch(%v) {
    ge.NetOutput(%v)
  } else_branch(%v) {
    ge.NetOutput(%v)
  }
  %b = ge.If(%f, [%x]) : tensor<4xf32> then_branch(%v) {
    ge.NetOutput(%v)
  } else_branch(%v) {
    ge.NetOutput(%v)
  }
  %c = ge.If(%u, [%x]) : tensor<4xf32> then_branch(%v) {
    ge.NetOutput(%v)
  } else_branch(%v) {
    ge.NetOutput(%v)
  }
  ge.NetOutput(%a, %b, %c)
}
