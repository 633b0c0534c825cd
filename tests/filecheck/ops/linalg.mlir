// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @MatrixDeterminant(%0: tensor<2x3x3xf32>) {
  // CHECK: ge.MatrixDeterminant({{.*}} : tensor<2xf32>{{$}}
  %n = ge.MatrixDeterminant(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MatrixDeterminant_2(%0: tensor<?x?xf64>) {
  // CHECK: ge.MatrixDeterminant({{.*}} : tensor<f64>{{$}}
  %n = ge.MatrixDeterminant(%0) : tensor<*xf64>
  ge.NetOutput(%n)
}
