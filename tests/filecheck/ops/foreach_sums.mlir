// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ForeachAddcdivScalar(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<f16>) {
  // CHECK: ge.ForeachAddcdivScalar({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachAddcdivScalar([%0, %1], [%2, %3], [%0, %1], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAddcdivScalarList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<2xf16>) {
  // CHECK: ge.ForeachAddcdivScalarList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachAddcdivScalarList([%0, %1], [%2, %3], [%0, %1], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAddcdivList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<2xf16>) {
  // CHECK: ge.ForeachAddcdivList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachAddcdivList([%0, %1], [%2, %3], [%0, %1], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAddcmulScalar(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<f16>) {
  // CHECK: ge.ForeachAddcmulScalar({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachAddcmulScalar([%0, %1], [%2, %3], [%0, %1], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAddcmulScalarList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<2xf16>) {
  // CHECK: ge.ForeachAddcmulScalarList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachAddcmulScalarList([%0, %1], [%2, %3], [%0, %1], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachAddcmulList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<2xf16>) {
  // CHECK: ge.ForeachAddcmulList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachAddcmulList([%0, %1], [%2, %3], [%0, %1], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachLerpScalar(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>, %4: tensor<f32>) {
  // CHECK: ge.ForeachLerpScalar({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachLerpScalar([%0, %1], [%2, %3], %4) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}

ge.graph @ForeachLerpList(%0: tensor<2x?xf16>, %1: tensor<5xf16>, %2: tensor<?x4xf16>, %3: tensor<?xf16>) {
  // CHECK: ge.ForeachLerpList({{.*}} : tensor<2x4xf16>, tensor<5xf16>{{$}}
  %n, %m = ge.ForeachLerpList([%0, %1], [%0, %1], [%2, %3]) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}
