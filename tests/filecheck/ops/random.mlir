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

ge.graph @RandomStandardNormal() {
  %0 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.RandomStandardNormal({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.RandomStandardNormal(%0) {dtype = f32} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @RandomStandardNormal_2(%0: tensor<2xi64>) {
  // CHECK: ge.RandomStandardNormal({{.*}} : tensor<?x?xf16>{{$}}
  %n = ge.RandomStandardNormal(%0) {dtype = f16} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Multinomial(%0: tensor<2x5xf32>) {
  %1 = ge.Const() {value = dense<7> : tensor<i32>} : tensor<i32>
  // CHECK: ge.Multinomial({{.*}} : tensor<2x7xi64>{{$}}
  %n = ge.Multinomial(%0, %1) : tensor<*xi64>
  ge.NetOutput(%n)
}
