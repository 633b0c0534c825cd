// RUN: ge-opt %s --pipeline=infer-shape | filecheck %s

// Shapes from a constant, from shape data, through a body.

// CHECK-LABEL: ge.graph @values
// CHECK: ge.Reshape({{.*}}) : tensor<4x4xf32>
// CHECK: ge.Relu({{.*}}) : tensor<4x4xf32>
ge.graph @values(%x: tensor<2x8xf32>) {
  %s = ge.Const() {value = dense<[4, -1]> : tensor<2xi64>} : tensor<2xi64>
  %r = ge.Reshape(%x, %s) : tensor<*xf32>
  %y = ge.Relu(%r) : tensor<*xf32>
  ge.NetOutput(%y)
}

// CHECK-LABEL: ge.graph @shape_data
// CHECK: ge.BroadcastTo({{.*}}) : tensor<2x8xf32>
ge.graph @shape_data(%x: tensor<2x8xf32>, %f: tensor<1xf32>) {
  %s = ge.Shape(%x) : tensor<2xi32>
  %y = ge.BroadcastTo(%f, %s) : tensor<?x?xf32>
  ge.NetOutput(%y)
}

// CHECK-LABEL: ge.graph @body
// CHECK: ge.PartitionedCall(%x) : tensor<8x2xf32>
// CHECK:   ge.TransposeD({{.*}}) {{.*}} : tensor<8x2xf32>
ge.graph @body(%x: tensor<2x8xf32>) {
  %y = ge.PartitionedCall(%x) : tensor<?x?xf32> f(%a) {
    %t = ge.TransposeD(%a) {perm = [1, 0]} : tensor<?x?xf32>
    ge.NetOutput(%t)
  }
  ge.NetOutput(%y)
}
