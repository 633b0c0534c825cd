// RUN: not ge-run %s --random-inputs 0 2>&1 | filecheck %s
// RUN: ge-run %s --time-only | filecheck %s --check-prefix=TIME

// CHECK: error: GX-601: the simulated device has no kernel for Mystery
// CHECK-NEXT: node: a
// CHECK: error: GX-601: the simulated device has no kernel for Riddle
// CHECK-NEXT: node: b
// TIME: latency
rt.model @m {soc = "Ascend910B2", format = 1, arena_bytes = 64, weight_bytes = 0, input_bytes = 64, output_bytes = 64, variable_bytes = 0, arena_lower_bound = 0, events = 0} {
  rt.input 0 "x" = input[0] : tensor<16xf32> zero_copy
  rt.output 0 "y" = output[0] : tensor<16xf32> zero_copy
  rt.stream 0 AIcoreEngine {
    rt.kernel "a" Mystery(input[0] : tensor<16xf32>) -> (arena[0] : tensor<16xf32>) on AIcoreEngine block_dim 1
    rt.kernel "b" Riddle(arena[0] : tensor<16xf32>) -> (output[0] : tensor<16xf32>) on AIcoreEngine block_dim 1
  }
}
