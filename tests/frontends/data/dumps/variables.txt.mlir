// variables.txt: warning: GX-350: effects that nothing orders now follow the order of the nodes
//   node: add, after/read_0, strange
builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}], metas = [{_input_name_key = {untyped = ["x"]}, _input_name_value = {untyped = array<i64: 0>}}]}} {
  ge.graph @root(%x: tensor<4xf32>, %state: !ge.ref<tensor<4xf32>>) attributes {ge.dump = {name = "root"}} {
    %v = ge.Variable() {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, meta = 0 : i64, absent = ["container", "shared_name"], inputs = array<i64: -1>}} : !ge.ref<tensor<4xf32>>
    %x_1 = ge.Data(%x) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32> loc("x")
    %set, %set_done = ge.Assign(%v, %x_1) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : !ge.ref<tensor<4xf32>>, !ge.ctrl
    %add, %add_done = ge.AssignAdd(%v, %x_1) after(%set_done) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>, ordered = ["set"]}} : !ge.ref<tensor<4xf32>>, !ge.ctrl
    %use_read_0, %use_read_0_done = ge.Read(%v) after(%add_done) : tensor<4xf32>, !ge.ctrl loc("use/read_0")
    %use = ge.Relu(%use_read_0) after(%add_done) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<4xf32>
    %after_read_0, %after_read_0_done = ge.Read(%set) after(%add_done) {ge.dump = {ordered = ["add"]}} : tensor<4xf32>, !ge.ctrl loc("after/read_0")
    %after = ge.Neg(%after_read_0) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>}} : tensor<4xf32>
    %strange = ge.Opaque(%v) after(%use_read_0_done, %after_read_0_done) {type = "Foreign", ge.dump = {in = array<i64: 0>, out = array<i64: 0>, ordered = ["use/read_0", "after/read_0"]}} : tensor<4xf32>
    %state_1 = ge.RefData(%state) {index = 1, ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : !ge.ref<tensor<4xf32>> loc("state")
    %keep = ge.Assign(%state_1, %use) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : !ge.ref<tensor<4xf32>>
    %NetOutput_read_3 = ge.Read(%keep) : tensor<4xf32> loc("NetOutput/read_3")
    ge.NetOutput(%use, %after, %strange, %NetOutput_read_3) {ge.dump = {in = array<i64: 0, 0, 0, 0>, out = array<i64>}}
  }
}
