builtin.module attributes {ge.dump = {kind = "om-json", model = {name = "om", version = 1 : i64, attr = {memory_size = 512 : i64}}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}]}} {
  ge.graph @root(%x: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %x_1 = ge.Data(%x) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %r = ge.Relu(%x_1) {ge.attr.kept = array<i64>, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, op = {id = 1 : i64}}} : tensor<4xf32>
    %c = ge.Const() {value = dense<[3.8204714e-37, 1.0082514e-34, 2.6584628e-32, 7.003653e-30]> : tensor<4xf32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<4xf32>
    %a = ge.Add(%r, %c) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : tensor<4xf32>
    ge.NetOutput(%a) {ge.dump = {in = array<i64: 0>, out = array<i64>}}
  }
}
