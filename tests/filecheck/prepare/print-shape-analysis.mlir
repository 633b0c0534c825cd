// RUN: ge-opt %s -p print-shape-analysis --remarks=all --split-input-file -o /dev/null 2>&1 | filecheck %s

// CHECK: batch is in [1, 8]
// CHECK: length is in [4, 64]
// CHECK: m[0] is in [1, 32]
// CHECK: is [batch, length, 16] within [1, 8], [4, 64]
// CHECK-NEXT: node: y
// CHECK: is [16*batch, length] within [16, 128], [4, 64]
// CHECK-NEXT: node: z
// CHECK: is [?n[0], 1] within [0, 32]
// CHECK-NEXT: node: n
ge.graph @net(%x: tensor<?x16x?xf32> {ge.symbols = ["batch", "", "length"], ge.shape_range = "[1~8,16,4~64]"}, %m: tensor<?xi1> {ge.shape_range = "1~32"}) {
  %s = ge.Shape(%x) {dtype = 9} : tensor<3xi64>
  %i = ge.Const() {value = dense<[0, 2]> : tensor<2xi64>} : tensor<2xi64>
  %a = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
  %d = ge.GatherV2(%s, %i, %a) : tensor<2xi64>
  %f = ge.Const() {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %t = ge.ConcatD(%d, %f) {concat_dim = 0, N = 2} : tensor<3xi64>
  %y = ge.Reshape(%x, %t) : tensor<?x?x?xf32>
  %len = ge.Const() {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %l = ge.GatherV2(%d, %len, %a) : tensor<1xi64>
  %u = ge.ConcatD(%f, %l) {concat_dim = 0, N = 2} : tensor<2xi64>
  %z = ge.Reshape(%x, %u) : tensor<?x?xf32>
  %n = ge.NonZero(%m) : tensor<?x1xi64>
  ge.NetOutput(%y, %z, %n)
}

// -----

// What the nodes refuse is no size of a run that works.
// CHECK: h is in [3, inf]
// CHECK: k is in [1, inf]
// CHECK: it works only for ceildiv(h, 2) = k + 1
// CHECK: is [1, 8, k, 1] within [1, inf]
ge.graph @facts(%x: tensor<1x8x?x3xf32> {ge.symbols = ["", "", "h", ""]}, %z: tensor<1x8x?x1xf32> {ge.symbols = ["", "", "k", ""]}) {
  %w = ge.Const() {value = #ge.weight<"w", abstract>} : tensor<8x8x3x3xf32>
  %y = ge.Conv2D(%x, %w) {strides = [1, 1, 2, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x8x?x1xf32>
  %c = ge.ConcatD(%y, %z) {concat_dim = 1, N = 2} : tensor<1x16x?x1xf32>
  ge.NetOutput(%c)
}
