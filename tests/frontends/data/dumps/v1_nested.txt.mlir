builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_INT32", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}, {dtype = "DT_BOOL", shape = {}, layout = "ND"}, {dtype = "DT_INT32", shape = {}, layout = "ND", attr = {_parent_node_index = 0 : i64}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 1 : i64}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 2 : i64}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 0 : i64}}, {dtype = "DT_BOOL", shape = {}, layout = "ND", attr = {_parent_node_index = 3 : i64}}]}} {
  ge.graph @root(%n: tensor<i32>, %x: tensor<4xf32>, %k: tensor<4xf32>, %flag: tensor<i1>) attributes {ge.dump = {name = "root"}} {
    %n_1 = ge.Data(%n) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("n")
    %x_1 = ge.Data(%x) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %k_1 = ge.Data(%k) {index = 2, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("k")
    %flag_1 = ge.Data(%flag) {index = 3, ge.dump = {in = array<i64: 2>, out = array<i64: 2>, inputs = array<i64>}} : tensor<i1> loc("flag")
    ge.NoOp() {ge.dump = {in = array<i64>, out = array<i64>, legacy = ["NetOutput:-1"]}} loc("late")
    %outer, %outer_1, %outer_2, %outer_3 = ge.While(%n_1, %x_1, %k_1, %flag_1) {ge.dump = {in = array<i64: 0, 1, 1, 2>, out = array<i64: 0, 1, 1, 2>, graphs = [{name = "outer/cond"}, {name = "outer/body"}]}} : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<i1> cond(%mn, %mx, %ok, %of) {
      %mn_1 = ge.Data(%mn) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("mn")
      %mx_1 = ge.Data(%mx) {index = 1, ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("mx")
      %ok_1 = ge.Data(%ok) {index = 2, ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("ok")
      %of_1 = ge.Data(%of) {index = 3, ge.attr._parent_node_index = 3 : i64, ge.dump = {in = array<i64: 2>, out = array<i64: 2>, inputs = array<i64>}} : tensor<i1> loc("of")
      %z = ge.Const() {value = dense<0> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
      %t = ge.Greater(%mn_1, %z) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 2>}} : tensor<i1>
      ge.NetOutput(%t) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    } body(%sn, %sx, %ok, %of) {
      %sn_1 = ge.Data(%sn) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("sn")
      %sx_1 = ge.Data(%sx) {index = 1, ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("sx")
      %ok_1 = ge.Data(%ok) {index = 2, ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("ok")
      %of_1 = ge.Data(%of) {index = 3, ge.attr._parent_node_index = 3 : i64, ge.dump = {in = array<i64: 2>, out = array<i64: 2>, inputs = array<i64>}} : tensor<i1> loc("of")
      %one = ge.Const() {value = dense<1> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
      %dec = ge.Sub(%sn_1, %one) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : tensor<i32>
      %two = ge.Const() {value = dense<2> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
      %inner, %inner_1, %inner_2 = ge.While(%two, %sx_1, %ok_1) {ge.dump = {in = array<i64: 0, 1, 1>, out = array<i64: 0, 1, 1>, graphs = [{name = "inner/cond"}, {name = "inner/body"}]}} : tensor<i32>, tensor<4xf32>, tensor<4xf32> cond(%imn, %imx, %ik) {
        %imn_1 = ge.Data(%imn) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("imn")
        %imx_1 = ge.Data(%imx) {index = 1, ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("imx")
        %ik_1 = ge.Data(%ik) {index = 2, ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("ik")
        %iz = ge.Const() {value = dense<0> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
        %it = ge.Greater(%imn_1, %iz) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 2>}} : tensor<i1>
        ge.NetOutput(%it) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
      } body(%isn, %isx, %ik) {
        %isn_1 = ge.Data(%isn) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("isn")
        %isx_1 = ge.Data(%isx) {index = 1, ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("isx")
        %ik_1 = ge.Data(%ik) {index = 2, ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("ik")
        %ione = ge.Const() {value = dense<1> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
        %idec = ge.Sub(%isn_1, %ione) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : tensor<i32>
        %add = ge.Add(%isx_1, %ik_1) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>}} : tensor<4xf32>
        ge.NetOutput(%idec, %add, %ik_1) {ge.dump = {in = array<i64: 3, 4, 5>, out = array<i64>}}
      }
      %bm_If = ge.If(%of_1, [%inner_1]) {ge.dump = {in = array<i64: 2, 1>, out = array<i64: 1>, graphs = [{name = "bm/If/then"}, {name = "bm/If/else"}]}} : tensor<4xf32> then_branch(%bs) {
        %bs_1 = ge.Data(%bs) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("bs")
        %neg = ge.Neg(%bs_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
        ge.NetOutput(%neg) {ge.dump = {in = array<i64: 6>, out = array<i64>}}
      } else_branch(%bs) {
        %bs_1 = ge.Data(%bs) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("bs")
        %dbl = ge.Add(%bs_1, %bs_1) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>}} : tensor<4xf32>
        ge.NetOutput(%dbl) {ge.dump = {in = array<i64: 6>, out = array<i64>}}
      } loc("bm/If")
      ge.NetOutput(%dec, %bm_If, %ok_1, %of_1) {ge.dump = {in = array<i64: 3, 4, 5, 7>, out = array<i64>}}
    }
    ge.NetOutput(%outer_1) {ge.dump = {in = array<i64: 1>, out = array<i64>}}
  }
}
