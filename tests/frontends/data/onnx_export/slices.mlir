ge.graph @net(%x: tensor<4x5x6xf32>) {
  %a = ge.StridedSliceD(%x) {begin = [1, 0, -2], end = [2, 0, -5], strides = [1, 2, -1], end_mask = 2, shrink_axis_mask = 1} : tensor<3x3xf32>
  %b = ge.StridedSliceD(%x) {begin = [0, 0, 1], end = [0, 0, 3], strides = [1, 1, 1], ellipsis_mask = 1, new_axis_mask = 2} : tensor<4x5x1x2xf32>
  %axes = ge.Const() {value = dense<[0, -1]> : tensor<2xi32>} : tensor<2xi32>
  %c = ge.ReverseV2(%x, %axes) : tensor<4x5x6xf32>
  %d = ge.Roll(%x) {shifts = [2, -1], dims = [1, 2]} : tensor<4x5x6xf32>
  ge.NetOutput(%a, %b, %c, %d)
}
