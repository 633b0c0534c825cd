// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @FFT(%0: tensor<2x5xcomplex<f32>>) {
  // CHECK: ge.FFT({{.*}} : tensor<2x5xcomplex<f32>>{{$}}
  %n = ge.FFT(%0) : tensor<*xcomplex<f32>>
  ge.NetOutput(%n)
}

ge.graph @FFT_2(%0: tensor<?xcomplex<f64>>) {
  // CHECK: ge.FFT({{.*}} : tensor<?xcomplex<f64>>{{$}}
  %n = ge.FFT(%0) : tensor<*xcomplex<f64>>
  ge.NetOutput(%n)
}

ge.graph @IFFT(%0: tensor<3x2x6xcomplex<f64>>) {
  // CHECK: ge.IFFT({{.*}} : tensor<3x2x6xcomplex<f64>>{{$}}
  %n = ge.IFFT(%0) : tensor<*xcomplex<f64>>
  ge.NetOutput(%n)
}

ge.graph @IFFT_2(%0: tensor<0x3xcomplex<f32>>) {
  // CHECK: ge.IFFT({{.*}} : tensor<0x3xcomplex<f32>>{{$}}
  %n = ge.IFFT(%0) : tensor<*xcomplex<f32>>
  ge.NetOutput(%n)
}

ge.graph @FFT2D(%0: tensor<2x3x4xcomplex<f32>>) {
  // CHECK: ge.FFT2D({{.*}} : tensor<2x3x4xcomplex<f32>>{{$}}
  %n = ge.FFT2D(%0) : tensor<*xcomplex<f32>>
  ge.NetOutput(%n)
}

ge.graph @FFT2D_2(%0: tensor<?x5xcomplex<f64>>) {
  // CHECK: ge.FFT2D({{.*}} : tensor<?x5xcomplex<f64>>{{$}}
  %n = ge.FFT2D(%0) : tensor<*xcomplex<f64>>
  ge.NetOutput(%n)
}
