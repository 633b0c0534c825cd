builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_BOOL", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {_parent_node_index = 0 : i64}}]}} {
  ge.graph @root(%p: tensor<i1>, %x: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %p_1 = ge.Data(%p) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i1> loc("p")
    %x_1 = ge.Data(%x) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %v = ge.Variable() {ge.dump = {in = array<i64: 1>, out = array<i64: 1>, absent = ["index", "container", "shared_name"]}} : !ge.ref<tensor<4xf32>>
    %choose_read_2 = ge.Read(%v) : tensor<4xf32> loc("choose/read_2")
    %choose = ge.If(%p_1, [%v, %choose_read_2, %x_1]) {ge.dump = {in = array<i64: 0, 1, 1, 1>, out = array<i64: 1>, graphs = [{name = "t"}, {name = "e"}]}} : tensor<4xf32> then_branch(%r, %0, %x) {
      %r_1 = ge.RefData(%r) {ge.attr._parent_node_index = 1 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : !ge.ref<tensor<4xf32>> loc("r")
      %x_1 = ge.Data(%x) {index = 2, ge.attr._parent_node_index = 3 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
      %put = ge.Assign(%r_1, %x_1) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>, absent = ["validate_shape", "use_locking"]}} : !ge.ref<tensor<4xf32>>
      %NetOutput_read_0 = ge.Read(%put) : tensor<4xf32> loc("NetOutput/read_0")
      ge.NetOutput(%NetOutput_read_0) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    } else_branch(%0, %d, %1) {
      %d_1 = ge.Data(%d) {ge.attr._parent_node_index = 2 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("d")
      %neg = ge.Neg(%d_1) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
      ge.NetOutput(%neg) {ge.dump = {in = array<i64: 2>, out = array<i64>}}
    }
    ge.NetOutput(%choose) {ge.dump = {in = array<i64: 1>, out = array<i64>}}
  }
}
