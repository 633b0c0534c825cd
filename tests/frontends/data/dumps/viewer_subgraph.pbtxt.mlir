builtin.module attributes {ge.dump = {kind = "ge-onnx", onnx = {ir_version = 6 : i64, producer_name = "GE", graph = {name = "root"}}, model = {}, descs = [{dtype = "DT_BOOL", shape = {}, layout = "ND", attr = {origin_data_type = "DT_UNDEFINED", origin_format = ""}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {origin_data_type = "DT_UNDEFINED", origin_format = ""}}, {dtype = "DT_BOOL", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 0 : i64, origin_data_type = "DT_UNDEFINED", origin_format = ""}}]}} {
  ge.graph @root(%p: tensor<i1>, %x: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %x_1 = ge.Data(%x) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %p_1 = ge.Data(%p) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i1> loc("p")
    %choose = ge.If(%p_1, [%x_1]) {ge.dump = {in = array<i64: 0, 1>, out = array<i64: 1>, graphs = [{name = "then_g"}, {name = "else_g"}]}} : tensor<4xf32> then_branch(%tx) {
      %tx_1 = ge.Data(%tx) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("tx")
      %flag = ge.Const() {value = dense<true> : tensor<i1>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 2 : i64}} : tensor<i1>
      %inner = ge.If(%flag, [%tx_1]) {ge.dump = {in = array<i64: 0, 1>, out = array<i64: 1>, graphs = [{name = "inner_then"}, {name = "inner_else"}]}} : tensor<4xf32> then_branch(%a) {
        %a_1 = ge.Data(%a) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("a")
        %relu = ge.Relu(%a_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
        ge.NetOutput(%relu) {ge.dump = {in = array<i64: 3>, out = array<i64>}}
      } else_branch(%c) {
        %c_1 = ge.Data(%c) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("c")
        %abs = ge.Abs(%c_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
        ge.NetOutput(%abs) {ge.dump = {in = array<i64: 3>, out = array<i64>}}
      }
      ge.NetOutput(%inner) {ge.dump = {in = array<i64: 3>, out = array<i64>}}
    } else_branch(%ex) {
      %ex_1 = ge.Data(%ex) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("ex")
      %neg = ge.Neg(%ex_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%neg) {ge.dump = {in = array<i64: 3>, out = array<i64>}}
    }
    ge.NetOutput(%choose) {ge.dump = {in = array<i64: 1>, out = array<i64>}}
  }
}
