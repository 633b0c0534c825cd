// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @StatelessRandomUniformV2(%0: tensor<1xui64>, %1: tensor<2xui64>) {
  %2 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %3 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.StatelessRandomUniformV2({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.StatelessRandomUniformV2(%2, %0, %1, %3) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @StatelessRandomUniformV2_2(%0: tensor<2xi64>, %1: tensor<1xui64>, %2: tensor<2xui64>) {
  %3 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.StatelessRandomUniformV2({{.*}} : tensor<?x?xf16>{{$}}
  %n = ge.StatelessRandomUniformV2(%0, %1, %2, %3) {dtype = f16} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @StatelessRandomNormalV2(%0: tensor<1xui64>, %1: tensor<2xui64>) {
  %2 = ge.Const() {value = dense<[5]> : tensor<1xi64>} : tensor<1xi64>
  %3 = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.StatelessRandomNormalV2({{.*}} : tensor<5xf64>{{$}}
  %n = ge.StatelessRandomNormalV2(%2, %0, %1, %3) {dtype = f64} : tensor<*xf64>
  ge.NetOutput(%n)
}

ge.graph @StatelessBernoulliV2(%0: tensor<2x?xf16>, %1: tensor<i64>, %2: tensor<1xi64>) {
  // CHECK: ge.StatelessBernoulliV2({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.StatelessBernoulliV2(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @StatelessBernoulli(%0: tensor<f32>, %1: tensor<i64>, %2: tensor<1xi64>) {
  %3 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.StatelessBernoulli({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.StatelessBernoulli(%3, %0, %1, %2) {dtype = f16} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @StatelessDropOutGenMask(%0: tensor<f16>, %1: tensor<i64>, %2: tensor<i64>) {
  %3 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.StatelessDropOutGenMask({{.*}} : tensor<16xui8>{{$}}
  %n = ge.StatelessDropOutGenMask(%3, %0, %1, %2) : tensor<*xui8>
  ge.NetOutput(%n)
}

ge.graph @StatelessDropOutGenMask_2(%0: tensor<2xi64>, %1: tensor<f16>, %2: tensor<i32>, %3: tensor<i32>, %4: tensor<1xi64>) {
  // CHECK: ge.StatelessDropOutGenMask({{.*}} : tensor<?xui8>{{$}}
  %n = ge.StatelessDropOutGenMask(%0, %1, %2, %3, offset = %4) : tensor<*xui8>
  ge.NetOutput(%n)
}

ge.graph @StatelessRandperm(%0: tensor<i64>, %1: tensor<i64>) {
  %2 = ge.Const() {value = dense<7> : tensor<i64>} : tensor<i64>
  // CHECK: ge.StatelessRandperm({{.*}} : tensor<7xi64>{{$}}
  %n = ge.StatelessRandperm(%2, %0, %1) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @StatelessRandperm_2(%0: tensor<i64>, %1: tensor<i64>, %2: tensor<i64>) {
  // CHECK: ge.StatelessRandperm({{.*}} : tensor<?xi32>{{$}}
  %n = ge.StatelessRandperm(%0, %1, %2) {dtype = i32} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @MultinomialWithReplacement(%0: tensor<2x5xf32>, %1: tensor<i64>, %2: tensor<i64>) {
  // CHECK: ge.MultinomialWithReplacement({{.*}} : tensor<2x3xi64>{{$}}
  %n = ge.MultinomialWithReplacement(%0, %1, %2) {numsamples = 3} : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @MultinomialWithReplacement_2(%0: tensor<5xf64>, %1: tensor<1xi64>, %2: tensor<i64>) {
  // CHECK: ge.MultinomialWithReplacement({{.*}} : tensor<9xi64>{{$}}
  %n = ge.MultinomialWithReplacement(%0, %1, %2) {numsamples = 9, replacement = true} : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @TruncatedNormal() {
  %0 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.TruncatedNormal({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.TruncatedNormal(%0) {dtype = f16} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @RandomShuffle(%0: tensor<4x?xf32>) {
  // CHECK: ge.RandomShuffle({{.*}} : tensor<4x?xf32>{{$}}
  %n = ge.RandomShuffle(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}
