// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @FlashAttentionScore(%0: tensor<2x3x8xf32>, %1: tensor<2x5x4xf32>, %2: tensor<2x5x4xf32>, %3: tensor<3x5xi1>) {
  // CHECK: ge.FlashAttentionScore({{.*}} : tensor<2x2x3x8xf32>, tensor<2x2x3x8xf32>, tensor<0x0x0x0xf32>, tensor<2x3x8xf32>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.FlashAttentionScore(%0, %1, %2, atten_mask = %3) {scale_value = 0.5, head_num = 2, input_layout = "BSH"} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @FlashAttentionScore_2(%0: tensor<2x4x3x8xf16>, %1: tensor<2x2x5x8xf16>, %2: tensor<2x2x5x6xf16>, %3: tensor<2x4x3x5xf16>, %4: tensor<3x5xui8>) {
  // CHECK: ge.FlashAttentionScore({{.*}} : tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<0x0x0x0xf16>, tensor<2x4x3x6xf16>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.FlashAttentionScore(%0, %1, %2, real_shift = %3, atten_mask = %4) {head_num = 4, input_layout = "BNSD", sparse_mode = 3, pse_type = 0} : tensor<*xf32>, tensor<*xf32>, tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @PromptFlashAttention(%0: tensor<2x3x8xf16>, %1: tensor<2x5x8xf16>, %2: tensor<2x5x8xf16>, %3: tensor<2x3x5xi1>) {
  // CHECK: ge.PromptFlashAttention({{.*}} : tensor<2x3x8xf16>{{$}}
  %n = ge.PromptFlashAttention(%0, %1, %2, atten_mask = %3) {num_heads = 2, num_key_value_heads = 2} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @PromptFlashAttention_2(%0: tensor<2x4x3x8xf32>, %1: tensor<2x2x5x8xf32>, %2: tensor<2x2x5x8xf32>, %3: tensor<2x4x3x5xf32>, %4: tensor<3x5xi1>) {
  // CHECK: ge.PromptFlashAttention({{.*}} : tensor<2x3x4x8xf32>{{$}}
  %n = ge.PromptFlashAttention(%0, %1, %2, pse_shift = %3, atten_mask = %4) {num_heads = 4, input_layout = "BNSD_BSND", num_key_value_heads = 2} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @IncreFlashAttention(%0: tensor<2x1x8xf16>, %1: tensor<2x5x8xf16>, %2: tensor<2x5x8xf16>, %3: tensor<2x5xi1>) {
  // CHECK: ge.IncreFlashAttention({{.*}} : tensor<2x1x8xf16>{{$}}
  %n = ge.IncreFlashAttention(%0, [%1], [%2], atten_mask = %3) {num_heads = 2, num_key_value_heads = 2} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @IncreFlashAttention_2(%0: tensor<2x2x1x4xf32>, %1: tensor<1x2x5x4xf32>, %2: tensor<1x2x3x4xf32>, %3: tensor<1x2x5x4xf32>, %4: tensor<1x2x3x4xf32>, %5: tensor<2xi64>) {
  // CHECK: ge.IncreFlashAttention({{.*}} : tensor<2x2x1x4xf32>{{$}}
  %n = ge.IncreFlashAttention(%0, [%1, %2], [%3, %4], actual_seq_lengths = %5) {num_heads = 2, input_layout = "BNSD", num_key_value_heads = 2} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @FusedInferAttentionScore(%0: tensor<2x3x8xf16>, %1: tensor<2x5x8xf16>, %2: tensor<2x5x8xf16>, %3: tensor<2x1x3x5xi1>) {
  // CHECK: ge.FusedInferAttentionScore({{.*}} : tensor<2x3x8xf16>, tensor<2x2x3x1xf32>{{$}}
  %n, %n_1 = ge.FusedInferAttentionScore(%0, [%1], [%2], atten_mask = %3) {num_heads = 2, softmax_lse_flag = true} : tensor<*xf16>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @FusedInferAttentionScore_2(%0: tensor<?x4x3x8xf16>, %1: tensor<?x2x5x8xf16>, %2: tensor<?x2x5x6xf16>, %3: tensor<3x5xui8>) {
  // CHECK: ge.FusedInferAttentionScore({{.*}} : tensor<?x4x3x6xf16>, tensor<0xf32>{{$}}
  %n, %n_1 = ge.FusedInferAttentionScore(%0, [%1], [%2], atten_mask = %3) {num_heads = 4, pre_tokens = 1, next_tokens = 1, input_layout = "BNSD", num_key_value_heads = 2, sparse_mode = 4} : tensor<*xf16>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}
