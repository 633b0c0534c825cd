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

ge.graph @RandomUniformInt() {
  %0 = ge.Const() {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %1 = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  %2 = ge.Const() {value = dense<9> : tensor<i64>} : tensor<i64>
  // CHECK: ge.RandomUniformInt({{.*}} : tensor<2x3xi64>{{$}}
  %n = ge.RandomUniformInt(%0, %1, %2) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @RandomUniformInt_2(%0: tensor<2xi64>) {
  %1 = ge.Const() {value = dense<-5> : tensor<i32>} : tensor<i32>
  %2 = ge.Const() {value = dense<7> : tensor<i32>} : tensor<i32>
  // CHECK: ge.RandomUniformInt({{.*}} : tensor<?x?xi32>{{$}}
  %n = ge.RandomUniformInt(%0, %1, %2) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @DropOutGenMask(%0: tensor<f32>) {
  %1 = ge.Const() {value = dense<[10, 13]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.DropOutGenMask({{.*}} : tensor<32xui8>{{$}}
  %n = ge.DropOutGenMask(%1, %0) : tensor<*xui8>
  ge.NetOutput(%n)
}

ge.graph @DropOutGenMask_2(%0: tensor<2xi64>, %1: tensor<1xf16>) {
  // CHECK: ge.DropOutGenMask({{.*}} : tensor<?xui8>{{$}}
  %n = ge.DropOutGenMask(%0, %1) : tensor<*xui8>
  ge.NetOutput(%n)
}

ge.graph @DropOutDoMask(%0: tensor<10x13xf32>, %1: tensor<32xui8>, %2: tensor<f32>) {
  // CHECK: ge.DropOutDoMask({{.*}} : tensor<10x13xf32>{{$}}
  %n = ge.DropOutDoMask(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @DropOutDoMask_2(%0: tensor<?x13xf16>, %1: tensor<?xui8>, %2: tensor<f16>) {
  // CHECK: ge.DropOutDoMask({{.*}} : tensor<?x13xf16>{{$}}
  %n = ge.DropOutDoMask(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Dropout(%0: tensor<?x13xf32>) {
  // CHECK: ge.Dropout({{.*}}) {dropout_ratio = {{.*}} : tensor<?x13xf32>{{$}}
  %n = ge.Dropout(%0) {dropout_ratio = 0.25} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @DropOut(%0: tensor<2x3xf32>) {
  // CHECK: ge.DropOut({{.*}}) {scale_train = false} : tensor<2x3xf32>{{$}}
  %n = ge.DropOut(%0) {scale_train = false} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @DropOutDoMaskV3D(%0: tensor<?x13xf16>, %1: tensor<?xui8>) {
  // CHECK: ge.DropOutDoMaskV3D({{.*}}) {keep_prob = 0.5} : tensor<?x13xf16>{{$}}
  %n = ge.DropOutDoMaskV3D(%0, %1) {keep_prob = 0.5} : tensor<*xf16>
  ge.NetOutput(%n)
}
