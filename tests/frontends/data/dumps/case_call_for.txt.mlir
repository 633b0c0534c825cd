builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_INT32", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 0 : i64}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 1 : i64}}]}} {
  ge.graph @root(%k: tensor<i32>, %x: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %k_1 = ge.Data(%k) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("k")
    %x_1 = ge.Data(%x) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %pick = ge.Case(%k_1, [%x_1]) {ge.dump = {in = array<i64: 0, 1>, out = array<i64: 1>, graphs = [{name = "b0"}, {name = "b1"}, {name = "b2"}]}} : tensor<4xf32> branches(%x0) {
      %x0_1 = ge.Data(%x0) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x0")
      %r = ge.Relu(%x0_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%r) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    } branches(%x1) {
      %x1_1 = ge.Data(%x1) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x1")
      %r = ge.Abs(%x1_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%r) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    } branches(%x2) {
      %x2_1 = ge.Data(%x2) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x2")
      ge.NetOutput(%x2_1) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    }
    %call, %call_1 = ge.PartitionedCall(%pick) {ge.dump = {in = array<i64: 1>, out = array<i64: 1, 1>, graphs = [{name = "called"}], absent = ["config", "config_proto", "executor_type"]}} : tensor<4xf32>, tensor<4xf32> f(%cx) {
      %cx_1 = ge.Data(%cx) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("cx")
      %two = ge.Neg(%cx_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%cx_1, %two) {ge.dump = {in = array<i64: 3, 2>, out = array<i64>, inputs = array<i64: 1, 0>}}
    }
    %start = ge.Const() {value = dense<0> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
    %limit = ge.Const() {value = dense<3> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
    %delta = ge.Const() {value = dense<1> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
    %count = ge.For(%start, %limit, %delta, [%call_1]) {ge.dump = {in = array<i64: 0, 0, 0, 1>, out = array<i64: 1>, graphs = [{name = "turn"}]}} : tensor<4xf32> body(%step, %tx) {
      %step_1 = ge.Data(%step) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("step")
      %tx_1 = ge.Data(%tx) {index = 1, ge.attr._parent_node_index = 3 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("tx")
      %grow = ge.Add(%tx_1, %tx_1) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%grow) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    }
    ge.NetOutput(%count, %call) {ge.dump = {in = array<i64: 1, 1>, out = array<i64>}}
  }
}
