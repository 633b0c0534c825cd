// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Einsum(%0: tensor<2x3xf32>, %1: tensor<3x4xf32>) {
  // CHECK: ge.Einsum({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.Einsum(%0, %1) {equation = "ij,jk->ik", N = 2} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Einsum_2(%0: tensor<5x2x3xf16>, %1: tensor<?x3x4xf16>) {
  // CHECK: ge.Einsum({{.*}} : tensor<5x2x4xf16>{{$}}
  %n = ge.Einsum(%0, %1) {equation = "...ij,...jk", N = 2} : tensor<*xf16>
  ge.NetOutput(%n)
}
