// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ScatterNdUpdate(%0: !ge.ref<tensor<4x5xf32>>, %1: tensor<2x1xi64>, %2: tensor<2x5xf32>) {
  // CHECK: ge.ScatterNdUpdate({{.*}} : !ge.ref<tensor<4x5xf32>>{{$}}
  %n = ge.ScatterNdUpdate(%0, %1, %2) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @ScatterNdUpdate_2(%0: !ge.ref<tensor<4x5xi8>>, %1: tensor<3x2xi32>, %2: tensor<3xi8>) {
  // CHECK: ge.ScatterNdUpdate({{.*}} : !ge.ref<tensor<4x5xi8>>{{$}}
  %n = ge.ScatterNdUpdate(%0, %1, %2) : !ge.ref<tensor<*xi8>>
  ge.NetOutput(%n)
}

ge.graph @StridedSliceAssign(%0: !ge.ref<tensor<4x5xf32>>, %1: tensor<2x5xf32>) {
  %2 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %3 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  %4 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.StridedSliceAssign({{.*}} : !ge.ref<tensor<4x5xf32>>{{$}}
  %n = ge.StridedSliceAssign(%0, %2, %3, %4, %1) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @StridedSliceAssign_2(%0: !ge.ref<tensor<4x5xi32>>, %1: tensor<3xi32>) {
  %2 = ge.Const() {value = dense<[1, 0]> : tensor<2xi64>} : tensor<2xi64>
  %3 = ge.Const() {value = dense<[2, 5]> : tensor<2xi64>} : tensor<2xi64>
  %4 = ge.Const() {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.StridedSliceAssign({{.*}} : !ge.ref<tensor<4x5xi32>>{{$}}
  %n = ge.StridedSliceAssign(%0, %2, %3, %4, %1) {shrink_axis_mask = 1} : !ge.ref<tensor<*xi32>>
  ge.NetOutput(%n)
}

ge.graph @ScatterPaKvCache(%0: tensor<6x2x3xf16>, %1: !ge.ref<tensor<5x4x2x3xf16>>, %2: tensor<6xi32>, %3: tensor<6x2x3xf16>, %4: !ge.ref<tensor<5x4x2x3xf16>>) {
  // CHECK: ge.ScatterPaKvCache({{.*}} : !ge.ref<tensor<5x4x2x3xf16>>, !ge.ref<tensor<5x4x2x3xf16>>{{$}}
  %n, %n_1 = ge.ScatterPaKvCache(%0, %1, %2, %3, %4) : !ge.ref<tensor<*xf16>>, !ge.ref<tensor<*xf16>>
  ge.NetOutput(%n, %n_1)
}
