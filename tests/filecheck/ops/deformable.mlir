// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @DeformableOffsets(%0: tensor<2x5x6x4xf32>, %1: tensor<2x3x5x18xf32>) {
  // CHECK: ge.DeformableOffsets({{.*}} : tensor<2x6x15x4xf32>{{$}}
  %n = ge.DeformableOffsets(%0, %1) {strides = [1, 2, 1, 1], pads = [1, 1, 0, 1], ksize = [2, 3], data_format = "NHWC"} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @DeformableOffsetsGrad(%0: tensor<2x4x6x15xf16>, %1: tensor<?x?x?x6xf16>, %2: tensor<*xf16>) {
  // CHECK: ge.DeformableOffsetsGrad({{.*}} : tensor<2x4x?x6xf16>, tensor<2x24x3x5xf16>{{$}}
  %n, %m = ge.DeformableOffsetsGrad(%0, %1, %2) {strides = [1, 1, 2, 1], pads = [1, 1, 0, 1], ksize = [2, 3], deformable_groups = 2, modulated = false} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %m)
}
