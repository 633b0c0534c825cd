// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Empty() {
  %0 = ge.Const() {value = dense<[2, 3]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.Empty({{.*}} : tensor<2x3xf16>{{$}}
  %n = ge.Empty(%0) {dtype = 1} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Empty_2(%0: tensor<2xi32>) {
  // CHECK: ge.Empty({{.*}} : tensor<?x?xi32>{{$}}
  %n = ge.Empty(%0) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Eye() {
  // CHECK: ge.Eye({{.*}} : tensor<3x3xf32>{{$}}
  %n = ge.Eye() {num_rows = 3} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Eye_2() {
  // CHECK: ge.Eye({{.*}} : tensor<4x2x3xi32>{{$}}
  %n = ge.Eye() {num_rows = 2, num_columns = 3, batch_shape = [4], dtype = 3} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Diag(%0: tensor<2x?xf32>) {
  // CHECK: ge.Diag({{.*}} : tensor<2x?x2x?xf32>{{$}}
  %n = ge.Diag(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Diag_2(%0: tensor<3xi1>) {
  // CHECK: ge.Diag({{.*}} : tensor<3x3xi1>{{$}}
  %n = ge.Diag(%0) : tensor<*xi1>
  ge.NetOutput(%n)
}

ge.graph @LinSpace(%0: tensor<f32>, %1: tensor<1xf32>) {
  %2 = ge.Const() {value = dense<5> : tensor<i64>} : tensor<i64>
  // CHECK: ge.LinSpace({{.*}} : tensor<5xf32>{{$}}
  %n = ge.LinSpace(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @LinSpace_2(%0: tensor<f16>, %1: tensor<f16>, %2: tensor<i64>) {
  // CHECK: ge.LinSpace({{.*}} : tensor<?xf16>{{$}}
  %n = ge.LinSpace(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @PadV2(%0: tensor<2x?xf32>, %1: tensor<f32>) {
  %2 = ge.Const() {value = dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  // CHECK: ge.PadV2({{.*}} : tensor<5x?xf32>{{$}}
  %n = ge.PadV2(%0, %2, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @PadV2_2(%0: tensor<2x3xi8>, %1: tensor<2x2xi32>, %2: tensor<1xi8>) {
  // CHECK: ge.PadV2({{.*}} : tensor<?x?xi8>{{$}}
  %n = ge.PadV2(%0, %1, %2) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @Trilu(%0: tensor<2x3x?xf16>) {
  // CHECK: ge.Trilu({{.*}} : tensor<2x3x?xf16>{{$}}
  %n = ge.Trilu(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @Trilu_2(%0: tensor<3x4xi32>) {
  %1 = ge.Const() {value = dense<-1> : tensor<i64>} : tensor<i64>
  // CHECK: ge.Trilu({{.*}} : tensor<3x4xi32>{{$}}
  %n = ge.Trilu(%0, k = %1) {upper = 0} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @SpaceToBatchND(%0: tensor<2x3x4x5xf32>) {
  %1 = ge.Const() {value = dense<2> : tensor<2xi64>} : tensor<2xi64>
  %2 = ge.Const() {value = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  // CHECK: ge.SpaceToBatchND({{.*}} : tensor<8x2x3x5xf32>{{$}}
  %n = ge.SpaceToBatchND(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @SpaceToBatchND_2(%0: tensor<2x?x4xf16>) {
  %1 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  %2 = ge.Const() {value = dense<[[1, 0]]> : tensor<1x2xi64>} : tensor<1x2xi64>
  // CHECK: ge.SpaceToBatchND({{.*}} : tensor<4x?x4xf16>{{$}}
  %n = ge.SpaceToBatchND(%0, %1, %2) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @BatchToSpaceND(%0: tensor<8x2x3x5xf32>) {
  %1 = ge.Const() {value = dense<2> : tensor<2xi64>} : tensor<2xi64>
  %2 = ge.Const() {value = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  // CHECK: ge.BatchToSpaceND({{.*}} : tensor<2x3x4x5xf32>{{$}}
  %n = ge.BatchToSpaceND(%0, %1, %2) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @BatchToSpaceND_2(%0: tensor<?x2x3xi8>) {
  %1 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  %2 = ge.Const() {value = dense<0> : tensor<1x2xi64>} : tensor<1x2xi64>
  // CHECK: ge.BatchToSpaceND({{.*}} : tensor<?x4x3xi8>{{$}}
  %n = ge.BatchToSpaceND(%0, %1, %2) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @Expand(%0: tensor<3x1xf32>) {
  %1 = ge.Const() {value = dense<[2, 1, 4]> : tensor<3xi64>} : tensor<3xi64>
  // CHECK: ge.Expand({{.*}} : tensor<2x3x4xf32>{{$}}
  %n = ge.Expand(%0, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @Expand_2(%0: tensor<2x3xi8>, %1: tensor<1xi64>) {
  // CHECK: ge.Expand({{.*}} : tensor<2x3xi8>{{$}}
  %n = ge.Expand(%0, %1) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @MatrixDiagV2(%0: tensor<2x3xf32>, %1: tensor<f32>) {
  %2 = ge.Const() {value = dense<[0]> : tensor<1xi32>} : tensor<1xi32>
  %3 = ge.Const() {value = dense<[-1]> : tensor<1xi32>} : tensor<1xi32>
  %4 = ge.Const() {value = dense<[-1]> : tensor<1xi32>} : tensor<1xi32>
  // CHECK: ge.MatrixDiagV2({{.*}} : tensor<2x3x3xf32>{{$}}
  %n = ge.MatrixDiagV2(%0, %2, %3, %4, %1) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MatrixDiagV2_2(%0: tensor<3x2xi8>, %1: tensor<1xi8>) {
  %2 = ge.Const() {value = dense<[-1, 1]> : tensor<2xi32>} : tensor<2xi32>
  %3 = ge.Const() {value = dense<[3]> : tensor<1xi32>} : tensor<1xi32>
  %4 = ge.Const() {value = dense<[2]> : tensor<1xi32>} : tensor<1xi32>
  // CHECK: ge.MatrixDiagV2({{.*}} : tensor<3x2xi8>{{$}}
  %n = ge.MatrixDiagV2(%0, %2, %3, %4, %1) : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @ParallelConcatStart() {
  // CHECK: ge.ParallelConcatStart({{.*}}) {shape = [2, 0, 3]} : tensor<2x0x3xi32>{{$}}
  %n = ge.ParallelConcatStart() {shape = [2, 0, 3]} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @ParallelConcatStart_2() {
  // CHECK: ge._ParallelConcatStart({{.*}}) {dtype = f16, shape = [4]} : tensor<4xf16>{{$}}
  %n = ge._ParallelConcatStart() {dtype = f16, shape = [4]} : tensor<*xf16>
  ge.NetOutput(%n)
}
