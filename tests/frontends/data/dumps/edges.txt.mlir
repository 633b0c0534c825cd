builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}]}} {
  ge.graph @root(%x: tensor<4xf32>, %y: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %y_1 = ge.Data(%y) {index = 1, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32> loc("y")
    %x_1, %x_done = ge.Data(%x) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32>, !ge.ctrl loc("x")
    %a_b, %a_b_done = ge.Abs(%x_1) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<4xf32>, !ge.ctrl loc("a:b")
    %join_part_x, %join_part_x_done = ge.Add(%a_b, %y_1) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : tensor<4xf32>, !ge.ctrl loc("join:part/x")
    %old, %old_done = ge.Neg(%y_1) after(%join_part_x_done, %x_done) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, legacy = ["join:part/x:0", "x:0"]}} : tensor<4xf32>, !ge.ctrl
    %waits = ge.NoOp() after(%old_done) {ge.dump = {in = array<i64>, out = array<i64>}} : !ge.ctrl
    %last = ge.Relu(%join_part_x) after(%waits, %a_b_done) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<4xf32>
    %caret = ge.Relu(%y_1) after(%old_done) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<4xf32>
    ge.NetOutput(%last, %a_b) {ge.dump = {in = array<i64: 0, 0>, out = array<i64>}}
  }
}
