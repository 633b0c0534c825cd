// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ForeachAddScalar(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<f32>) {
  // CHECK: ge.ForeachAddScalar({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachAddScalar([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAddScalarList(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<2xf32>) {
  // CHECK: ge.ForeachAddScalarList({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachAddScalarList([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAddList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<f32>) {
  // CHECK: ge.ForeachAddList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachAddList([%0, %1], [%2, %3], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachSubScalar(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<f32>) {
  // CHECK: ge.ForeachSubScalar({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachSubScalar([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachSubScalarList(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<2xf32>) {
  // CHECK: ge.ForeachSubScalarList({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachSubScalarList([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachSubList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<f32>) {
  // CHECK: ge.ForeachSubList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachSubList([%0, %1], [%2, %3], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMulScalar(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<f32>) {
  // CHECK: ge.ForeachMulScalar({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachMulScalar([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMulScalarList(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<2xf32>) {
  // CHECK: ge.ForeachMulScalarList({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachMulScalarList([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMulList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>) {
  // CHECK: ge.ForeachMulList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachMulList([%0, %1], [%2, %3]) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachDivScalar(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<f32>) {
  // CHECK: ge.ForeachDivScalar({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachDivScalar([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachDivScalarList(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<2xf32>) {
  // CHECK: ge.ForeachDivScalarList({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachDivScalarList([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachDivList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>) {
  // CHECK: ge.ForeachDivList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachDivList([%0, %1], [%2, %3]) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMaximumScalar(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<f32>) {
  // CHECK: ge.ForeachMaximumScalar({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachMaximumScalar([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMaximumScalarList(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<2xf32>) {
  // CHECK: ge.ForeachMaximumScalarList({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachMaximumScalarList([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMaximumList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>) {
  // CHECK: ge.ForeachMaximumList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachMaximumList([%0, %1], [%2, %3]) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMinimumScalar(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<f32>) {
  // CHECK: ge.ForeachMinimumScalar({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachMinimumScalar([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMinimumScalarList(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<2xf32>) {
  // CHECK: ge.ForeachMinimumScalarList({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachMinimumScalarList([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachMinimumList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>) {
  // CHECK: ge.ForeachMinimumList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachMinimumList([%0, %1], [%2, %3]) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachPowScalar(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<f32>) {
  // CHECK: ge.ForeachPowScalar({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachPowScalar([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachPowScalarList(%0: tensor<2x3xf32>, %1: tensor<?xf32>, %2: tensor<2xf32>) {
  // CHECK: ge.ForeachPowScalarList({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachPowScalarList([%0, %1], %2) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachPowList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>) {
  // CHECK: ge.ForeachPowList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachPowList([%0, %1], [%2, %3]) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachPowScalarAndTensor(%0: tensor<i64>, %1: tensor<2x3xf32>, %2: tensor<?xf32>) {
  // CHECK: ge.ForeachPowScalarAndTensor({{.*}} : tensor<2x3xf32>, tensor<?xf32>{{$}}
  %n, %m = ge.ForeachPowScalarAndTensor(%0, [%1, %2]) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %m)
}
