// RUN: ge-opt %s --pipeline=infer-shape-for-preprocess | filecheck %s

// A condition computed from a shape decides an If; the branch's shapes follow from a folded constant.

// CHECK-LABEL: ge.graph @main
// CHECK-NOT: ge.If
// CHECK: ge.PartitionedCall(%x) : tensor<16xf32>
// CHECK: ge.Reshape({{.*}}) : tensor<16xf32>
ge.graph @main(%x: tensor<2x8xf32>) {
  %n = ge.Size(%x) : tensor<i32>
  %ten = ge.Const() {value = dense<10> : tensor<i32>} : tensor<i32>
  %c = ge.Greater(%n, %ten) : tensor<i1>
  %y = ge.If(%c, [%x]) : tensor<?xf32> then_branch(%a) {
    %s = ge.Size(%a) : tensor<i32>
    %p = ge.Pack(%s) {N = 1, axis = 0} : tensor<1xi32>
    %r = ge.Reshape(%a, %p) : tensor<?xf32>
    ge.NetOutput(%r)
  } else_branch(%a) {
    %s = ge.Const() {value = dense<[-1]> : tensor<1xi32>} : tensor<1xi32>
    %r = ge.Reshape(%a, %s) : tensor<?xf32>
    ge.NetOutput(%r)
  }
  ge.NetOutput(%y)
}
