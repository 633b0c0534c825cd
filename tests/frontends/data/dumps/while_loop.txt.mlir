builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_INT32", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}, {dtype = "DT_BOOL", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 1 : i64}}, {dtype = "DT_INT32", shape = {}, layout = "ND", attr = {_parent_node_index = 0 : i64}}]}} {
  ge.graph @root(%n: tensor<i32>, %x: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %n_1 = ge.Data(%n) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("n")
    %x_1 = ge.Data(%x) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %loop, %loop_1 = ge.While(%n_1, %x_1) {ge.dump = {in = array<i64: 0, 1>, out = array<i64: 0, 1>, graphs = [{name = "cond_g"}, {name = "body_g"}]}} : tensor<i32>, tensor<4xf32> cond(%cn, %cx) {
      %cn_1 = ge.Data(%cn) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("cn")
      %cx_1 = ge.Data(%cx) {index = 1, ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("cx")
      %zero = ge.Const() {value = dense<0> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
      %more = ge.Greater(%cn_1, %zero) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 2>}} : tensor<i1>
      ge.NetOutput(%more) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    } body(%bn, %bx) {
      %bx_1 = ge.Data(%bx) {index = 1, ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("bx")
      %bn_1 = ge.Data(%bn) {ge.attr._parent_node_index = 0 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("bn")
      %one = ge.Const() {value = dense<1> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
      %less = ge.Sub(%bn_1, %one) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : tensor<i32>
      %twice = ge.Add(%bx_1, %bx_1) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%less, %twice) {ge.dump = {in = array<i64: 3, 4>, out = array<i64>, inputs = array<i64: 1, 0>}}
    }
    ge.NetOutput(%loop_1) {ge.dump = {in = array<i64: 1>, out = array<i64>}}
  }
}
