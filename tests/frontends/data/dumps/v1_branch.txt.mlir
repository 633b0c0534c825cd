builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_BOOL", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 0 : i64}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 1 : i64}}]}} {
  ge.graph @root(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %p_1 = ge.Data(%p) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i1> loc("p")
    %x_1 = ge.Data(%x) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %y_1 = ge.Data(%y) {index = 2, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("y")
    %m_If, %m_If_1 = ge.If(%p_1, [%x_1, %y_1]) {ge.dump = {in = array<i64: 0, 1, 1>, out = array<i64: 1, 1>, graphs = [{name = "m/If/then"}, {name = "m/If/else"}]}} : tensor<4xf32>, tensor<4xf32> then_branch(%sx, %sy) {
      %sx_1 = ge.Data(%sx) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("sx")
      %sy_1 = ge.Data(%sy) {index = 1, ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("sy")
      %t1 = ge.Neg(%sx_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
      %t2 = ge.Add(%t1, %sy_1) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%t2, %t1) {ge.dump = {in = array<i64: 2, 3>, out = array<i64>}}
    } else_branch(%sx, %sy) {
      %sx_1 = ge.Data(%sx) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("sx")
      %sy_1 = ge.Data(%sy) {index = 1, ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("sy")
      %f1, %f1_done = ge.Abs(%sx_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>, !ge.ctrl
      %one = ge.Const() after(%f1_done) {value = dense<1.0> : tensor<4xf32>, ge.dump = {in = array<i64>, out = array<i64: 1>, value = 1 : i64}} : tensor<4xf32>
      ge.NetOutput(%f1, %one) {ge.dump = {in = array<i64: 2, 3>, out = array<i64>}}
    } loc("m/If")
    ge.NetOutput(%m_If, %m_If_1) {ge.dump = {in = array<i64: 1, 1>, out = array<i64>}}
  }
}
