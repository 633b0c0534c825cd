// Operators with graphs of their own: types come from the bodies.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @choices(%i: tensor<i32>, %c: tensor<i1>, %x: tensor<2x3xf32>) {
  // CHECK: ge.Case(%i, [%x]) : tensor<2x?xf32> branches
  %a = ge.Case(%i, [%x]) : tensor<*xf32> branches(%p) {
    ge.NetOutput(%p)
  } branches(%q) {
    %n = ge.Const() {value = dense<0.0> : tensor<2x1xf32>} : tensor<2x1xf32>
    ge.NetOutput(%n)
  }
  // CHECK: ge.StatelessCase(%i, [%x]) : tensor<2x3xf32> branches
  %b = ge.StatelessCase(%i, [%x]) : tensor<*xf32> branches(%p) {
    ge.NetOutput(%p)
  }
  // CHECK: ge.StatelessIf(%c, [%x]) : tensor<2x3xf32> then_branch
  %d = ge.StatelessIf(%c, [%x]) : tensor<*xf32> then_branch(%p) {
    %n = ge.Neg(%p) : tensor<2x3xf32>
    ge.NetOutput(%n)
  } else_branch(%q) {
    ge.NetOutput(%q)
  }
  ge.NetOutput(%a, %b, %d)
}

ge.graph @loops(%i: tensor<i32>, %x: tensor<2x3xf32>) {
  // CHECK: ge.For(%i, %i, %i, [%x]) : tensor<2x3xf32> body
  %a = ge.For(%i, %i, %i, [%x]) : tensor<*xf32> body(%k, %p) {
    %n = ge.Neg(%p) : tensor<2x3xf32>
    ge.NetOutput(%n)
  }
  // CHECK: ge.StatelessWhile(%x) : tensor<2x3xf32> cond
  %b = ge.StatelessWhile(%x) : tensor<*xf32> cond(%p) {
    %n = ge.Const() {value = dense<false> : tensor<i1>} : tensor<i1>
    ge.NetOutput(%n)
  } body(%p) {
    ge.NetOutput(%p)
  }
  ge.NetOutput(%a, %b)
}

ge.graph @calls(%x: tensor<2x3xf32>) {
  // CHECK: ge.StatefulPartitionedCall(%x) : tensor<2x3xf32> f
  %a = ge.StatefulPartitionedCall(%x) : tensor<*xf32> f(%p) {
    ge.NetOutput(%p)
  }
  // CHECK: ge.AscBackend(%a) : tensor<2x3xf32> body
  %b = ge.AscBackend(%a) : tensor<*xf32> body(%p) {
    %n = ge.Neg(%p) : tensor<2x3xf32>
    ge.NetOutput(%n)
  }
  // CHECK: ge.FusedAscBackend(%b) : tensor<2x3xf32> body
  %c = ge.FusedAscBackend(%b) : tensor<*xf32> body(%p) {
    ge.NetOutput(%p)
  }
  // CHECK: ge.SuperKernel(%c) : tensor<2x3xf32> body
  %d = ge.SuperKernel(%c) : tensor<*xf32> body(%p) {
    ge.NetOutput(%p)
  }
  ge.NetOutput(%d)
}

ge.graph @ControlTrigger() {
  // CHECK: ge.ControlTrigger({{.*$}}
  ge.ControlTrigger()
  ge.NetOutput()
}

ge.graph @MapIndex(%0: tensor<2xi32>, %1: tensor<6xi32>) {
  // CHECK: ge.MapIndex({{.*}} : tensor<i32>{{$}}
  %n = ge.MapIndex(%0, %1) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @MapIndex_2(%0: tensor<2xi32>, %1: tensor<6xi32>, %2: tensor<3xi32>) {
  // CHECK: ge.MapIndex({{.*}} : tensor<i32>{{$}}
  %n = ge.MapIndex(%0, %1, level_index = %2) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @GetDynamicDims(%0: tensor<2xi64>, %1: tensor<3xi64>) {
  // CHECK: ge.GetDynamicDims({{.*}} : tensor<3xi64>{{$}}
  %n = ge.GetDynamicDims(%0, %1) {shape_info = [2, -1, 8, 3, 4, -1, -1], N = 2} : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @GetDynamicDims_2(%0: tensor<?xi32>) {
  // CHECK: ge.GetDynamicDims({{.*}} : tensor<0xi32>{{$}}
  %n = ge.GetDynamicDims(%0) {shape_info = [0], N = 1} : tensor<*xi32>
  ge.NetOutput(%n)
}
