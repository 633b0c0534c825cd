// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @FlashAttentionScoreGrad(%0: tensor<2x3x8xf32>, %1: tensor<2x5x4xf32>, %2: tensor<2x5x4xf32>, %3: tensor<2x3x8xf32>, %4: tensor<3x5xi1>, %5: tensor<2x2x3x8xf32>, %6: tensor<2x2x3x8xf32>, %7: tensor<2x3x8xf32>) {
  // CHECK: ge.FlashAttentionScoreGrad({{.*}} : tensor<2x3x8xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<0xf32>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.FlashAttentionScoreGrad(%0, %1, %2, %3, atten_mask = %4, softmax_max = %5, softmax_sum = %6, attention_in = %7) {scale_value = 0.5, head_num = 2, input_layout = "BSH"} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @FlashAttentionScoreGrad_2(%0: tensor<2x4x3x8xf16>, %1: tensor<2x2x5x8xf16>, %2: tensor<2x2x5x6xf16>, %3: tensor<2x4x3x6xf16>, %4: tensor<3x5xf16>, %5: tensor<3x5xui8>, %6: tensor<2x4x3x8xf32>, %7: tensor<2x4x3x8xf32>, %8: tensor<2x4x3x6xf16>) {
  // CHECK: ge.FlashAttentionScoreGrad({{.*}} : tensor<2x4x3x8xf16>, tensor<2x2x5x8xf16>, tensor<2x2x5x6xf16>, tensor<3x5xf16>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.FlashAttentionScoreGrad(%0, %1, %2, %3, pse_shift = %4, atten_mask = %5, softmax_max = %6, softmax_sum = %7, attention_in = %8) {head_num = 4, input_layout = "BNSD", sparse_mode = 3, pse_type = 0} : tensor<*xf16>, tensor<*xf16>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}
