// RUN: ge-opt %s --pipeline=no-use-reshape-remove | filecheck %s

// CHECK: ge.graph @main
// CHECK-NOT: ge.Const
// CHECK: %b = ge.Flatten(%y)
// CHECK: ge.NetOutput(%x, %b)
ge.graph @main(%x: tensor<2x4xf32>, %y: tensor<?x4xf32>) {
  %s = ge.Const() {value = dense<[2, 4]> : tensor<2xi64>} : tensor<2xi64>
  %a = ge.Reshape(%x, %s) : tensor<2x4xf32>
  %b = ge.Flatten(%y) : tensor<?x4xf32>
  ge.NetOutput(%a, %b)
}
