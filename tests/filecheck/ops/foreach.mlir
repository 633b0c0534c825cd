// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ForeachAbs(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachAbs({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachAbs(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAcos(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachAcos({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachAcos(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAsin(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachAsin({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachAsin(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAtan(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachAtan({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachAtan(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachCopy(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachCopy({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachCopy(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachCos(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachCos({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachCos(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachCosh(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachCosh({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachCosh(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachErf(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachErf({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachErf(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachErfc(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachErfc({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachErfc(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachExp(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachExp({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachExp(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachExpm1(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachExpm1({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachExpm1(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachLog(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachLog({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachLog(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachLog10(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachLog10({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachLog10(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachLog1p(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachLog1p({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachLog1p(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachLog2(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachLog2({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachLog2(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachNeg(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachNeg({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachNeg(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachReciprocal(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachReciprocal({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachReciprocal(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachSigmoid(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachSigmoid({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachSigmoid(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachSign(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachSign({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachSign(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachSin(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachSin({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachSin(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachSinh(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachSinh({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachSinh(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachSqrt(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachSqrt({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachSqrt(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachTan(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachTan({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachTan(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachTanh(%0: tensor<2x3xf32>, %1: tensor<?xf32>) {
  // CHECK: ge.ForeachTanh({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachTanh(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachNorm(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<i64>) {
  // CHECK: ge.ForeachNorm({{.*}} : tensor<f32>, tensor<f32>{{$}}
  %n, %m = ge.ForeachNorm([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachRoundOffNumber(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<1xi8>) {
  // CHECK: ge.ForeachRoundOffNumber({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachRoundOffNumber([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}
