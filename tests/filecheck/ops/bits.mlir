// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @LeftShift(%0: tensor<2x1xui8>, %1: tensor<3xui8>) {
  // CHECK: ge.LeftShift({{.*}} : tensor<2x3xui8>{{$}}
  %n = ge.LeftShift(%0, %1) : tensor<*xui8>
  ge.NetOutput(%n)
}

ge.graph @RightShift(%0: tensor<2x1xi32>, %1: tensor<3xi32>) {
  // CHECK: ge.RightShift({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.RightShift(%0, %1) : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Bitcast(%0: tensor<2x3xf32>) {
  // CHECK: ge.Bitcast({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.Bitcast(%0) {type = i32} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @Bitcast_2(%0: tensor<2x3xf32>) {
  // CHECK: ge.Bitcast({{.*}} : tensor<2x3x4xui8>{{$}}
  %n = ge.Bitcast(%0) {type = ui8} : tensor<*xui8>
  ge.NetOutput(%n)
}
