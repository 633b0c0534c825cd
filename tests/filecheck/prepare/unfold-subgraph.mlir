// RUN: ge-opt %s --pipeline=unfold-subgraph | filecheck %s

// Calls in calls; an effect inside stays behind what the call waits for and before what reads it.

// CHECK-LABEL: ge.graph @main
// CHECK-NOT: ge.PartitionedCall
// CHECK: %p = ge.Print(%x) : !ge.ctrl
// CHECK: %{{.*}} = ge.Relu(%x) {{.*}}loc("y/r"
// CHECK: %[[DONE:.*]] = ge.Print(%{{.*}}) after(%p) : !ge.ctrl loc("y/in/q"
// CHECK: ge.Abs(%{{.*}}) after(%[[DONE]])
ge.graph @main(%x: tensor<4xf32>) {
  %p = ge.Print(%x) : !ge.ctrl
  %y = ge.PartitionedCall(%x) after(%p) : tensor<4xf32> f(%a) {
    %d = ge.Data(%a) : tensor<4xf32>
    %r = ge.Relu(%d) : tensor<4xf32>
    %in = ge.PartitionedCall(%r) : tensor<4xf32> f(%b) {
      ge.Print(%b) loc("q")
      ge.NetOutput(%b)
    }
    ge.NetOutput(%in)
  }
  %z = ge.Abs(%y) : tensor<4xf32>
  ge.NetOutput(%z)
}
