// One conversion and one constant in the layout serve both convolutions.
// before
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %w = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16>
  %a = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  %b = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  %c = ge.Add(%a, %b) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  %d = ge.Softsign(%c) {ge.engine = "DNN_VM_AICPU"} : tensor<1x16x8x8xf16>
  ge.NetOutput(%d) {ge.engine = "DNN_VM_GE_LOCAL"}
}

// -----

// after
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %trans_TransData_0 = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %w = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16>
  %w_1 = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>> loc("w_FRACTAL_Z"("w"))
  %a = ge.Conv2D(%trans_TransData_0, %w_1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %b = ge.Conv2D(%trans_TransData_0, %w_1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %c = ge.Add(%a, %b) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %trans_TransData_1 = ge.TransData(%c) {src_format = "NC1HWC0", dst_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  %d = ge.Softsign(%trans_TransData_1) {ge.engine = "DNN_VM_AICPU"} : tensor<1x16x8x8xf16>
  ge.NetOutput(%d) {ge.engine = "DNN_VM_GE_LOCAL"}
}

// -----

// A layout that was declared before is not kept by a node that can choose none.
// before
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %a = ge.Relu(%x) {ge.engine = "DNN_VM_AICPU"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %b = ge.Neg(%a) {ge.engine = "DNN_VM_AICPU"} : tensor<1x16x8x8xf16>
  %c = ge.TransData(%a) {src_format = "NC1HWC0", dst_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  ge.NetOutput(%b, %c) {ge.engine = "DNN_VM_GE_LOCAL"}
}

// -----

// after
ge.graph @g(%x: tensor<1x16x8x8xf16>) {
  %a = ge.Relu(%x) {ge.engine = "DNN_VM_AICPU"} : tensor<1x16x8x8xf16>
  %b = ge.Neg(%a) {ge.engine = "DNN_VM_AICPU"} : tensor<1x16x8x8xf16>
  %c = ge.TransData(%a) {src_format = "NCHW", dst_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  ge.NetOutput(%b, %c) {ge.engine = "DNN_VM_GE_LOCAL"}
}

// -----

// An order of axes is one of inputs only.
// before
ge.graph @g(%x: tensor<1x16x8x8xf16, #ge.layout<NHWC>>) {
  %a = ge.Relu(%x) {ge.engine = "DNN_VM_AICPU"} : tensor<1x16x8x8xf16, #ge.layout<NHWC>>
  %b = ge.Neg(%a) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NHWC>>
  ge.NetOutput(%b) {ge.engine = "DNN_VM_GE_LOCAL"}
}

// -----

// after
ge.graph @g(%x: tensor<1x16x8x8xf16, #ge.layout<NHWC>>) {
  %trans_TransData_0 = ge.TransData(%x) {src_format = "NHWC", dst_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  %a = ge.Relu(%trans_TransData_0) {ge.engine = "DNN_VM_AICPU"} : tensor<1x16x8x8xf16>
  %b = ge.Neg(%a) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  ge.NetOutput(%b) {ge.engine = "DNN_VM_GE_LOCAL"}
}

// -----

// The graph inside sees what is passed to it.
// before
ge.graph @g(%x: tensor<1x16x8x8xf16>, %v: !ge.ref<tensor<2xf32>>) {
  %w = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16>
  %a = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  %u = ge.Const() {value = #ge.weight<"u">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<1x16x8x8xf16>
  %s = ge.Add(%a, %u) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  %y = ge.PartitionedCall([%s]) {ge.engine = "DNN_VM_GE_LOCAL"} : tensor<1x16x8x8xf16> f(%i) {
    %t = ge.Relu(%i) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
    ge.NetOutput(%t) {ge.engine = "DNN_VM_GE_LOCAL"}
  }
  %z = ge.Exp(%w) {ge.engine = "AIcoreEngine"} : tensor<16x16x1x1xf16>
  ge.NetOutput(%y, %z) {ge.engine = "DNN_VM_GE_LOCAL"}
}

// -----

// after
ge.graph @g(%x: tensor<1x16x8x8xf16>, %v: !ge.ref<tensor<2xf32>>) {
  %trans_TransData_0 = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %w = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16>
  %w_1 = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>> loc("w_FRACTAL_Z"("w"))
  %a = ge.Conv2D(%trans_TransData_0, %w_1) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %u = ge.Const() {value = #ge.weight<"u">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %s = ge.Add(%a, %u) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16, #ge.layout<NC1HWC0>>
  %trans_TransData_1 = ge.TransData(%s) {src_format = "NC1HWC0", dst_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
  %y = ge.PartitionedCall(%trans_TransData_1) {ge.engine = "DNN_VM_GE_LOCAL"} : tensor<1x16x8x8xf16> f(%i) {
    %t = ge.Relu(%i) {ge.engine = "AIcoreEngine"} : tensor<1x16x8x8xf16>
    ge.NetOutput(%t) {ge.engine = "DNN_VM_GE_LOCAL"}
  }
  %z = ge.Exp(%w) {ge.engine = "AIcoreEngine"} : tensor<16x16x1x1xf16>
  ge.NetOutput(%y, %z) {ge.engine = "DNN_VM_GE_LOCAL"}
}
