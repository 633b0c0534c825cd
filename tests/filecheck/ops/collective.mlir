// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @HcomAllReduce(%0: tensor<2x?xf16>) {
  // CHECK: ge.HcomAllReduce({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.HcomAllReduce(%0) {reduction = "sum", group = "hccl_world_group"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @HcomAllReduce_2(%0: tensor<i32>) {
  // CHECK: ge.HcomAllReduce({{.*}} : tensor<i32>{{$}}
  %n = ge.HcomAllReduce(%0) {reduction = "max", group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomReduce(%0: tensor<2x3xi32>) {
  // CHECK: ge.HcomReduce({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.HcomReduce(%0) {root_rank = 0, reduction = "sum", group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllGather(%0: tensor<2x3xi32>) {
  // CHECK: ge.HcomAllGather({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.HcomAllGather(%0) {rank_size = 1, group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllGather_2(%0: tensor<2x?xi8>) {
  // CHECK: ge.HcomAllGather({{.*}} : tensor<4x?xi8>{{$}}
  %n = ge.HcomAllGather(%0) {rank_size = 2, group = "hccl_world_group"} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @HcomReduceScatter(%0: tensor<4x3xi32>) {
  // CHECK: ge.HcomReduceScatter({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.HcomReduceScatter(%0) {reduction = "sum", group = "hccl_world_group", rank_size = 2} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomReduceScatter_2(%0: tensor<?x3xi32>) {
  // CHECK: ge.HcomReduceScatter({{.*}} : tensor<?x3xi32>{{$}}
  %n = ge.HcomReduceScatter(%0) {reduction = "sum", group = "hccl_world_group", rank_size = 1} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllToAll(%0: tensor<4x3xi32>) {
  // CHECK: ge.HcomAllToAll({{.*}} : tensor<4x3xi32>{{$}}
  %n = ge.HcomAllToAll(%0) {rank_size = 2, group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomBroadcast(%0: tensor<2x3xf32>, %1: tensor<i32>) {
  // CHECK: ge.HcomBroadcast({{.*}} : tensor<2x3xf32>, tensor<i32>{{$}}
  %n, %n_1 = ge.HcomBroadcast(%0, %1) {root_rank = 0, group = "hccl_world_group"} : tensor<*xf32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @HcomSend(%0: tensor<2x3xi32>) {
  // CHECK: ge.HcomSend({{.*$}}
  ge.HcomSend(%0) {group = "hccl_world_group", sr_tag = 0, dest_rank = 1}
  ge.NetOutput()
}

ge.graph @HcomReceive() {
  // CHECK: ge.HcomReceive({{.*}} : tensor<2x3xi32>{{$}}
  %n = ge.HcomReceive() {group = "hccl_world_group", sr_tag = 0, src_rank = 1, shape = [2, 3], dtype = i32} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllToAllV(%0: tensor<6xi32>) {
  %1 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  %2 = ge.Const() {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %3 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  %4 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.HcomAllToAllV({{.*}} : tensor<6xi32>{{$}}
  %n = ge.HcomAllToAllV(%0, %1, %2, %3, %4) {group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllToAllV_2(%0: tensor<6xi32>, %1: tensor<2xi64>, %2: tensor<2xi64>, %3: tensor<2xi64>, %4: tensor<2xi64>) {
  // CHECK: ge.HcomAllToAllV({{.*}} : tensor<?xi32>{{$}}
  %n = ge.HcomAllToAllV(%0, %1, %2, %3, %4) {group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllToAllVC(%0: tensor<6xi32>) {
  %1 = ge.Const() {value = dense<[[4]]> : tensor<1x1xi64>} : tensor<1x1xi64>
  // CHECK: ge.HcomAllToAllVC({{.*}} : tensor<4xi32>{{$}}
  %n = ge.HcomAllToAllVC(%0, %1) {rank = 0, group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllToAllVC_2(%0: tensor<6xi32>, %1: tensor<2x2xi64>) {
  // CHECK: ge.HcomAllToAllVC({{.*}} : tensor<?xi32>{{$}}
  %n = ge.HcomAllToAllVC(%0, %1) {rank = 1, group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllGatherV(%0: tensor<2x3xi32>) {
  %1 = ge.Const() {value = dense<[5]> : tensor<1xi64>} : tensor<1xi64>
  %2 = ge.Const() {value = dense<[5]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.HcomAllGatherV({{.*}} : tensor<5xi32>{{$}}
  %n = ge.HcomAllGatherV(%0, %1, %2) {group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomAllGatherV_2(%0: tensor<2x3xi32>, %1: tensor<1xi64>) {
  %2 = ge.Const() {value = dense<[5, 2]> : tensor<2xi64>} : tensor<2xi64>
  %3 = ge.Const() {value = dense<[3, 0]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.HcomAllGatherV({{.*}} : tensor<8xi32>{{$}}
  %n = ge.HcomAllGatherV(%0, %1, %2, recv_displacements = %3) {group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @HcomReduceScatterV(%0: tensor<2x3xi32>) {
  %1 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  %2 = ge.Const() {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  %3 = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.HcomReduceScatterV({{.*}} : tensor<4xi32>{{$}}
  %n = ge.HcomReduceScatterV(%0, %1, %2, send_displacements = %3) {reduction = "sum", group = "hccl_world_group"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @MatmulAllReduce(%0: tensor<2x3xf16>, %1: tensor<3x4xf16>, %2: tensor<4xf16>, %3: tensor<2x4xf16>) {
  // CHECK: ge.MatmulAllReduce({{.*}} : tensor<2x4xf16>{{$}}
  %n = ge.MatmulAllReduce(%0, %1, bias = %2, x3 = %3) {group = "hccl_world_group"} : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @MatmulAllReduce_2(%0: tensor<5x2x3xbf16>, %1: tensor<4x3xbf16>) {
  // CHECK: ge.MatmulAllReduce({{.*}} : tensor<5x2x4xbf16>{{$}}
  %n = ge.MatmulAllReduce(%0, %1) {group = "hccl_world_group", is_trans_b = true} : tensor<*xbf16>
  ge.NetOutput(%n)
}

ge.graph @AllGatherMatmul(%0: tensor<2x3xf16>, %1: tensor<3x4xf16>) {
  // CHECK: ge.AllGatherMatmul({{.*}} : tensor<2x4xf16>, tensor<2x3xf16>{{$}}
  %n, %n_1 = ge.AllGatherMatmul(%0, %1) {group = "hccl_world_group", rank_size = 1} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @AllGatherMatmul_2(%0: tensor<?x3xf16>, %1: tensor<3x4xf16>, %2: tensor<4xf16>) {
  // CHECK: ge.AllGatherMatmul({{.*}} : tensor<?x4xf16>, tensor<0xf16>{{$}}
  %n, %n_1 = ge.AllGatherMatmul(%0, %1, bias = %2) {group = "hccl_world_group", rank_size = 2, is_gather_out = false} : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @MatmulReduceScatter(%0: tensor<4x3xf32>, %1: tensor<3x4xf32>) {
  // CHECK: ge.MatmulReduceScatter({{.*}} : tensor<4x4xf32>{{$}}
  %n = ge.MatmulReduceScatter(%0, %1) {group = "hccl_world_group", rank_size = 1} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @MatmulReduceScatter_2(%0: tensor<4x3xf16>, %1: tensor<3x4xf16>, %2: tensor<4xf16>) {
  // CHECK: ge.MatmulReduceScatter({{.*}} : tensor<?x4xf16>{{$}}
  %n = ge.MatmulReduceScatter(%0, %1, bias = %2) {group = "hccl_world_group"} : tensor<*xf16>
  ge.NetOutput(%n)
}
