// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Addcdiv(%0: tensor<2x3x4xf32>, %1: tensor<3x1xf32>, %2: tensor<4xf32>, %3: tensor<f32>) {
  // CHECK: ge.Addcdiv({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Addcdiv(%0, %1, %2, %3) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Addcdiv_2(%0: tensor<2x?xi64>, %1: tensor<2x3xi64>, %2: tensor<3xi64>, %3: tensor<1xi32>) {
  // CHECK: ge.Addcdiv({{.*}} : tensor<2x3xi64>{{$}}
  %n = ge.Addcdiv(%0, %1, %2, %3) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @Addcmul(%0: tensor<2x3x4xf32>, %1: tensor<3x1xf32>, %2: tensor<4xf32>, %3: tensor<f32>) {
  // CHECK: ge.Addcmul({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Addcmul(%0, %1, %2, %3) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Addcmul_2(%0: tensor<?x3xi8>, %1: tensor<2x3xi8>, %2: tensor<3xi8>, %3: tensor<1xi8>) {
  // CHECK: ge.Addcmul({{.*}} : tensor<2x3xi8>{{$}}
  %n = ge.Addcmul(%0, %1, %2, %3) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @AxpyV2(%0: tensor<2x3x4xf32>, %1: tensor<4xf32>, %2: tensor<f32>) {
  // CHECK: ge.AxpyV2({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.AxpyV2(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AxpyV2_2(%0: tensor<2x?xf16>, %1: tensor<3xf32>, %2: tensor<1xi32>) {
  // CHECK: ge.AxpyV2({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.AxpyV2(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Sxpy(%0: tensor<2x3x4xf32>, %1: tensor<4xf32>) {
  // CHECK: ge.Sxpy({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Sxpy(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Sxpy_2(%0: tensor<2x?xi32>, %1: tensor<3xi32>, %2: tensor<1xf16>) {
  // CHECK: ge.Sxpy({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.Sxpy(%0, %1, alpha = %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Bias(%0: tensor<2x3x4xf32>, %1: tensor<3xf32>) {
  // CHECK: ge.Bias({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Bias(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Bias_2(%0: tensor<2x?x4xf16>, %1: tensor<3x4xf16>) {
  // CHECK: ge.Bias({{.*}} : tensor<2x3x4xf16>{{$}}
  %n = ge.Bias(%0, %1) {num_axes = -1} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ClipByValueV2(%0: tensor<2x1x4xf32>, %1: tensor<3x1xf32>, %2: tensor<f32>) {
  // CHECK: ge.ClipByValueV2({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.ClipByValueV2(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ClipByValueV2_2(%0: tensor<2x?xi32>, %1: tensor<i32>, %2: tensor<3xi32>) {
  // CHECK: ge.ClipByValueV2({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.ClipByValueV2(%0, %1, %2) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Complex(%0: tensor<2x3xf32>, %1: tensor<3xf32>) {
  // CHECK: ge.Complex({{.*}} : tensor<2x3xcomplex<f32>>{{$}}
  %n = ge.Complex(%0, %1) : tensor<*xcomplex<f32>>
  ge.NetOutput(%n)
}

ge.graph @Real(%0: tensor<2x?xcomplex<f32>>) {
  // CHECK: ge.Real({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Real(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Imag(%0: tensor<2x?xcomplex<f32>>) {
  // CHECK: ge.Imag({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Imag(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Eltwise(%0: tensor<2x3x4xf32>, %1: tensor<2x3x4xf32>, %2: tensor<2x?x4xf32>) {
  // CHECK: ge.Eltwise({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Eltwise(%0, %1, %2) {N = 3} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Eltwise_2(%0: tensor<2x3xf16>, %1: tensor<2x3xf16>) {
  // CHECK: ge.Eltwise({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.Eltwise(%0, %1) {N = 2, coeff = [0.5, -2.0]} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @FusedMulAddN(%0: tensor<2x3x4xf32>, %1: tensor<2x?x4xf32>, %2: tensor<f32>) {
  // CHECK: ge.FusedMulAddN({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.FusedMulAddN(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @FusedMulAddN_2(%0: tensor<2x3xi32>, %1: tensor<2x3xi32>, %2: tensor<1x1xi32>) {
  // CHECK: ge.FusedMulAddN({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.FusedMulAddN(%0, %1, %2) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Lerp(%0: tensor<2x3x4xf32>, %1: tensor<3x1xf32>, %2: tensor<4xf32>) {
  // CHECK: ge.Lerp({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Lerp(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Lerp_2(%0: tensor<2x?xf16>, %1: tensor<3xf16>, %2: tensor<f16>) {
  // CHECK: ge.Lerp({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.Lerp(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Power(%0: tensor<2x?xf32>) {
  // CHECK: ge.Power({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Power(%0) {power = 2.0, scale = 0.5, shift = 0.25} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Scale(%0: tensor<2x3x4xf32>, %1: tensor<3xf32>, %2: tensor<3xf32>) {
  // CHECK: ge.Scale({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Scale(%0, %1, bias = %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Scale_2(%0: tensor<2x?x4xf16>, %1: tensor<1xf16>) {
  // CHECK: ge.Scale({{.*}} : tensor<2x?x4xf16>{{$}}
  %n = ge.Scale(%0, %1) {num_axes = 0} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Trunc(%0: tensor<2x?xf32>) {
  // CHECK: ge.Trunc({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Trunc(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Trunc_2(%0: tensor<2x3xi8>) {
  // CHECK: ge.Trunc({{.*}} : tensor<2x3xi8>{{$}}
  %n = ge.Trunc(%0) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @Xlogy(%0: tensor<2x3x4xf32>, %1: tensor<3x1xf32>) {
  // CHECK: ge.Xlogy({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Xlogy(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Xlogy_2(%0: tensor<2x?xcomplex<f32>>, %1: tensor<3xcomplex<f32>>) {
  // CHECK: ge.Xlogy({{.*}} : tensor<2x3xcomplex<f32>>{{$}}
  %n = ge.Xlogy(%0, %1) : tensor<*xcomplex<f32>>
  ge.NetOutput(%n)
}
