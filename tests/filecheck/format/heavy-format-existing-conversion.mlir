// RUN: ge-opt %s --pipeline=heavy-format-propagation --validate=each | filecheck %s

// OnesLike cannot keep the layout that comes in; the conversion behind it, which was there before,
// then converts from no layout.
// CHECK: ge.OnesLike({{.*}}) {{.*}} : tensor<1x1x1x1xf16>
// CHECK: ge.TransData(%o) {src_format = "NCHW", dst_format = "NCHW"
ge.graph @g(%x: tensor<1x1x1x1xf16, #ge.layout<FRACTAL_Z>>) {
  %o = ge.OnesLike(%x) {ge.engine = "AIcoreEngine"} : tensor<1x1x1x1xf16, #ge.layout<FRACTAL_Z>>
  %t = ge.TransData(%o) {src_format = "FRACTAL_Z", dst_format = "NCHW", ge.engine = "AIcoreEngine"} : tensor<1x1x1x1xf16>
  ge.NetOutput(%t) {ge.engine = "DNN_VM_GE_LOCAL"}
}
