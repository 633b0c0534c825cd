// Inputs, outputs, constants, nodes of unknown type.
// RUN: ge-opt %s -p infer-shape | filecheck %s
// RUN: ge-opt %s | ge-opt --print-op-generic | ge-opt -p infer-shape | filecheck %s

ge.graph @edge(%x: tensor<2x?xf32>) {
  // CHECK: ge.Data(%x) : tensor<2x?xf32>
  %d = ge.Data(%x) : tensor<*xf32>
  // CHECK: ge.Const() {value = dense<[1, 2]> : tensor<2xi32>} : tensor<2xi32>
  %c = ge.Const() {value = dense<[1, 2]> : tensor<2xi32>} : tensor<*xi32>
  // CHECK: ge.Constant() {value = dense<0.5> : tensor<f16>} : tensor<f16>
  %k = ge.Constant() {value = dense<0.5> : tensor<f16>} : tensor<*xf16>
  // CHECK: ge.Opaque(%d, %c) {type = "Mystery", ge.attr.level = 3 : i64} : tensor<7xf32>, tensor<?xi8>
  %o0, %o1 = ge.Opaque(%d, %c) {type = "Mystery", ge.attr.level = 3 : i64} : tensor<7xf32>, tensor<?xi8>
  // CHECK: ge.NetOutput(%o0, %k)
  ge.NetOutput(%o0, %k)
}
