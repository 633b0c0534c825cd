builtin.module attributes {ge.dump = {kind = "ge-proto", descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}]}} {
  ge.graph @bare(%x: tensor<4xf32>) attributes {ge.dump = {name = "bare", input = ["x:0"], output = ["Node_Out:0"]}} {
    %x_1 = ge.Data(%x) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %r = ge.Relu(%x_1) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<4xf32>
    ge.NetOutput(%r) {ge.dump = {in = array<i64: 0>, out = array<i64>}} loc("Node_Out")
  }
}
