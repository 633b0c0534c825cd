// RUN: ge-opt %s --pipeline=format,partition,topological-order,stream-assignment,event-insertion,memory-plan,lower-to-rt | filecheck %s
// RUN: ge-opt %s --pipeline=format,partition,topological-order,stream-assignment,event-insertion,memory-plan,lower-to-rt | ge-opt - | filecheck %s

// CHECK: rt.model @net {soc = "Ascend910B2"
// CHECK-SAME: events = 1
// CHECK: rt.input 0 "x" = input[0] : tensor<1x16x8x8xf16> zero_copy
// CHECK: rt.output 0 "energy" = output[
// CHECK: rt.output 1 "conv" = output[
// CHECK: rt.weight weight[0] : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>> = #ge.weight<"w">
// CHECK: rt.variable "count" = variable[0] : tensor<1xf64> init dense<[0.0]>
// CHECK: rt.stream 0 AIcoreEngine
// CHECK: rt.kernel "conv" Conv2D(arena{{.*}} weight[0]{{.*}}, none, none) -> (arena{{.*}}{strides = [1, 1, 1, 1]{{.*}} on AIcoreEngine block_dim 1
// CHECK: rt.stream 1 DNN_VM_AICPU
// CHECK: rt.kernel "energy" ReduceSumD
// CHECK: rt.kernel "add" AssignAdd(variable[0] : tensor<1xf64>, output[{{.*}} -> (variable[0] : tensor<1xf64>)
ge.graph @net(%x: tensor<1x16x8x8xf16>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<16x16x1x1xf16>
  %count = ge.Variable() {value = dense<0.0> : tensor<1xf64>} : !ge.ref<tensor<1xf64>>
  %conv = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"} : tensor<1x16x8x8xf16>
  %wide = ge.Cast(%conv) {dst_type = 11} : tensor<1x16x8x8xf64>
  %energy = ge.ReduceSumD(%wide) {axes = [0, 1, 2, 3]} : tensor<f64>
  %add, %add_done = ge.AssignAdd(%count, %energy) : !ge.ref<tensor<1xf64>>, !ge.ctrl
  ge.NetOutput(%energy, %conv) after(%add_done)
}
