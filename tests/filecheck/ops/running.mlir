// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Cumsum(%0: tensor<2x3xf32>) {
  %1 = ge.Const() {value = dense<1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.Cumsum({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.Cumsum(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Cumsum_2(%0: tensor<2x?xi32>, %1: tensor<i32>) {
  // CHECK: ge.Cumsum({{.*}} : tensor<2x?xi32>{{$}}
  %n = ge.Cumsum(%0, %1) {exclusive = true, reverse = true} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Cumprod(%0: tensor<2x3xf16>) {
  %1 = ge.Const() {value = dense<-1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.Cumprod({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.Cumprod(%0, %1) : tensor<*xf16>
  ge.NetOutput(%n)
}
