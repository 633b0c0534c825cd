// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @KvRmsNormRopeCache(%0: tensor<2x1x3x8xf16>, %1: tensor<4xf16>, %2: tensor<2x1x3x4xf16>, %3: tensor<2x1x3x4xf16>, %4: tensor<2x3xi64>, %5: !ge.ref<tensor<3x1x5x4xf16>>, %6: !ge.ref<tensor<3x1x5x4xf16>>) {
  // CHECK: ge.KvRmsNormRopeCache({{.*}} : !ge.ref<tensor<3x1x5x4xf16>>, !ge.ref<tensor<3x1x5x4xf16>>, tensor<2x1x3x4xf16>, tensor<2x1x3x4xf16>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.KvRmsNormRopeCache(%0, %1, %2, %3, %4, %5, %6) : !ge.ref<tensor<*xf16>>, !ge.ref<tensor<*xf16>>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @KvRmsNormRopeCache_2(%0: tensor<2x1x3x8xf16>, %1: tensor<4xf16>, %2: tensor<2x1x3x4xf16>, %3: tensor<2x1x3x4xf16>, %4: tensor<6xi64>, %5: !ge.ref<tensor<4x2x1x4xf16>>, %6: !ge.ref<tensor<4x2x1x4xf16>>) {
  // CHECK: ge.KvRmsNormRopeCache({{.*}} : !ge.ref<tensor<4x2x1x4xf16>>, !ge.ref<tensor<4x2x1x4xf16>>, tensor<2x1x3x4xf16>, tensor<2x1x3x4xf16>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.KvRmsNormRopeCache(%0, %1, %2, %3, %4, %5, %6) {cache_mode = "PA", is_output_kv = true} : !ge.ref<tensor<*xf16>>, !ge.ref<tensor<*xf16>>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @KvRmsNormRopeCache_3(%0: tensor<2x1x?x6xf32>, %1: tensor<2xf32>, %2: tensor<2x1x1x4xf32>, %3: tensor<2x1x1x4xf32>, %4: tensor<2x?xi64>, %5: !ge.ref<tensor<2x1x5x4xf32>>, %6: !ge.ref<tensor<2x1x5x2xf32>>) {
  // CHECK: ge.KvRmsNormRopeCache({{.*}} : !ge.ref<tensor<2x1x5x4xf32>>, !ge.ref<tensor<2x1x5x2xf32>>, tensor<2x1x?x4xf32>, tensor<2x1x?x2xf32>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.KvRmsNormRopeCache(%0, %1, %2, %3, %4, %5, %6) : !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}
