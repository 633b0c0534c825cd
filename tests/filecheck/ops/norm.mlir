// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @BatchNorm(%x0: tensor<2x4x3x3xf16>, %x1: tensor<4xf32>, %x2: tensor<4xf32>, %x3: tensor<4xf32>, %x4: tensor<4xf32>) {
  // CHECK: ge.BatchNorm({{.*}} : tensor<2x4x3x3xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>{{$}}
  %y0, %y1, %y2, %y3, %y4, %y5 = ge.BatchNorm(%x0, %x1, %x2, mean = %x3, variance = %x4) {data_format = "NCHW", is_training = false} : tensor<*xf16>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1, %y2, %y3, %y4, %y5)
}

ge.graph @BatchNorm_2(%x0: tensor<2x3x3x4xf32>, %x1: tensor<4xf32>, %x2: tensor<4xf32>) {
  // CHECK: ge.BatchNorm({{.*}} : tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>{{$}}
  %y0, %y1, %y2, %y3, %y4, %y5 = ge.BatchNorm(%x0, %x1, %x2) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%y0, %y1, %y2, %y3, %y4, %y5)
}

ge.graph @BNInfer(%x0: tensor<2x4x3x3xf16>, %x1: tensor<4xf32>, %x2: tensor<4xf32>, %x3: tensor<4xf32>, %x4: tensor<4xf32>) {
  // CHECK: ge.BNInfer({{.*}} : tensor<2x4x3x3xf16>{{$}}
  %y = ge.BNInfer(%x0, %x1, %x2, %x3, %x4) {epsilon = 1.0e-05} : tensor<*xf16>
  ge.NetOutput(%y)
}

ge.graph @BNInfer_2(%x0: tensor<2x?x3x3xf32>, %x1: tensor<4xf32>, %x2: tensor<4xf32>, %x3: tensor<4xf32>, %x4: tensor<4xf32>) {
  // CHECK: ge.BNInfer({{.*}} : tensor<2x4x3x3xf32>{{$}}
  %y = ge.BNInfer(%x0, %x1, %x2, %x3, %x4) {epsilon = 1.0e-05} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @LRN(%x: tensor<2x4x9x9xf32>) {
  // CHECK: ge.LRN({{.*}} : tensor<2x4x9x9xf32>{{$}}
  %y = ge.LRN(%x) {depth_radius = 2, alpha = 0.0001, beta = 0.75} : tensor<*xf32>
  ge.NetOutput(%y)
}
