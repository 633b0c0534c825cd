// disagreeing_ends.txt: warning: GX-349: 1 Relu became ge.Opaque: output y has dtype float16, but x has float32; both are T
//   node: half
// disagreeing_ends.txt: warning: GX-351: the two ends of an edge have types of different size; the first one counts
//   node: half:0
builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 2, 3, 4>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 6, 4>}, layout = "ND"}, {dtype = "DT_INT32", shape = {dim = array<i64: 24>}, layout = "ND"}, {dtype = "DT_FLOAT16", shape = {dim = array<i64: 6, 4>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: -1, 4>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: -2>}, layout = "ND"}]}} {
  ge.graph @root(%x: tensor<2x3x4xf32>) attributes {ge.dump = {name = "root"}} {
    %x_1 = ge.Data(%x) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<2x3x4xf32> loc("x")
    %r_as_0 = ge.Reinterpret(%x_1) : tensor<6x4xf32> loc("r/as_0")
    %r = ge.Relu(%r_as_0) {ge.dump = {in = array<i64: 1>, out = array<i64: 1>}} : tensor<6x4xf32>
    %n_as_0 = ge.Reinterpret(%r) : tensor<24xi32> loc("n/as_0")
    %n = ge.Neg(%n_as_0) {ge.dump = {in = array<i64: 2>, out = array<i64: 2>}} : tensor<24xi32>
    %half = ge.Opaque(%r) {type = "Relu", ge.dump = {in = array<i64: 3>, out = array<i64: 3>, kept = array<i64: 0>}} : tensor<6x4xf16>
    %u_as_0 = ge.Reinterpret(%r) : tensor<?x4xf32> loc("u/as_0")
    %u = ge.Abs(%u_as_0) {ge.dump = {in = array<i64: 4>, out = array<i64: 4>}} : tensor<?x4xf32>
    %rank_as_0 = ge.Reinterpret(%u) : tensor<*xf32> loc("rank/as_0")
    %rank = ge.Abs(%rank_as_0) {ge.dump = {in = array<i64: 5>, out = array<i64: 5>}} : tensor<*xf32>
    ge.NetOutput(%n, %half, %rank) {ge.dump = {in = array<i64: 2, 3, 5>, out = array<i64>}}
  }
}
