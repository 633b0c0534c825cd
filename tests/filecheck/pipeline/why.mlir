// RUN: ge-opt %s -p fuse --why conv -o /dev/null 2>&1 | filecheck %s
// RUN: ge-opt %s -p fuse --trace-pattern=conv-bn -o /dev/null 2>&1 | filecheck %s --check-prefix=TRACE
// RUN: ge-opt %s -p fuse --fusion-report=- -o /dev/null 2>&1 | filecheck %s --check-prefix=TABLE

ge.graph @g(%x: tensor<1x2x4x4xf32>) {
  %w = ge.Const() {value = dense<0.5> : tensor<2x2x1x1xf32>} : tensor<2x2x1x1xf32>
  %g = ge.Const() {value = dense<1.5> : tensor<2xf32>} : tensor<2xf32>
  %conv = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x2x4x4xf32>
  %y = ge.BNInfer(%conv, %g, %g, %g, %g) {epsilon = 0.001} : tensor<1x2x4x4xf32>
  ge.NetOutput(%y, %conv)
}

// CHECK:      why conv?
// CHECK-NEXT:   was 'conv', Conv2D in @g
// CHECK-NEXT:   fuse/conv-bn-fold
// CHECK-NEXT:     missed    conv-bn missed: the result of the convolution has other users at y
// CHECK-NEXT:               with conv
// CHECK:        is 'conv', Conv2D in @g
// CHECK-NEXT:   nothing said by conv-scale-fold

// TRACE:      [conv-bn-fold] conv-bn at y (BNInfer)
// TRACE-NEXT:     with  conv (Conv2D)
// TRACE:          FAIL  the result of the convolution has other users
// TRACE-NEXT:     missed

// TABLE:      pass {{.*}} matched  effected
// TABLE-NEXT: conv-bn-fold {{ *}} 1 {{ *}} 0
// TABLE-NEXT: {{ *}} 1  the result of the convolution has other users
