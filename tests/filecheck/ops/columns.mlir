// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Col2im(%0: tensor<2x3x6x?xf16>) {
  %1 = ge.Const() {value = dense<[4, 5]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.Col2im({{.*}} : tensor<2x3x4x5xf16>{{$}}
  %n = ge.Col2im(%0, %1) {kernel_size = [2, 3], dilation = [1, 1], padding = [1, 0], stride = [2, 1]} : tensor<*xf16>
  ge.NetOutput(%n)
}
