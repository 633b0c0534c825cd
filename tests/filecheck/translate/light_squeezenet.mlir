// RUN: ge-translate light:squeezenet | filecheck %s

// Topology, names and attributes of a model in the onnx package, its weights being generators.

// CHECK: ge.graph @squeezenet
// CHECK-SAME: ge.output_names = ["softmaxout_1"]
// CHECK: ge.Fill(%{{.*}}, %{{.*}}) : tensor<64x3x3x3xf32>
// CHECK: ge.Conv2D(%{{.*}}, %{{.*}}, bias = %{{.*}}) {strides = [1, 1, 2, 2], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x64x111x111xf32>
// CHECK-NEXT: ge.Relu
// CHECK-NEXT: ge.MaxPoolV3(%{{.*}}) {ksize = [1, 1, 3, 3], strides = [1, 1, 2, 2]
// CHECK: ge.ConcatD(%{{.*}}, %{{.*}}) {concat_dim = 1, N = 2} : tensor<1x128x55x55xf32>
// CHECK: ge.GlobalAveragePool(%{{.*}}) : tensor<1x1000x1x1xf32>
// CHECK-NEXT: ge.SoftmaxV2(%{{.*}}) {axes = [1]}
// CHECK-NEXT: ge.NetOutput
