// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @StringLength(%0: tensor<2x?x!ge.string>) {
  // CHECK: ge.StringLength({{.*}}) {unit = "UTF8_CHAR"} : tensor<2x?xi32>{{$}}
  %n = ge.StringLength(%0) {unit = "UTF8_CHAR"} : tensor<*xi32>
  ge.NetOutput(%n)
}

ge.graph @PrintV2(%0: tensor<!ge.string>) {
  // CHECK: ge.PrintV2({{.*}}) {output_stream = "stdout"}{{$}}
  ge.PrintV2(%0) {output_stream = "stdout"}
  ge.NetOutput()
}
