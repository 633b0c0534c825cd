// RUN: ge-opt %s --pipeline=normalize-io | filecheck %s
// RUN: ge-opt %s --pipeline=normalize-io,normalize-io | filecheck %s

// Every tensor input of a graph and of its bodies gets one Data; handles to state get none; nodes
// with an effect that nothing waits for are waited for by the NetOutput.

// CHECK:      ge.graph @main(%x: tensor<4xf32>, %v: !ge.ref<tensor<4xf32>>, %y: tensor<4xf32>)
// CHECK-NEXT:   %x_1 = ge.Data(%x) : tensor<4xf32> loc("x")
// CHECK-NEXT:   %y_1 = ge.Data(%y) {index = 2} : tensor<4xf32> loc("y")
// CHECK:        %r, %r_done = ge.Assign(%v, %x_1)
// CHECK:        ge.If(%c, [%x_1, %y_1])
// CHECK:          ge.Data(%a)
// CHECK:          ge.Data(%b) {index = 1}
// CHECK:        ge.NetOutput(%s, %y_1) after(%r_done, %{{.*}})
ge.graph @main(%x: tensor<4xf32>, %v: !ge.ref<tensor<4xf32>>, %y: tensor<4xf32>) {
  %r = ge.Assign(%v, %x) : !ge.ref<tensor<4xf32>>
  ge.Print(%y)
  %c = ge.Const() {value = dense<true> : tensor<i1>} : tensor<i1>
  %s = ge.If(%c, [%x, %y]) : tensor<4xf32> then_branch(%a, %b) {
    %t = ge.Add(%a, %b) : tensor<4xf32>
    ge.NetOutput(%t)
  } else_branch(%a, %b) {
    ge.NetOutput(%b)
  }
  ge.NetOutput(%s, %y)
}
