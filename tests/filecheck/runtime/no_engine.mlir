// RUN: not ge-run %s --random-inputs 0 2>&1 | filecheck %s
// RUN: not ge-run %s --time-only 2>&1 | filecheck %s
// RUN: ge-opt %s -p cse | filecheck %s --check-prefix=TEXT

// CHECK: no_engine.mlir:20:5: error: GX-620: the device has no engine for the kernel of Relu
// CHECK-NEXT: node: a
// CHECK-NEXT: found: 'AIcorEngine'
// CHECK-NEXT: expected: one of AIcoreEngine, DNN_VM_AICPU
// CHECK-NEXT: hint: did you mean 'AIcoreEngine'?
// CHECK-NEXT: no_engine.mlir:19:3: error: GX-620: the device has no engine for stream 0
// CHECK-NEXT: found: 'Nowhere'
// CHECK-NOT: latency

// The text itself is right: which engines there are is known by the device.
// TEXT: rt.stream 0 Nowhere
rt.model @m {soc = "Ascend910B2", format = 1, arena_bytes = 0, weight_bytes = 0, input_bytes = 64, output_bytes = 64, variable_bytes = 0, arena_lower_bound = 0, events = 0} {
  rt.input 0 "x" = input[0] : tensor<16xf32> zero_copy
  rt.output 0 "y" = output[0] : tensor<16xf32> zero_copy
  rt.stream 0 Nowhere {
    rt.kernel "a" Relu(input[0] : tensor<16xf32>) -> (output[0] : tensor<16xf32>) on AIcorEngine block_dim 1
  }
}
