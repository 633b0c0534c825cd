// RUN: ge-translate %s --name other | filecheck %s
// RUN: ge-translate %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: not ge-translate %s --random-weights 0 2>&1 | filecheck %s --check-prefix=USAGE

// CHECK: ge.graph @other(%x: tensor<4xf32>) {
// CHECK-NEXT: %y = ge.Relu(%x) : tensor<4xf32>
// GENERIC: "ge.Relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
// USAGE: GX-008
ge.graph @g(%x: tensor<4xf32>) {
  %y = ge.Relu(%x) : tensor<4xf32>
  ge.NetOutput(%y)
}
