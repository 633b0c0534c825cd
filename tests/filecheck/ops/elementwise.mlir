// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Acos(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Acos({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Acos(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Asin(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Asin({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Asin(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Atan(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Atan({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Atan(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Ceil(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Ceil({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Ceil(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Cos(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Cos({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Cos(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Cosh(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Cosh({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Cosh(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Erf(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Erf({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Erf(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Exp(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Exp({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Exp(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Expm1(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Expm1({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Expm1(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Floor(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Floor({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Floor(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Log(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Log({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Log(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Log1p(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Log1p({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Log1p(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Neg(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Neg({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Neg(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @OnesLike(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.OnesLike({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.OnesLike(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Reciprocal(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Reciprocal({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Reciprocal(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Rint(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Rint({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Rint(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Round(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Round({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Round(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Rsqrt(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Rsqrt({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Rsqrt(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Sign(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Sign({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Sign(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Sin(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Sin({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Sin(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Sinh(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Sinh({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Sinh(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Sqrt(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Sqrt({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Sqrt(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Square(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Square({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Square(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Tan(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Tan({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Tan(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ZerosLike(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.ZerosLike({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.ZerosLike(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Abs(%x: tensor<2x?x3xf32>) {
  // CHECK: ge.Abs({{.*}} : tensor<2x?x3xf32>{{$}}
  %y = ge.Abs(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Acos_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Acos({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Acos(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Asin_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Asin({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Asin(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Atan_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Atan({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Atan(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Ceil_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Ceil({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Ceil(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Cos_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Cos({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Cos(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Cosh_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Cosh({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Cosh(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Erf_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Erf({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Erf(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Exp_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Exp({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Exp(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Expm1_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Expm1({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Expm1(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Floor_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Floor({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Floor(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Log_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Log({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Log(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Log1p_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Log1p({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Log1p(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Neg_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Neg({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Neg(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @OnesLike_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.OnesLike({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.OnesLike(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Reciprocal_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Reciprocal({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Reciprocal(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Rint_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Rint({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Rint(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Round_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Round({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Round(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Rsqrt_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Rsqrt({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Rsqrt(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Sign_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Sign({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Sign(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Sin_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Sin({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Sin(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Sinh_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Sinh({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Sinh(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Sqrt_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Sqrt({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Sqrt(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Square_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Square({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Square(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Tan_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Tan({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Tan(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @ZerosLike_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.ZerosLike({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.ZerosLike(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Abs_2(%x: tensor<2x3xf16>) {
  // CHECK: ge.Abs({{.*}} : tensor<2x3xf16>{{$}}
  %y = ge.Abs(%x) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @IsFinite(%x: tensor<2x3xf32>) {
  // CHECK: ge.IsFinite({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.IsFinite(%x) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @IsInf(%x: tensor<2x3xf32>) {
  // CHECK: ge.IsInf({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.IsInf(%x) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @IsNan(%x: tensor<2x3xf32>) {
  // CHECK: ge.IsNan({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.IsNan(%x) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @Adds(%x: tensor<3xf32>) {
  // CHECK: ge.Adds({{.*}} : tensor<3xf32>{{$}}
  %y = ge.Adds(%x) {value = 2.0} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Muls(%x: tensor<3xf32>) {
  // CHECK: ge.Muls({{.*}} : tensor<3xf32>{{$}}
  %y = ge.Muls(%x) {value = 2.0} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Invert(%x: tensor<2xi32>) {
  // CHECK: ge.Invert({{.*}} : tensor<2xi32>{{$}}
  %y = ge.Invert(%x) : tensor<*xi32>
  ge.NetOutput(%y)
}

ge.graph @LogicalNot(%x: tensor<2xi1>) {
  // CHECK: ge.LogicalNot({{.*}} : tensor<2xi1>{{$}}
  %y = ge.LogicalNot(%x) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @Cast(%x: tensor<2x?xf32>) {
  // CHECK: ge.Cast({{.*}} : tensor<2x?xf16>{{$}}
  %y = ge.Cast(%x) {dst_type = 1} : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Cast_2(%x: tensor<*xi32>) {
  // CHECK: ge.Cast({{.*}} : tensor<*xi1>{{$}}
  %y = ge.Cast(%x) {dst_type = 12} : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @ClipByValue(%x0: tensor<2x3xf32>, %x1: tensor<f32>, %x2: tensor<1xf32>) {
  // CHECK: ge.ClipByValue({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.ClipByValue(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Axpy(%x0: tensor<2x1xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.Axpy({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.Axpy(%x0, %x1) {alpha = 0.5} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Acosh(%0: tensor<2x?xf32>) {
  // CHECK: ge.Acosh({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Acosh(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Asinh(%0: tensor<2x3xf16>) {
  // CHECK: ge.Asinh({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.Asinh(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Atanh(%0: tensor<2x3xf32>) {
  // CHECK: ge.Atanh({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.Atanh(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}
