// cancel-pair fires
ge.graph @g(%x: tensor<2xf32>) {
  %p = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %a = ge.Transpose(%x, %p) : tensor<2xf32>
  %b = ge.TransposeD(%a) {perm = [0]} : tensor<2xf32>
  ge.NetOutput(%b)
}

// -----

// cancel-pair fires
ge.graph @g(%x: tensor<2xf32>) {
  %a = ge.Unsqueeze(%x) {axes = [1]} : tensor<2x1xf32>
  %s = ge.Const() {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  %b = ge.Reshape(%a, %s) : tensor<2xf32>
  ge.NetOutput(%b)
}

// -----

// cancel-pair declines: a permutation is not known
ge.graph @g(%x: tensor<?x?xf32>, %p: tensor<2xi32>) {
  %a = ge.Transpose(%x, %p) : tensor<?x?xf32>
  %b = ge.TransposeD(%a) {perm = [1, 0]} : tensor<?x?xf32>
  ge.NetOutput(%b)
}

// -----

// cancel-pair declines: more than one dimension is unknown
ge.graph @g(%x: tensor<?x?xf32>, %s: tensor<2xi32>) {
  %a = ge.Flatten(%x) : tensor<?x?xf32>
  %b = ge.Reshape(%a, %s) : tensor<?x?xf32>
  ge.NetOutput(%b)
}

// -----

// cancel-pair fires
ge.graph @g(%x: tensor<2x3xf32>) {
  %a = ge.TransposeD(%x) {perm = [-1, 0]} : tensor<3x2xf32>
  %b = ge.TransposeD(%a) {perm = [1, 0]} : tensor<2x3xf32>
  ge.NetOutput(%b)
}
