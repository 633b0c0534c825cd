// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ApplyGradientDescent(%0: !ge.ref<tensor<2x3xf32>>, %1: tensor<f32>, %2: tensor<2x3xf32>) {
  // CHECK: ge.ApplyGradientDescent({{.*}} : !ge.ref<tensor<2x3xf32>>{{$}}
  %n = ge.ApplyGradientDescent(%0, %1, %2) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @ApplyGradientDescent_2(%0: !ge.ref<tensor<2x3xi32>>, %1: tensor<1xi32>, %2: tensor<2x3xi32>) {
  // CHECK: ge.ApplyGradientDescent({{.*}} : !ge.ref<tensor<2x3xi32>>{{$}}
  %n = ge.ApplyGradientDescent(%0, %1, %2) : !ge.ref<tensor<*xi32>>
  ge.NetOutput(%n)
}

ge.graph @ApplyMomentum(%0: !ge.ref<tensor<2x3xf32>>, %1: !ge.ref<tensor<2x3xf32>>, %2: tensor<f32>, %3: tensor<2x3xf32>, %4: tensor<f32>) {
  // CHECK: ge.ApplyMomentum({{.*}} : !ge.ref<tensor<2x3xf32>>{{$}}
  %n = ge.ApplyMomentum(%0, %1, %2, %3, %4) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @ApplyMomentum_2(%0: !ge.ref<tensor<2x3xf32>>, %1: !ge.ref<tensor<2x3xf32>>, %2: tensor<f32>, %3: tensor<2x3xf32>, %4: tensor<1xf32>) {
  // CHECK: ge.ApplyMomentum({{.*}} : !ge.ref<tensor<2x3xf32>>{{$}}
  %n = ge.ApplyMomentum(%0, %1, %2, %3, %4) {use_nesterov = true} : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @ApplyAdam(%0: !ge.ref<tensor<2x3xf32>>, %1: !ge.ref<tensor<2x3xf32>>, %2: !ge.ref<tensor<2x3xf32>>, %3: tensor<f32>, %4: tensor<f32>, %5: tensor<f32>, %6: tensor<f32>, %7: tensor<f32>, %8: tensor<f32>, %9: tensor<2x3xf32>) {
  // CHECK: ge.ApplyAdam({{.*}} : !ge.ref<tensor<2x3xf32>>{{$}}
  %n = ge.ApplyAdam(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @ApplyAdam_2(%0: !ge.ref<tensor<2x?xf16>>, %1: !ge.ref<tensor<2x3xf16>>, %2: !ge.ref<tensor<2x?xf16>>, %3: tensor<1xf16>, %4: tensor<1xf16>, %5: tensor<1xf16>, %6: tensor<1xf16>, %7: tensor<1xf16>, %8: tensor<1xf16>, %9: tensor<?x3xf16>) {
  // CHECK: ge.ApplyAdam({{.*}} : !ge.ref<tensor<2x?xf16>>{{$}}
  %n = ge.ApplyAdam(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) {use_nesterov = true} : !ge.ref<tensor<*xf16>>
  ge.NetOutput(%n)
}

ge.graph @ApplyAdamD(%0: !ge.ref<tensor<2x3xf32>>, %1: !ge.ref<tensor<2x3xf32>>, %2: !ge.ref<tensor<2x3xf32>>, %3: tensor<f32>, %4: tensor<f32>, %5: tensor<f32>, %6: tensor<f32>, %7: tensor<f32>, %8: tensor<f32>, %9: tensor<2x3xf32>) {
  // CHECK: ge.ApplyAdamD({{.*}} : !ge.ref<tensor<2x3xf32>>, !ge.ref<tensor<2x3xf32>>, !ge.ref<tensor<2x3xf32>>{{$}}
  %n, %n_1, %n_2 = ge.ApplyAdamD(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) {use_nesterov = true} : !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @ApplyAdamD_2(%0: !ge.ref<tensor<2x?xf16>>, %1: !ge.ref<tensor<2x3xf16>>, %2: !ge.ref<tensor<2x?xf16>>, %3: tensor<1xf16>, %4: tensor<1xf16>, %5: tensor<1xf16>, %6: tensor<1xf16>, %7: tensor<1xf16>, %8: tensor<1xf16>, %9: tensor<?x3xf16>) {
  // CHECK: ge.ApplyAdamD({{.*}} : !ge.ref<tensor<2x?xf16>>, !ge.ref<tensor<2x3xf16>>, !ge.ref<tensor<2x?xf16>>{{$}}
  %n, %n_1, %n_2 = ge.ApplyAdamD(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) : !ge.ref<tensor<*xf16>>, !ge.ref<tensor<*xf16>>, !ge.ref<tensor<*xf16>>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @ApplyAdamW(%0: !ge.ref<tensor<2x3xf32>>, %1: !ge.ref<tensor<2x3xf32>>, %2: !ge.ref<tensor<2x3xf32>>, %3: tensor<f32>, %4: tensor<f32>, %5: tensor<f32>, %6: tensor<f32>, %7: tensor<f32>, %8: tensor<f32>, %9: tensor<f32>, %10: tensor<2x3xf32>) {
  // CHECK: ge.ApplyAdamW({{.*}} : !ge.ref<tensor<2x3xf32>>, !ge.ref<tensor<2x3xf32>>, !ge.ref<tensor<2x3xf32>>{{$}}
  %n, %n_1, %n_2 = ge.ApplyAdamW(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10) : !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @ApplyAdamW_2(%0: !ge.ref<tensor<2x3xf32>>, %1: !ge.ref<tensor<2x3xf32>>, %2: !ge.ref<tensor<2x3xf32>>, %3: tensor<f32>, %4: tensor<f32>, %5: tensor<f32>, %6: tensor<f32>, %7: tensor<f32>, %8: tensor<f32>, %9: tensor<f32>, %10: tensor<2x3xf32>, %11: tensor<2x3xf32>) {
  // CHECK: ge.ApplyAdamW({{.*}} : !ge.ref<tensor<2x3xf32>>, !ge.ref<tensor<2x3xf32>>, !ge.ref<tensor<2x3xf32>>{{$}}
  %n, %n_1, %n_2 = ge.ApplyAdamW(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, max_grad_norm = %11) {maximize = true} : !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @SGD(%0: !ge.ref<tensor<2x3xf32>>, %1: tensor<2x3xf32>, %2: tensor<f32>, %3: !ge.ref<tensor<2x3xf32>>, %4: tensor<1xf32>, %5: !ge.ref<tensor<2x3xf32>>) {
  // CHECK: ge.SGD({{.*}} : !ge.ref<tensor<2x3xf32>>{{$}}
  %n = ge.SGD(%0, %1, %2, %3, %4, %5) {dampening = 0.5, weight_decay = 0.25} : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @SGD_2(%0: !ge.ref<tensor<2x3xf32>>, %1: tensor<2x3xf32>, %2: tensor<f32>, %3: !ge.ref<tensor<2x3xf32>>, %4: tensor<1xf32>, %5: !ge.ref<tensor<2x3xf32>>) {
  // CHECK: ge.SGD({{.*}} : !ge.ref<tensor<2x3xf32>>{{$}}
  %n = ge.SGD(%0, %1, %2, %3, %4, %5) {nesterov = true} : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}
