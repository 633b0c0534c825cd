// Bodies decide the result types of the nodes that hold them.
// RUN: ge-opt %s -p infer-shape | filecheck %s
// RUN: ge-opt %s | ge-opt --print-op-generic | ge-opt -p infer-shape | filecheck %s

ge.graph @If(%c: tensor<i1>, %x: tensor<2x3xf32>) {
  // CHECK: ge.If(%c, [%x]) : tensor<?x3xf32>
  %y = ge.If(%c, [%x]) : tensor<*xf32> then_branch(%a) {
    %z = ge.ConcatD(%a, %a) {concat_dim = 0, N = 2} : tensor<4x3xf32>
    ge.NetOutput(%z)
  } else_branch(%a) {
    ge.NetOutput(%a)
  }
  ge.NetOutput(%y)
}

ge.graph @While(%x: tensor<2x3xf32>) {
  // CHECK: ge.While(%x) : tensor<2x3xf32>
  %y = ge.While(%x) : tensor<*xf32> cond(%a) {
    %axes = ge.Const() {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
    %zero = ge.Const() {value = dense<0.0> : tensor<f32>} : tensor<f32>
    %sum = ge.ReduceSum(%a, %axes) : tensor<f32>
    %more = ge.Greater(%sum, %zero) : tensor<i1>
    ge.NetOutput(%more)
  } body(%a) {
    %z = ge.Adds(%a) {value = -1.0} : tensor<2x3xf32>
    ge.NetOutput(%z)
  }
  ge.NetOutput(%y)
}

ge.graph @PartitionedCall(%x: tensor<2x3xf32>) {
  // CHECK: ge.PartitionedCall(%x) : tensor<2xi32>
  %y = ge.PartitionedCall(%x) : tensor<*xi32> f(%a) {
    %s = ge.Shape(%a) : tensor<2xi32>
    ge.NetOutput(%s)
  }
  ge.NetOutput(%y)
}

ge.graph @check(%c: tensor<i1>, %x: tensor<2x3xf32>) {
  // CHECK: [[SURE:%.*]] = ge.Assert(%c, [%x]) {summarize = 5} : !ge.ctrl
  %sure = ge.Assert(%c, [%x]) {summarize = 5} : !ge.ctrl
  // CHECK: ge.Identity(%x) after([[SURE]])
  %y = ge.Identity(%x) after(%sure) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @order(%x: tensor<2x3xf32>) {
  // CHECK: ge.Identity(%x) : tensor<2x3xf32>
  %y = ge.Identity(%x) : tensor<*xf32>
  // CHECK: [[FIRST:%.*]] = ge.Print(%y)
  %first = ge.Print(%y) : !ge.ctrl
  // CHECK: [[JOIN:%.*]] = ge.NoOp() after([[FIRST]])
  %join = ge.NoOp() after(%first) : !ge.ctrl
  // CHECK: ge.Print(%x) after([[JOIN]])
  ge.Print(%x) after(%join)
  ge.NetOutput(%y)
}
