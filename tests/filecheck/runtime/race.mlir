// RUN: not ge-run %s --time-only --sanitize 2>&1 | filecheck %s

// CHECK: error: GX-616: race: 'a' writes and 'b' reads the same memory in no fixed order
// CHECK-NEXT: node: b
// CHECK-NEXT: found: arena[0] to [64]; task 0 of stream 0, task 0 of stream 1
rt.model @race {soc = "Ascend910B2", format = 1, arena_bytes = 64, weight_bytes = 0, input_bytes = 64, output_bytes = 64, variable_bytes = 0, arena_lower_bound = 0, events = 0} {
  rt.input 0 "x" = input[0] : tensor<16xf32> zero_copy
  rt.output 0 "y" = output[0] : tensor<16xf32> zero_copy
  rt.stream 0 AIcoreEngine {
    rt.kernel "a" Relu(input[0] : tensor<16xf32>) -> (arena[0] : tensor<16xf32>) on AIcoreEngine block_dim 1
  }
  rt.stream 1 DNN_VM_AICPU {
    rt.kernel "b" Square(arena[0] : tensor<16xf32>) -> (output[0] : tensor<16xf32>) on DNN_VM_AICPU block_dim 1
  }
}
