builtin.module attributes {ge.dump = {kind = "ge-proto", model = {}, descs = [{dtype = "DT_FLOAT", shape = {dim = array<i64: 4>}, layout = "ND"}]}} {
  ge.graph @partition0_rank1_new_sub_graph1(%PlaceHolder0: tensor<4xf32>, %PlaceHolder1: tensor<4xf32>) attributes {ge.dump = {name = "partition0_rank1_new_sub_graph1"}} {
    %PlaceHolder0_1 = ge.PlaceHolder(%PlaceHolder0) {parentId = "new_sub_graph0:0", parentOpType = "Data", ge.dump = {in = array<i64>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32> loc("PlaceHolder0")
    %PlaceHolder1_1 = ge.PlaceHolder(%PlaceHolder1) {peerIndex = 1, parentId = "new_sub_graph0:1", parentOpType = "Const", anchorIndex = 1, ge.dump = {in = array<i64>, out = array<i64: 0>, inputs = array<i64>}} : tensor<4xf32> loc("PlaceHolder1")
    %add = ge.Add(%PlaceHolder0_1, %PlaceHolder1_1) {ge.dump = {in = array<i64: 0, 0>, out = array<i64: 0>, strays = ["new_sub_graph0"], op = {src_name = ["new_sub_graph0"], src_index = array<i64: 0>}}} : tensor<4xf32>
    %End0 = ge.End(%add) {peerIndex = 2, parentOpType = "NetOutput", ge.dump = {in = array<i64: 0>, out = array<i64>}} : tensor<4xf32>
    ge.NetOutput(%End0) {ge.dump = {made = true}}
  }
}
