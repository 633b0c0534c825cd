// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ScatterElements(%0: tensor<3x4xf32>, %1: tensor<2x4xi64>, %2: tensor<2x4xf32>) {
  // CHECK: ge.ScatterElements({{.*}} : tensor<3x4xf32>{{$}}
  %n = ge.ScatterElements(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ScatterElements_2(%0: tensor<3x?xf16>, %1: tensor<3x2xi32>, %2: tensor<3x2xf16>) {
  // CHECK: ge.ScatterElements({{.*}} : tensor<3x?xf16>{{$}}
  %n = ge.ScatterElements(%0, %1, %2) {axis = 1, reduction = "add"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @ScatterNd(%0: tensor<2x1xi64>, %1: tensor<2x4xf32>) {
  %2 = ge.Const() {value = dense<[3, 4]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.ScatterNd({{.*}} : tensor<3x4xf32>{{$}}
  %n = ge.ScatterNd(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ScatterNd_2(%0: tensor<2x1xi64>, %1: tensor<2x4xf32>, %2: tensor<2xi64>) {
  // CHECK: ge.ScatterNd({{.*}} : tensor<?x?xf32>{{$}}
  %n = ge.ScatterNd(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @TensorScatterUpdate(%0: tensor<3x4xf32>, %1: tensor<2x1xi64>, %2: tensor<2x4xf32>) {
  // CHECK: ge.TensorScatterUpdate({{.*}} : tensor<3x4xf32>{{$}}
  %n = ge.TensorScatterUpdate(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @TensorScatterUpdate_2(%0: tensor<3x4xi1>, %1: tensor<5x2xi64>, %2: tensor<5xi1>) {
  // CHECK: ge.TensorScatterUpdate({{.*}} : tensor<3x4xi1>{{$}}
  %n = ge.TensorScatterUpdate(%0, %1, %2) : tensor<*xi1>
  ge.NetOutput(%n)
}

ge.graph @ReverseSequence(%0: tensor<4x2x3xf32>, %1: tensor<2xi64>) {
  // CHECK: ge.ReverseSequence({{.*}} : tensor<4x2x3xf32>{{$}}
  %n = ge.ReverseSequence(%0, %1) {seq_dim = 0, batch_dim = 1} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ReverseSequence_2(%0: tensor<?x4xf32>, %1: tensor<2xi32>) {
  // CHECK: ge.ReverseSequence({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.ReverseSequence(%0, %1) {seq_dim = -1} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @ScatterUpdate(%0: !ge.ref<tensor<4x3xf32>>, %1: tensor<2xi64>, %2: tensor<2x3xf32>) {
  // CHECK: ge.ScatterUpdate({{.*}} : !ge.ref<tensor<4x3xf32>>{{$}}
  %n = ge.ScatterUpdate(%0, %1, %2) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @UnsortedSegmentSum(%0: tensor<4x3xf32>, %1: tensor<4xi64>) {
  %2 = ge.Const() {value = dense<2> : tensor<i64>} : tensor<i64>
  // CHECK: ge.UnsortedSegmentSum({{.*}} : tensor<2x3xf32>{{$}}
  %n = ge.UnsortedSegmentSum(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @UnsortedSegmentSum_2(%0: tensor<4x3xf32>, %1: tensor<4x3xi32>, %2: tensor<i32>) {
  // CHECK: ge.UnsortedSegmentSum({{.*}} : tensor<?xf32>{{$}}
  %n = ge.UnsortedSegmentSum(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}
