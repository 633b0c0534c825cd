// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Add(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.Add({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.Add(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Sub(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.Sub({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.Sub(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Mul(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.Mul({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.Mul(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @RealDiv(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.RealDiv({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.RealDiv(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Div(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.Div({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.Div(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @DivNoNan(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.DivNoNan({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.DivNoNan(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @FloorDiv(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.FloorDiv({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.FloorDiv(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @FloorMod(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.FloorMod({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.FloorMod(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Mod(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.Mod({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.Mod(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @TruncateDiv(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.TruncateDiv({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.TruncateDiv(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Maximum(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.Maximum({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.Maximum(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Minimum(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.Minimum({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.Minimum(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Pow(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.Pow({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.Pow(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @SquaredDifference(%x0: tensor<2x1x4xf32>, %x1: tensor<3x1xf32>) {
  // CHECK: ge.SquaredDifference({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.SquaredDifference(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Add_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.Add({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.Add(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Sub_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.Sub({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.Sub(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Mul_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.Mul({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.Mul(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @RealDiv_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.RealDiv({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.RealDiv(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Div_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.Div({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.Div(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @DivNoNan_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.DivNoNan({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.DivNoNan(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @FloorDiv_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.FloorDiv({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.FloorDiv(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @FloorMod_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.FloorMod({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.FloorMod(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Mod_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.Mod({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.Mod(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @TruncateDiv_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.TruncateDiv({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.TruncateDiv(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Maximum_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.Maximum({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.Maximum(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Minimum_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.Minimum({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.Minimum(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Pow_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.Pow({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.Pow(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @SquaredDifference_2(%x0: tensor<?x4xf16>, %x1: tensor<4xf16>) {
  // CHECK: ge.SquaredDifference({{.*}} : tensor<?x4xf16>{{$}}
  %y = ge.SquaredDifference(%x0, %x1) : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @Equal(%x0: tensor<2x1xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.Equal({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.Equal(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @NotEqual(%x0: tensor<2x1xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.NotEqual({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.NotEqual(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @Greater(%x0: tensor<2x1xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.Greater({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.Greater(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @GreaterEqual(%x0: tensor<2x1xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.GreaterEqual({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.GreaterEqual(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @Less(%x0: tensor<2x1xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.Less({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.Less(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @LessEqual(%x0: tensor<2x1xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.LessEqual({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.LessEqual(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @LogicalAnd(%x0: tensor<2x1xi1>, %x1: tensor<3xi1>) {
  // CHECK: ge.LogicalAnd({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.LogicalAnd(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @LogicalOr(%x0: tensor<2x1xi1>, %x1: tensor<3xi1>) {
  // CHECK: ge.LogicalOr({{.*}} : tensor<2x3xi1>{{$}}
  %y = ge.LogicalOr(%x0, %x1) : tensor<*xi1>
  ge.NetOutput(%y)
}

ge.graph @BitwiseAnd(%x0: tensor<2x1xi32>, %x1: tensor<3xi32>) {
  // CHECK: ge.BitwiseAnd({{.*}} : tensor<2x3xi32>{{$}}
  %y = ge.BitwiseAnd(%x0, %x1) : tensor<*xi32>
  ge.NetOutput(%y)
}

ge.graph @BitwiseOr(%x0: tensor<2x1xi32>, %x1: tensor<3xi32>) {
  // CHECK: ge.BitwiseOr({{.*}} : tensor<2x3xi32>{{$}}
  %y = ge.BitwiseOr(%x0, %x1) : tensor<*xi32>
  ge.NetOutput(%y)
}

ge.graph @BitwiseXor(%x0: tensor<2x1xi32>, %x1: tensor<3xi32>) {
  // CHECK: ge.BitwiseXor({{.*}} : tensor<2x3xi32>{{$}}
  %y = ge.BitwiseXor(%x0, %x1) : tensor<*xi32>
  ge.NetOutput(%y)
}

ge.graph @AddN(%x0: tensor<2x?xf32>, %x1: tensor<?x3xf32>) {
  // CHECK: ge.AddN({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.AddN(%x0, %x1) {N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @AddN_2(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>, %x2: tensor<2x3xf32>) {
  // CHECK: ge.AddN({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.AddN(%x0, %x1, %x2) {N = 3} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @AccumulateNV2(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) {
  // CHECK: ge.AccumulateNV2({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.AccumulateNV2(%x0, %x1) {N = 2} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @FusedMulAdd(%x0: tensor<2x1xf32>, %x1: tensor<3xf32>, %x2: tensor<f32>) {
  // CHECK: ge.FusedMulAdd({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.FusedMulAdd(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Select(%x0: tensor<2x3xi1>, %x1: tensor<2x3xf32>, %x2: tensor<2x3xf32>) {
  // CHECK: ge.Select({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.Select(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Select_2(%x0: tensor<2xi1>, %x1: tensor<?x3xf32>, %x2: tensor<?x3xf32>) {
  // CHECK: ge.Select({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.Select(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @SelectV2(%x0: tensor<2x1xi1>, %x1: tensor<3xf32>, %x2: tensor<f32>) {
  // CHECK: ge.SelectV2({{.*}} : tensor<2x3xf32>{{$}}
  %y = ge.SelectV2(%x0, %x1, %x2) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @BroadcastTo(%x: tensor<3x1xf32>) {
  %c0 = ge.Const() {value = dense<[2, 3, 4]> : tensor<3xi64>} : tensor<3xi64>
  // CHECK: ge.BroadcastTo({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.BroadcastTo(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @BroadcastTo_2(%x0: tensor<3xf32>, %x1: tensor<2xi64>) {
  // CHECK: ge.BroadcastTo({{.*}} : tensor<?x3xf32>{{$}}
  %y = ge.BroadcastTo(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @BiasAdd(%x0: tensor<2x3x4xf32>, %x1: tensor<4xf32>) {
  // CHECK: ge.BiasAdd({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.BiasAdd(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @BiasAdd_2(%x0: tensor<2x?x4xf32>, %x1: tensor<3xf32>) {
  // CHECK: ge.BiasAdd({{.*}} : tensor<2x3x4xf32>{{$}}
  %y = ge.BiasAdd(%x0, %x1) {data_format = "NCHW"} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Atan2(%0: tensor<2x1xf32>, %1: tensor<3xf32>) {
  // CHECK: ge.Atan2({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.Atan2(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}
