// RUN: ge-opt %s --pipeline=engine-placement | filecheck %s

// A node without an engine gets one; a grouped conversion is none of the AI Core's.
// CHECK: %a = ge.Relu(%x) {ge.engine = "AIcoreEngine"}
// CHECK: %b = ge.TransData(%w) {{.*}}ge.engine = "DNN_VM_AICPU"
ge.graph @net(%x: tensor<8xf32>, %w: tensor<8x4x3x3xf16>) {
  %a = ge.Relu(%x) : tensor<8xf32>
  %b = ge.TransData(%w) {src_format = "NCHW", dst_format = "FRACTAL_Z", groups = 2} : tensor<8x4x3x3xf16, #ge.layout<FRACTAL_Z, groups = 2>>
  ge.NetOutput(%a, %b)
}
