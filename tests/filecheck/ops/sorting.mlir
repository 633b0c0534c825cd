// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @ArgMaxV2(%0: tensor<2x3x4xf32>) {
  %1 = ge.Const() {value = dense<1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.ArgMaxV2({{.*}} : tensor<2x4xi64>{{$}}
  %n = ge.ArgMaxV2(%0, %1) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @ArgMaxV2_2(%0: tensor<2x?xf16>) {
  %1 = ge.Const() {value = dense<-1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.ArgMaxV2({{.*}} : tensor<2xi32>{{$}}
  %n = ge.ArgMaxV2(%0, %1) {dtype = i32} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @ArgMin(%0: tensor<2x3xi32>) {
  %1 = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  // CHECK: ge.ArgMin({{.*}} : tensor<3xi64>{{$}}
  %n = ge.ArgMin(%0, %1) : tensor<*xi64>
  ge.NetOutput(%n)
}

ge.graph @TopK(%0: tensor<2x5xf32>) {
  %1 = ge.Const() {value = dense<3> : tensor<i32>} : tensor<i32>
  // CHECK: ge.TopK({{.*}} : tensor<2x3xf32>, tensor<2x3xi32>{{$}}
  %n, %n_1 = ge.TopK(%0, %1) : tensor<*xf32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @TopKV2(%0: tensor<2x5xf32>) {
  %1 = ge.Const() {value = dense<3> : tensor<i64>} : tensor<i64>
  // CHECK: ge.TopKV2({{.*}} : tensor<2x3xf32>, tensor<2x3xi64>{{$}}
  %n, %n_1 = ge.TopKV2(%0, %1) {indices_dtype = 9} : tensor<*xf32>, tensor<*xi64>
  ge.NetOutput(%n, %n_1)
}

ge.graph @TopKV2_2(%0: tensor<5x2xf16>, %1: tensor<1xi64>) {
  // CHECK: ge.TopKV2({{.*}} : tensor<?x2xf16>, tensor<?x2xi32>{{$}}
  %n, %n_1 = ge.TopKV2(%0, %1) {dim = 0, largest = false} : tensor<*xf16>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @Sort(%0: tensor<2x5xf32>) {
  // CHECK: ge.Sort({{.*}} : tensor<2x5xf32>, tensor<2x5xi32>{{$}}
  %n, %n_1 = ge.Sort(%0) : tensor<*xf32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @Sort_2(%0: tensor<5x?xi8>) {
  // CHECK: ge.Sort({{.*}} : tensor<5x?xi8>, tensor<5x?xi32>{{$}}
  %n, %n_1 = ge.Sort(%0) {axis = 0, descending = true} : tensor<*xi8>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @Unique(%0: tensor<5xf32>) {
  // CHECK: ge.Unique({{.*}} : tensor<?xf32>, tensor<5xi32>{{$}}
  %n, %n_1 = ge.Unique(%0) : tensor<*xf32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @Unique_2(%0: tensor<0xf32>) {
  // CHECK: ge.Unique({{.*}} : tensor<0xf32>, tensor<0xi32>{{$}}
  %n, %n_1 = ge.Unique(%0) : tensor<*xf32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @UniqueWithCounts(%0: tensor<5xi64>) {
  // CHECK: ge.UniqueWithCounts({{.*}} : tensor<?xi64>, tensor<5xi64>, tensor<?xi64>{{$}}
  %n, %n_1, %n_2 = ge.UniqueWithCounts(%0) {out_idx = i64} : tensor<*xi64>, tensor<*xi64>, tensor<*xi64>
  ge.NetOutput(%n, %n_1, %n_2)
}

ge.graph @ArgMaxWithValue(%0: tensor<2x3x4xf32>) {
  // CHECK: ge.ArgMaxWithValue({{.*}} : tensor<2x4xi32>, tensor<2x4xf32>{{$}}
  %n, %n_1 = ge.ArgMaxWithValue(%0) {dimension = 1} : tensor<*xi32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @ArgMinWithValue(%0: tensor<2x?xf16>) {
  // CHECK: ge.ArgMinWithValue({{.*}} : tensor<2x1xi64>, tensor<2x1xf16>{{$}}
  %n, %n_1 = ge.ArgMinWithValue(%0) {dimension = -1, keep_dims = true, indice_dtype = i64} : tensor<*xi64>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @UniqueWithCountsAndSorting(%0: tensor<2x3xf16>) {
  // CHECK: ge.UniqueWithCountsAndSorting({{.*}} : tensor<?xf16>, tensor<2x3xi64>, tensor<0xi64>{{$}}
  %n, %n_1, %n_2 = ge.UniqueWithCountsAndSorting(%0) {return_inverse = true} : tensor<*xf16>, tensor<*xi64>, tensor<*xi64>
  ge.NetOutput(%n, %n_1, %n_2)
}
