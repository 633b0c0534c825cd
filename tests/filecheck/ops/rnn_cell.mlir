// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @BasicRNNCell(%0: tensor<3x4xf16>, %1: tensor<4x5xf16>, %2: tensor<5xf32>, %3: tensor<5x2xf16>, %4: tensor<2xf32>) {
  // CHECK: ge.BasicRNNCell({{.*}} : tensor<3x2xf32>, tensor<3x5xf32>{{$}}
  %o, %h = ge.BasicRNNCell(%0, w_xh = %1, bias_h = %2, w_ho = %3, bias_o = %4) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%o, %h)
}
