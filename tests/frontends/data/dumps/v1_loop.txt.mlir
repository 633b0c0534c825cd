builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_INT32", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}, {dtype = "DT_BOOL", shape = {}, layout = "ND"}, {dtype = "DT_INT32", shape = {}, layout = "ND", attr = {_parent_node_index = 0 : i64}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 1 : i64}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 2 : i64}}]}} {
  ge.graph @root(%n: tensor<i32>, %x: tensor<4xf32>, %k: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %n_1 = ge.Data(%n) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("n")
    %x_1 = ge.Data(%x) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %k_1 = ge.Data(%k) {index = 2, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("k")
    %loop, %loop_1, %loop_2, %loop_done = ge.While(%n_1, %x_1, %k_1) {ge.dump = {in = array<i64: 0, 1, 1>, out = array<i64: 0, 1, 1>, graphs = [{name = "loop/cond"}, {name = "loop/body"}]}} : tensor<i32>, tensor<4xf32>, tensor<4xf32>, !ge.ctrl cond(%mn, %mx, %ek) {
      %mn_1 = ge.Data(%mn) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("mn")
      %mx_1 = ge.Data(%mx) {index = 1, ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("mx")
      %ek_1 = ge.Data(%ek) {index = 2, ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("ek")
      %zero = ge.Const() {value = dense<0> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
      %test = ge.Greater(%mn_1, %zero) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 2>}} : tensor<i1>
      ge.NetOutput(%test) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    } body(%sn, %sx, %ek) {
      %sn_1 = ge.Data(%sn) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("sn")
      %sx_1 = ge.Data(%sx) {index = 1, ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("sx")
      %ek_1 = ge.Data(%ek) {index = 2, ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("ek")
      %idn, %idn_done = ge.Identity(%sn_1) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<i32>, !ge.ctrl
      %one = ge.Const() after(%idn_done) {value = dense<1> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
      %dec = ge.Sub(%idn, %one) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : tensor<i32>
      %step = ge.Add(%sx_1, %ek_1) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%dec, %step, %ek_1) {ge.dump = {in = array<i64: 3, 4, 5>, out = array<i64>}}
    }
    ge.NoOp() after(%loop_done) {ge.dump = {in = array<i64>, out = array<i64>}} loc("after")
    %res = ge.Relu(%loop_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
    ge.NetOutput(%res) {ge.dump = {in = array<i64: 1>, out = array<i64>}}
  }
}
