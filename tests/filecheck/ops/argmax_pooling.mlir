// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @MaxPoolWithArgmaxV1(%0: tensor<2x3x6x5xf32>) {
  // CHECK: ge.MaxPoolWithArgmaxV1({{.*}} : tensor<2x3x3x4xf32>, tensor<2x3x3x4xi32>{{$}}
  %n, %m = ge.MaxPoolWithArgmaxV1(%0) {ksize = [1, 3, 2, 1], strides = [1, 2, 1, 1], pads = [1, 1, 0, 1]} : tensor<*xf32>, tensor<*xi32>
  ge.NetOutput(%n, %m)
}

ge.graph @MaxPoolGradWithArgmaxV1(%0: tensor<?x3x?x?xf16>, %1: tensor<2x?x3x4xf16>, %2: tensor<*xi32>) {
  // CHECK: ge.MaxPoolGradWithArgmaxV1({{.*}} : tensor<2x3x?x?xf16>{{$}}
  %n = ge.MaxPoolGradWithArgmaxV1(%0, %1, %2) {ksize = [1, 3, 2, 1], strides = [1, 2, 1, 1], pads = [1, 1, 0, 1]} : tensor<*xf16>
  ge.NetOutput(%n)
}
