// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Index(%0: tensor<4x5x6xf32>, %1: tensor<2xi64>) {
  %2 = ge.Const() {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  %3 = ge.Const() {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  // CHECK: ge.Index({{.*}} : tensor<4x2x6xf32>{{$}}
  %n = ge.Index(%0, %2, %3, [%1]) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Index_2(%0: tensor<4x5x6xf32>, %1: tensor<2x1xi64>, %2: tensor<3xi32>) {
  %3 = ge.Const() {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  %4 = ge.Const() {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  // CHECK: ge.Index({{.*}} : tensor<2x3x6xf32>{{$}}
  %n = ge.Index(%0, %3, %4, [%1, %2]) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @IndexByTensor(%0: tensor<4x?xf16>, %1: tensor<2x3xi64>) {
  // CHECK: ge.IndexByTensor({{.*}} : tensor<4x2x3xf16>{{$}}
  %n = ge.IndexByTensor(%0, [%1]) {indices_mask = [0, 1]} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @IndexByTensor_2(%0: tensor<4x5x6xi8>, %1: tensor<2xi64>, %2: tensor<1xi64>) {
  // CHECK: ge.IndexByTensor({{.*}} : tensor<2x6xi8>{{$}}
  %n = ge.IndexByTensor(%0, [%1, %2]) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @IndexPutV2(%0: tensor<4x5x6xf32>, %1: tensor<2x6xf32>, %2: tensor<2xi64>) {
  %3 = ge.Const() {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  %4 = ge.Const() {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  // CHECK: ge.IndexPutV2({{.*}} : tensor<4x5x6xf32>{{$}}
  %n = ge.IndexPutV2(%0, %1, %3, %4, [%2]) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @IndexPutV2_2(%0: tensor<4x5x6xf32>, %1: tensor<f32>, %2: tensor<2xi64>, %3: tensor<2xi32>) {
  %4 = ge.Const() {value = dense<[1, 0, 1]> : tensor<3xi64>} : tensor<3xi64>
  %5 = ge.Const() {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  // CHECK: ge.IndexPutV2({{.*}} : tensor<4x5x6xf32>{{$}}
  %n = ge.IndexPutV2(%0, %1, %4, %5, [%2, %3]) {accumulate = true} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @InplaceIndexAdd(%0: tensor<4x5xf32>, %1: tensor<2xi64>, %2: tensor<4x2xf32>) {
  // CHECK: ge.InplaceIndexAdd({{.*}} : tensor<4x5xf32>{{$}}
  %n = ge.InplaceIndexAdd(%0, %1, %2) {axis = 1} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @InplaceIndexAdd_2(%0: tensor<4x?xi32>, %1: tensor<2xi32>, %2: tensor<2x?xi32>, %3: tensor<i32>) {
  // CHECK: ge.InplaceIndexAdd({{.*}} : tensor<4x?xi32>{{$}}
  %n = ge.InplaceIndexAdd(%0, %1, %2, alpha = %3) {axis = -2} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @StridedSliceGrad(%0: tensor<2x5xf32>) {
  %1 = ge.Const() {value = dense<[4, 5]> : tensor<2xi64>} : tensor<2xi64>
  %2 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %3 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  %4 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.StridedSliceGrad({{.*}} : tensor<4x5xf32>{{$}}
  %n = ge.StridedSliceGrad(%1, %2, %3, %4, %0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @StridedSliceGrad_2(%0: tensor<3xf16>) {
  %1 = ge.Const() {value = dense<[4, 5]> : tensor<2xi64>} : tensor<2xi64>
  %2 = ge.Const() {value = dense<[1, 0]> : tensor<2xi64>} : tensor<2xi64>
  %3 = ge.Const() {value = dense<[2, 5]> : tensor<2xi64>} : tensor<2xi64>
  %4 = ge.Const() {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.StridedSliceGrad({{.*}} : tensor<4x5xf16>{{$}}
  %n = ge.StridedSliceGrad(%1, %2, %3, %4, %0) {shrink_axis_mask = 1} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @SearchSorted(%0: tensor<5xf32>, %1: tensor<2x3xf32>) {
  // CHECK: ge.SearchSorted({{.*}} : tensor<2x3xi64>{{$}}
  %n = ge.SearchSorted(%0, %1) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @SearchSorted_2(%0: tensor<2x5xi32>, %1: tensor<2x3xi32>) {
  // CHECK: ge.SearchSorted({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.SearchSorted(%0, %1) {dtype = i32, right = true} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @AsStrided(%0: tensor<2x6xf32>) {
  %1 = ge.Const() {value = dense<[3, 2]> : tensor<2xi64>} : tensor<2xi64>
  %2 = ge.Const() {value = dense<[1, 4]> : tensor<2xi64>} : tensor<2xi64>
  %3 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.AsStrided({{.*}} : tensor<3x2xf32>{{$}}
  %n = ge.AsStrided(%0, %1, %2, %3) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @AsStrided_2(%0: tensor<2x?xi8>, %1: tensor<2xi64>, %2: tensor<2xi64>, %3: tensor<1xi64>) {
  // CHECK: ge.AsStrided({{.*}} : tensor<?x?xi8>{{$}}
  %n = ge.AsStrided(%0, %1, %2, %3) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @ViewCopy(%0: tensor<2x6xf32>, %1: tensor<4xf32>) {
  %2 = ge.Const() {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %3 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  %4 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %5 = ge.Const() {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %6 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %7 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.ViewCopy({{.*}} : tensor<2x6xf32>{{$}}
  %n = ge.ViewCopy(%0, %2, %3, %4, %1, %5, %6, %7) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @EmbeddingDenseGrad(%0: tensor<2x3x4xf32>, %1: tensor<2x3xi64>) {
  // CHECK: ge.EmbeddingDenseGrad({{.*}} : tensor<7x4xf32>{{$}}
  %n = ge.EmbeddingDenseGrad(%0, %1) {num_weights = 7} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @DynamicPartition(%0: tensor<4x5xf32>, %1: tensor<4xi32>) {
  // CHECK: ge.DynamicPartition({{.*}} : tensor<?x5xf32>, tensor<?x5xf32>{{$}}
  %n, %n_1 = ge.DynamicPartition(%0, %1) {num_partitions = 2} : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @DynamicPartition_2(%0: tensor<4x5xi8>, %1: tensor<4x5xi32>) {
  // CHECK: ge.DynamicPartition({{.*}} : tensor<?xi8>{{$}}
  %n = ge.DynamicPartition(%0, %1) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @DynamicStitch(%0: tensor<2xi32>, %1: tensor<i32>, %2: tensor<2x3xf32>, %3: tensor<3xf32>) {
  // CHECK: ge.DynamicStitch({{.*}} : tensor<?x3xf32>{{$}}
  %n = ge.DynamicStitch([%0, %1], [%2, %3]) {N = 2} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @UniqueConsecutive(%0: tensor<2x3xf32>) {
  // CHECK: ge.UniqueConsecutive({{.*}} : tensor<?xf32>, tensor<0xi64>, tensor<0xi64>{{$}}
  %n, %n_1, %n_2 = ge.UniqueConsecutive(%0) : tensor<*xf32>, tensor<*xi64>, tensor<*xi64>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @UniqueConsecutive_2(%0: tensor<2x3xi32>) {
  // CHECK: ge.UniqueConsecutive({{.*}} : tensor<2x?xi32>, tensor<3xi32>, tensor<?xi32>{{$}}
  %n, %n_1, %n_2 = ge.UniqueConsecutive(%0) {return_idx = true, return_counts = true, axis = 1, out_idx = i32} : tensor<*xi32>, tensor<*xi32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1, %n_2)
}
