// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @MoeInitRoutingV3(%0: tensor<3x4xf32>, %1: tensor<3x2xi32>) {
  // CHECK: ge.MoeInitRoutingV3({{.*}} : tensor<6x4xf32>, tensor<6xi32>, tensor<5xi64>, tensor<6xf32>{{$}}
  %x, %i, %c, %s = ge.MoeInitRoutingV3(%0, %1) {expert_num = 5} : tensor<*xf32>, tensor<*xi32>, tensor<*xi64>, tensor<*xf32>
  ge.NetOutput(%x, %i, %c, %s)
}

ge.graph @MoeInitRoutingV3_2(%0: tensor<?x?xf16>, %1: tensor<?x?xi32>, %2: tensor<1x4xf32>) {
  // CHECK: ge.MoeInitRoutingV3({{.*}} : tensor<5x2x4xi8>, tensor<?xi32>, tensor<5xi64>, tensor<10xf32>{{$}}
  %x, %i, %c, %s = ge.MoeInitRoutingV3(%0, %1, scale = %2) {expert_num = 5, expert_capacity = 2, drop_pad_mode = 1, expert_tokens_num_type = 1, quant_mode = 1} : tensor<*xi8>, tensor<*xi32>, tensor<*xi64>, tensor<*xf32>
  ge.NetOutput(%x, %i, %c, %s)
}
