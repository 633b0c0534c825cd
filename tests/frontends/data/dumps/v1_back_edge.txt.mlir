builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_INT32", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}, {dtype = "DT_BOOL", shape = {}, layout = "ND"}]}} {
  ge.graph @root(%n: tensor<i32>, %x: tensor<4xf32>, %k: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %n_1 = ge.Data(%n) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<i32> loc("n")
    %x_1 = ge.Data(%x) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %k_1 = ge.Data(%k) {index = 2, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<4xf32> loc("k")
    %en = ge.Enter(%n_1) {frame_name = "loop", is_constant = false, ge.attr.parallel_iterations = 10 : i64, ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<i32>
    %ex = ge.Enter(%x_1) {frame_name = "loop", is_constant = false, ge.attr.parallel_iterations = 10 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
    %ek = ge.Enter(%k_1) {frame_name = "loop", is_constant = true, ge.attr.parallel_iterations = 10 : i64, ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
    %mn, %mn_1, %mn_done = ge.Merge(%en) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0, 0>, inputs = array<i64: 0, -1>}, ge.back_edges = {"1" = "nn:0"}} : tensor<i32>, tensor<i32>, !ge.ctrl
    %mx, %mx_1 = ge.Merge(%ex) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1, 0>, inputs = array<i64: 0, -1>}, ge.back_edges = {"1" = "nx:0"}} : tensor<4xf32>, tensor<i32>
    %zero = ge.Const() after(%mn_done) {value = dense<0> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
    %test = ge.Greater(%mn, %zero) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 2>}} : tensor<i1>
    %lc = ge.LoopCond(%test) {ge.dump = {in = array<i64: 2>, out = array<i64: 2>}} : tensor<i1>
    %sn, %sn_1 = ge.Switch(%mn, %lc) {ge.dump = {in = array<i64: 0, 2>, out = array<i64: 0, 0>}} : tensor<i32>, tensor<i32>
    %sx, %sx_1 = ge.Switch(%mx, %lc) {ge.dump = {in = array<i64: 1, 2>, out = array<i64: 1, 1>}} : tensor<4xf32>, tensor<4xf32>
    %idn, %idn_done = ge.Identity(%sn_1) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<i32>, !ge.ctrl
    %one = ge.Const() after(%idn_done) {value = dense<1> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<i32>
    %dec = ge.Sub(%idn, %one) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : tensor<i32>
    %step = ge.Add(%sx_1, %ek) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>}} : tensor<4xf32>
    %nn = ge.NextIteration(%dec) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<i32>
    %nx = ge.NextIteration(%step) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
    %xx, %xx_done = ge.Exit(%sx) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>, !ge.ctrl
    ge.NoOp() after(%xx_done) {ge.dump = {in = array<i64>, out = array<i64>}} loc("after")
    ge.Print(%step) {ge.dump = {in = array<i64: 1>, out = array<i64>}} loc("peek")
    %res = ge.Relu(%xx) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<4xf32>
    ge.NetOutput(%res) {ge.dump = {in = array<i64: 1>, out = array<i64>}}
  }
}
