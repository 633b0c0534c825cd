// constants.txt: warning: GX-352: constants have bytes that are not those of their type; they are kept, not used
//   node: part, words
builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 10, 10>}, layout = "ND"}, {dtype = "DT_FLOAT16", shape = {dim = array<i64: 3, 4096, 4096>}, layout = "ND"}, {dtype = "DT_INT32", shape = {}, layout = "ND"}, {dtype = "DT_FLOAT", shape = {dim = array<i64: 0, 4>}, layout = "ND"}, {dtype = "DT_BOOL", shape = {dim = array<i64: 3>}, layout = "ND"}, {dtype = "DT_BF16", shape = {dim = array<i64: 2>}, layout = "ND"}, {dtype = "DT_STRING", shape = {dim = array<i64: 1>}, layout = "ND"}, {dtype = "DT_FLOAT16", shape = {dim = array<i64: 1, 1, 1, 2, 16>}, layout = "NC1HWC0", attr = {origin_format = "NCHW", origin_shape = array<i64: 1, 3, 1, 2>}}]}} {
  ge.graph @root() attributes {ge.dump = {name = "root"}} {
    %whole = ge.Const() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64}} : tensor<4xf32>
    %large = ge.Const() {value = #ge.weight<"large">, ge.dump = {in = array<i64>, out = array<i64: 1>, value = 1 : i64}} : tensor<10x10xf32>
    %empty_value = ge.Const() {value = #ge.weight<"empty_value", abstract>, ge.dump = {in = array<i64>, out = array<i64: 1>, value = 1 : i64}} : tensor<10x10xf32>
    %no_value = ge.Constant() {value = #ge.weight<"no_value", abstract>, ge.dump = {in = array<i64>, out = array<i64: 2>}} : tensor<3x4096x4096xf16>
    %part = ge.Const() {value = #ge.weight<"part", abstract>, ge.dump = {in = array<i64>, out = array<i64: 0>, value = 0 : i64, data = "\00\00?\00\00\00@"}} : tensor<4xf32>
    %scalar = ge.Const() {value = dense<-7> : tensor<i32>, ge.dump = {in = array<i64>, out = array<i64: 3>, value = 3 : i64}} : tensor<i32>
    %none = ge.Const() {value = dense<> : tensor<0x4xf32>, ge.dump = {in = array<i64>, out = array<i64: 4>, value = 4 : i64, data = ""}} : tensor<0x4xf32>
    %flags = ge.Const() {value = dense<[true, false, true]> : tensor<3xi1>, ge.dump = {in = array<i64>, out = array<i64: 5>, value = 5 : i64}} : tensor<3xi1>
    %brain = ge.Const() {value = dense<[1.0, 2.0]> : tensor<2xbf16>, ge.dump = {in = array<i64>, out = array<i64: 6>, value = 6 : i64}} : tensor<2xbf16>
    %words = ge.Const() {value = #ge.weight<"words", abstract>, ge.dump = {in = array<i64>, out = array<i64: 7>, value = 7 : i64, data = "\10\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00hi"}} : tensor<1x!ge.string>
    %blocked = ge.Const() {value = dense<[[[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]]> : tensor<1x3x1x2xf16>, ge.dump = {in = array<i64>, out = array<i64: 8>, value = 8 : i64}} : tensor<1x3x1x2xf16, #ge.layout<NC1HWC0>>
    %sum = ge.Add(%whole, %part) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>}} : tensor<4xf32>
    %scaled = ge.Mul(%large, %empty_value) {ge.dump = {in = array<i64: 1, 1>, out = array<i64: 1>}} : tensor<10x10xf32>
    ge.NetOutput(%sum, %scaled, %no_value, %scalar, %none, %flags, %brain, %words, %blocked) {ge.dump = {in = array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8>, out = array<i64>}}
  }
}
