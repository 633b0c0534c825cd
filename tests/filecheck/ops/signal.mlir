// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @HostDFT(%0: tensor<2x8x1xf32>) {
  // CHECK: ge.HostDFT({{.*}} : tensor<2x8x2xf32>{{$}}
  %n = ge.HostDFT(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @HostDFT_2(%0: tensor<2x8x6x2xf32>) {
  %1 = ge.Const() {value = dense<5> : tensor<i64>} : tensor<i64>
  %2 = ge.Const() {value = dense<1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.HostDFT({{.*}} : tensor<2x5x6x2xf32>{{$}}
  %n = ge.HostDFT(%0, dft_length = %1, axis = %2) {inverse = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @HostSTFT(%0: tensor<2x32x1xf32>, %1: tensor<8xf32>) {
  %2 = ge.Const() {value = dense<4> : tensor<i64>} : tensor<i64>
  // CHECK: ge.HostSTFT({{.*}} : tensor<2x7x5x2xf32>{{$}}
  %n = ge.HostSTFT(%0, %2, window = %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @HostSTFT_2(%0: tensor<2x32x2xf32>) {
  %1 = ge.Const() {value = dense<4> : tensor<i64>} : tensor<i64>
  %2 = ge.Const() {value = dense<8> : tensor<i64>} : tensor<i64>
  // CHECK: ge.HostSTFT({{.*}} : tensor<2x7x8x2xf32>{{$}}
  %n = ge.HostSTFT(%0, %1, frame_length = %2) {onesided = false} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @HostMelWeightMatrix() {
  %0 = ge.Const() {value = dense<6> : tensor<i64>} : tensor<i64>
  %1 = ge.Const() {value = dense<16> : tensor<i64>} : tensor<i64>
  %2 = ge.Const() {value = dense<8192> : tensor<i64>} : tensor<i64>
  %3 = ge.Const() {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %4 = ge.Const() {value = dense<4096.0> : tensor<f32>} : tensor<f32>
  // CHECK: ge.HostMelWeightMatrix({{.*}} : tensor<9x6xf32>{{$}}
  %n = ge.HostMelWeightMatrix(%0, %1, %2, %3, %4) : tensor<*xf32>
  ge.NetOutput(%n)
}
