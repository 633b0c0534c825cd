// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Where(%0: tensor<2x3xi1>) {
  // CHECK: ge.Where({{.*}} : tensor<?x2xi64>{{$}}
  %n = ge.Where(%0) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @Where_2(%0: tensor<0x3xi1>) {
  // CHECK: ge.Where({{.*}} : tensor<0x2xi64>{{$}}
  %n = ge.Where(%0) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @NonZero(%0: tensor<2x3xf32>) {
  // CHECK: ge.NonZero({{.*}} : tensor<?x2xi64>{{$}}
  %n = ge.NonZero(%0) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @NonZero_2(%0: tensor<2x3xf32>) {
  // CHECK: ge.NonZero({{.*}} : tensor<2x?xi32>{{$}}
  %n = ge.NonZero(%0) {transpose = true, dtype = i32} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @MaskedSelect(%0: tensor<2x3xf32>, %1: tensor<3xi1>) {
  // CHECK: ge.MaskedSelect({{.*}} : tensor<?xf32>{{$}}
  %n = ge.MaskedSelect(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MaskedFill(%0: tensor<2x3xf32>, %1: tensor<3xi1>, %2: tensor<f32>) {
  // CHECK: ge.MaskedFill({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.MaskedFill(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @OneHot(%0: tensor<2x3xi64>, %1: tensor<f32>, %2: tensor<f32>) {
  %3 = ge.Const() {value = dense<4> : tensor<i64>} : tensor<i64>
  // CHECK: ge.OneHot({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.OneHot(%0, %3, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @OneHot_2(%0: tensor<2x3xi32>, %1: tensor<i32>, %2: tensor<1xi8>, %3: tensor<1xi8>) {
  // CHECK: ge.OneHot({{.*}} : tensor<?x2x3xi8>{{$}}
  %n = ge.OneHot(%0, %1, %2, %3) {axis = 0} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @Range() {
  %0 = ge.Const() {value = dense<1> : tensor<i64>} : tensor<i64>
  %1 = ge.Const() {value = dense<8> : tensor<i64>} : tensor<i64>
  %2 = ge.Const() {value = dense<3> : tensor<i64>} : tensor<i64>
  // CHECK: ge.Range({{.*}} : tensor<3xi64>{{$}}
  %n = ge.Range(%0, %1, %2) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @Range_2() {
  %0 = ge.Const() {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %1 = ge.Const() {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %2 = ge.Const() {value = dense<-0.25> : tensor<f32>} : tensor<f32>
  // CHECK: ge.Range({{.*}} : tensor<5xf32>{{$}}
  %n = ge.Range(%0, %1, %2) {is_closed = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Tril(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.Tril({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Tril(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Triu(%0: tensor<3x?xi1>) {
  // CHECK: ge.Triu({{.*}} : tensor<3x?xi1>{{$}}
  %n = ge.Triu(%0) {diagonal = -1} : tensor<*xi1>
  ge.NetOutput(%n)
}

ge.graph @ReverseV2(%0: tensor<2x3x4xf32>) {
  %1 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ReverseV2({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.ReverseV2(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}
