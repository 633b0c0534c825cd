// An engine that the user gives is kept where it takes the node.
// before
ge.graph @g(%x: tensor<8xf32>) {
  %a = ge.Relu(%x) {ge.engine = "DNN_VM_AICPU"} : tensor<8xf32>
  ge.NetOutput(%a)
}

// -----

// after
ge.graph @g(%x: tensor<8xf32>) {
  %a = ge.Relu(%x) {ge.engine = "DNN_VM_AICPU"} : tensor<8xf32>
  ge.NetOutput(%a) {ge.engine = "DNN_VM_GE_LOCAL"}
}

// -----

// refused: GX-503
ge.graph @g(%x: tensor<8xf32>) {
  %a = ge.Relu(%x) {ge.engine = "DNN_VM_GE_LOCAL"} : tensor<8xf32>
  ge.NetOutput(%a)
}

// -----

// refused: GX-503
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.Opaque(%x) {type = "Unknown"} : tensor<2xf32>
  ge.NetOutput(%y)
}
