// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @RandomUniform() {
  %c0 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.RandomUniform({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.RandomUniform(%c0) {dtype = f16} : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @RandomUniform_2(%x: tensor<2xi64>) {
  // CHECK: ge.RandomUniform({{.*}} : tensor<?x?xf32>{{$}}
  %y = ge.RandomUniform(%x) {dtype = f32} : tensor<*xf32>
  ge.NetOutput(%y)
}
