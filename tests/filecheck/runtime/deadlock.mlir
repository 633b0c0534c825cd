// RUN: not ge-run %s --time-only 2>&1 | filecheck %s

// CHECK: error: GX-606: deadlock: stream 0 waits for event 1 for ever
// CHECK-NEXT: node: y
// CHECK-NEXT: found: task 0 of 3 is the wait; it is recorded by task 2 of stream 1, which was not reached
// CHECK: error: GX-606: deadlock: stream 1 waits for event 0 for ever
// CHECK-NEXT: node: b
rt.model @stuck {soc = "Ascend910B2", format = 1, arena_bytes = 0, weight_bytes = 0, input_bytes = 64, output_bytes = 128, variable_bytes = 0, arena_lower_bound = 0, events = 2} {
  rt.input 0 "x" = input[0] : tensor<16xf32> zero_copy
  rt.output 0 "y" = output[0] : tensor<16xf32> zero_copy
  rt.stream 0 AIcoreEngine {
    rt.event_wait 1
    rt.kernel "y" Relu(input[0] : tensor<16xf32>) -> (output[0] : tensor<16xf32>) on AIcoreEngine block_dim 1
    rt.event_record 0
  }
  rt.stream 1 DNN_VM_AICPU {
    rt.event_wait 0
    rt.kernel "b" Square(input[0] : tensor<16xf32>) -> (output[64] : tensor<16xf32>) on DNN_VM_AICPU block_dim 1
    rt.event_record 1
  }
}
