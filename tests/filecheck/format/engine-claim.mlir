// RUN: ge-opt %s --pipeline=engine-claim | filecheck %s

// CHECK: ge.Data(%x) {ge.engine = "DNN_VM_GE_LOCAL"}
// CHECK: ge.Relu(%d) {ge.engine = "AIcoreEngine"}
// CHECK: ge.Cast(%d) {dst_type = 11, ge.engine = "DNN_VM_AICPU"}
// CHECK: ge.Exp(%wide) {ge.engine = "DNN_VM_AICPU"}
// CHECK: ge.Abs(%d) {ge.engine = "DNN_VM_AICPU"}
// CHECK: ge.NetOutput({{.*}}) {ge.engine = "DNN_VM_GE_LOCAL"}
ge.graph @net(%x: tensor<8xf32>) {
  %d = ge.Data(%x) : tensor<8xf32>
  %a = ge.Relu(%d) : tensor<8xf32>
  %wide = ge.Cast(%d) {dst_type = 11} : tensor<8xf64>
  %e = ge.Exp(%wide) : tensor<8xf64>
  // what the user says is kept
  %u = ge.Abs(%d) {ge.engine = "DNN_VM_AICPU"} : tensor<8xf32>
  ge.NetOutput(%a, %e, %u)
}
