// A node whose engine does not take it moves to the next one that does.
// before
ge.graph @g(%x: tensor<2x3x4x4xf64>) {
  %a = ge.Relu(%x) {ge.engine = "AIcoreEngine"} : tensor<2x3x4x4xf64>
  %b = ge.Neg(%a) {ge.engine = "DNN_VM_AICPU"} : tensor<2x3x4x4xf64>
  ge.NetOutput(%b)
}

// -----

// after
ge.graph @g(%x: tensor<2x3x4x4xf64>) {
  %a = ge.Relu(%x) {ge.engine = "DNN_VM_AICPU"} : tensor<2x3x4x4xf64>
  %b = ge.Neg(%a) {ge.engine = "DNN_VM_AICPU"} : tensor<2x3x4x4xf64>
  ge.NetOutput(%b) {ge.engine = "DNN_VM_GE_LOCAL"}
}
