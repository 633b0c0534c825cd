ge.graph @net(%x: tensor<1x7x6x2xf32>) {
  %a = ge.MaxPool(%x) {ksize = [1, 3, 2, 1], strides = [1, 2, 2, 1], padding = "SAME"} : tensor<1x4x3x2xf32>
  %b = ge.AvgPool(%x) {ksize = [1, 3, 3, 1], strides = [1, 2, 1, 1], padding = "SAME"} : tensor<1x4x6x2xf32>
  %c, %d = ge.MaxPoolWithArgmax(%x) {ksize = [1, 2, 2, 1], strides = [1, 2, 2, 1], padding = "VALID"} : tensor<1x3x3x2xf32>, tensor<1x3x3x2xi64>
  ge.NetOutput(%a, %b, %c, %d)
}
