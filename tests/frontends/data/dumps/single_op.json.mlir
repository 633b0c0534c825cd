builtin.module attributes {ge.dump = {kind = "single-op", model = {}, descs = [{dtype = "DT_FLOAT16", shape = {dim = array<i64: 2, 3>}, layout = "ND"}, {dtype = "DT_FLOAT16", shape = {dim = array<i64: 3, 4>}, layout = "ND"}, {layout = "FORMAT_RESERVED"}, {dtype = "DT_FLOAT16", shape = {dim = array<i64: 2, 4>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: -1, 2>}, layout = "ND", attr = {shape_range = [array<i64: 1, 8>]}}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 2>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: -1, 2>}, layout = "ND"}, {dtype = "DT_INT32", shape = {dim = array<i64: 1, 2>}, layout = "ND"}, {dtype = "DT_INT32", shape = {dim = array<i64: 3, 2>}, layout = "ND"}, {dtype = "DT_INT32", shape = {dim = array<i64: 4, 2>}, layout = "ND"}], metas = [{_input_name_key = ["x0", "x1"], _input_name_value = array<i64: 0, 1>}]}} {
  ge.graph @MatMulV2_1(%input_0: tensor<2x3xf16>, %input_1: tensor<3x4xf16>) attributes {ge.dump = {name = "MatMulV2_1"}} {
    %input_0_1 = ge.Data(%input_0) {ge.dump = {in = array<i64: 0>, out = array<i64: 0>, inputs = array<i64>}} : tensor<2x3xf16> loc("input_0")
    %input_1_1 = ge.Data(%input_1) {index = 1, ge.dump = {in = array<i64: 1>, out = array<i64: 1>, inputs = array<i64>}} : tensor<3x4xf16> loc("input_1")
    %mm = ge.MatMulV2(%input_0_1, %input_1_1) {ge.attr._names = {strings = []}, ge.dump = {in = array<i64: 0, 1, 2>, out = array<i64: 3>, absent = ["transpose_x2", "offset_x"]}} : tensor<2x4xf16>
    ge.NetOutput(%mm) {ge.dump = {in = array<i64: 3>, out = array<i64>}}
  }
  ge.graph @Add_2(%input_0: tensor<?x2xf32>) attributes {ge.dump = {name = "Add_2"}} {
    %input_0_1 = ge.Data(%input_0) {ge.dump = {in = array<i64: 4>, out = array<i64: 4>, inputs = array<i64>}} : tensor<?x2xf32> loc("input_0")
    %const_1 = ge.Const() {value = dense<[1.5, 2.0]> : tensor<2xf32>, ge.dump = {in = array<i64>, out = array<i64: 5>, value = 5 : i64}} : tensor<2xf32>
    %Add = ge.Add(%input_0_1, %const_1) {ge.dump = {in = array<i64: 4, 5>, out = array<i64: 6>}} : tensor<?x2xf32>
    ge.NetOutput(%Add) {ge.dump = {in = array<i64: 6>, out = array<i64>}}
  }
  ge.graph @ConcatD_3(%input_0: tensor<1x2xi32>, %input_1: tensor<3x2xi32>) attributes {ge.dump = {name = "ConcatD_3"}} {
    %input_0_1 = ge.Data(%input_0) {ge.dump = {in = array<i64: 7>, out = array<i64: 7>, inputs = array<i64>}} : tensor<1x2xi32> loc("input_0")
    %input_1_1 = ge.Data(%input_1) {index = 1, ge.dump = {in = array<i64: 8>, out = array<i64: 8>, inputs = array<i64>}} : tensor<3x2xi32> loc("input_1")
    %ConcatD = ge.ConcatD(%input_0_1, %input_1_1) {concat_dim = 0, N = 2, ge.dump = {in = array<i64: 7, 8>, out = array<i64: 9>, meta = 0 : i64}} : tensor<4x2xi32>
    ge.NetOutput(%ConcatD) {ge.dump = {in = array<i64: 9>, out = array<i64>}}
  }
}
