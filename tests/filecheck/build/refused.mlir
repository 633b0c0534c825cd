// RUN: not ge-opt %s --pipeline=engine-claim,stream-assignment,event-insertion,memory-plan 2>&1 | filecheck %s

// Everything a static model cannot hold, in one go.
// CHECK: error: GX-510: ge.If runs graphs of its own, which needs control flow
// CHECK: error: GX-511: @net: the shapes of a node are not known at build time
// CHECK: found: u (ge.Relu: tensor<?xf32>)
// CHECK: hint: give the inputs static shapes {{.*}}: y
ge.graph @net(%p: tensor<i1>, %x: tensor<8xf32>, %y: tensor<?xf32>) {
  %a = ge.If(%p, [%x]) : tensor<8xf32> then_branch(%b) {
    %r = ge.Relu(%b) : tensor<8xf32>
    ge.NetOutput(%r)
  } else_branch(%b) {
    ge.NetOutput(%b)
  }
  %u = ge.Relu(%y) : tensor<?xf32>
  ge.NetOutput(%a, %u)
}
