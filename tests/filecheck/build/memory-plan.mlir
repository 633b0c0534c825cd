// RUN: ge-opt %s --pipeline=engine-claim,stream-assignment,event-insertion,memory-plan | filecheck %s
// RUN: ge-opt %s --pipeline=engine-claim,stream-assignment,event-insertion,memory-plan{reuse=false} | filecheck %s --check-prefix=ALL

// The reshape is no place of its own; %d may take the place of %a; the equal constants are one.
// CHECK: ge.arena_bytes = 1536 : i64
// CHECK-SAME: ge.weight_bytes = 512 : i64
// CHECK-SAME: ge.arena_lower_bound = 1536 : i64
// CHECK: %w = ge.Const() {{.*}}ge.offset = ["weight[0]"]
// CHECK: %v = ge.Const() {{.*}}ge.offset = ["weight[0]"]
// CHECK: %a = ge.Add(%x, %w) {{.*}}ge.offset = ["arena[[[A:[0-9]+]]]"]
// CHECK: %r = ge.Reshape(%a, %s) {ge.engine = "DNN_VM_GE_LOCAL"}
// CHECK: %out = ge.Add({{.*}}ge.offset = ["output[0]"]
// ALL: ge.arena_bytes = 2048 : i64
ge.graph @net(%x: tensor<4x64xf16>) {
  %w = ge.Const() {value = dense<1.0> : tensor<64xf16>} : tensor<64xf16>
  %v = ge.Const() {value = dense<1.0> : tensor<64xf16>} : tensor<64xf16>
  %s = ge.Const() {value = dense<[256]> : tensor<1xi64>} : tensor<1xi64>
  %a = ge.Add(%x, %w) : tensor<4x64xf16>
  %r = ge.Reshape(%a, %s) : tensor<256xf16>
  %b = ge.Relu(%r) : tensor<256xf16>
  %c = ge.Add(%a, %v) : tensor<4x64xf16>
  %t = ge.Reshape(%b, %s) : tensor<256xf16>
  %e = ge.Reshape(%c, %s) : tensor<256xf16>
  %d = ge.Add(%t, %e) : tensor<256xf16>
  %out = ge.Add(%d, %t) : tensor<256xf16>
  ge.NetOutput(%out)
}
