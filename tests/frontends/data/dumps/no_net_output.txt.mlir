builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}]}} {
  ge.graph @root(%x: tensor<4xf32>) attributes {ge.dump = {name = "root", output = ["prob:0", "a:0"]}} {
    %x_1 = ge.Data(%x) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %a = ge.Relu(%x_1) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<4xf32>
    %prob = ge.SoftmaxV2(%a) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, absent = ["half_to_float"]}} : tensor<4xf32>
    ge.NetOutput(%prob, %a) {ge.dump = {made = true}}
  }
}
