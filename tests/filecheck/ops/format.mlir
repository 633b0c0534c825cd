// A change of layout keeps the logical tensor; its formats must be those of the types.
// RUN: ge-opt %s | filecheck %s
// RUN: ge-opt %s | ge-opt --print-op-generic | ge-opt | filecheck %s
// RUN: ge-opt %S/Inputs/format-refused.mlir --split-input-file --verify-diagnostics

ge.graph @format(%x: tensor<1x32x4x4xf16>) {
  // CHECK: ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x32x4x4xf16, #ge.layout<NC1HWC0>>
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x32x4x4xf16, #ge.layout<NC1HWC0>>
  // CHECK: ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<1x32x4x4xf16>
  %b = ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NCHW"} : tensor<1x32x4x4xf16>
  // CHECK: ge.Reinterpret(%b) : tensor<32x16xf16>
  %c = ge.Reinterpret(%b) : tensor<32x16xf16>
  ge.NetOutput(%c)
}
