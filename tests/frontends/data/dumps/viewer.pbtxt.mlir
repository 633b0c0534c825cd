builtin.module attributes {ge.dump = {kind = "ge-onnx", onnx = {ir_version = 6 : i64, producer_name = "GE", graph = {name = "root", "?" = "later: 3\n"}}, model = {}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND", attr = {origin_data_type = "DT_UNDEFINED", origin_format = ""}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}]}} {
  ge.graph @root(%x: tensor<4xf32>) attributes {ge.dump = {name = "root"}} {
    %x_1 = ge.Data(%x) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %c = ge.Const() {value = dense<[3.8204714e-37, 1.0082514e-34, 2.6584628e-32, 7.003653e-30]> : tensor<4xf32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 1 : i64}} : tensor<4xf32>
    %a_b, %a_b_done = ge.Add(%x_1, %c) {ge.attr.flag = 1 : i64, ge.attr.list = array<i64>, ge.attr.note = "hi", ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>, op = {id = 3 : i64, src_name = ["x", "c"], src_index = array<i64: 0, 0>}}, ge.onnx = {put = [{name = "note", s = "hi", doc_string = "kept", type = "STRING"}]}} : tensor<4xf32>, !ge.ctrl loc("a:b")
    %wait = ge.NoOp() after(%a_b_done) {ge.dump = {in = array<i64>, out = array<i64>}} : !ge.ctrl
    ge.NetOutput(%a_b) after(%wait) {ge.dump = {in = array<i64: 0>, out = array<i64>}}
  }
}
