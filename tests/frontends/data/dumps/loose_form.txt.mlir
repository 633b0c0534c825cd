builtin.module attributes {ge.dump = {kind = "ge-proto", model = {name = "loose"}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 2, 2>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 2, 2>}}]}} {
  ge.graph @g(%x: tensor<2x2xf32>) attributes {ge.dump = {name = "g"}} {
    %x_1 = ge.Data(%x) {ge.dump = {in = array<i64>, out = array<i64: 0>, inputs = array<i64>}} : tensor<2x2xf32> loc("x")
    %r = ge.Relu(%x_1) {ge.dump = {in = array<i64: 0>, out = array<i64: 1>}} : tensor<2x2xf32>
    ge.NetOutput(%r) {ge.dump = {in = array<i64>, out = array<i64>}}
  }
}
