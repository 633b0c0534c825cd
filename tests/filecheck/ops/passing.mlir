// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @IdentityN(%0: tensor<2x?xf32>, %1: tensor<i8>) {
  // CHECK: ge.IdentityN({{.*}} : tensor<2x?xf32>, tensor<i8>{{$}}
  %n, %n_1 = ge.IdentityN(%0, %1) : tensor<*xf32>, tensor<*xi8>
  ge.NetOutput(%n, %n_1)
}

ge.graph @StopGradient(%0: tensor<2x?xf16>) {
  // CHECK: ge.StopGradient({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.StopGradient(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @PreventGradient(%0: tensor<2x?xf16>) {
  // CHECK: ge.PreventGradient({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.PreventGradient(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @GuaranteeConst(%0: tensor<2x?xf16>) {
  // CHECK: ge.GuaranteeConst({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.GuaranteeConst(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @PlaceholderWithDefault(%0: tensor<2x?xf16>) {
  // CHECK: ge.PlaceholderWithDefault({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.PlaceholderWithDefault(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @PlaceHolder(%0: tensor<2x?xf16>) {
  // CHECK: ge.PlaceHolder({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.PlaceHolder(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @End(%0: tensor<2x?xf16>) {
  // CHECK: ge.End({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.End(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @MemcpyAsync(%0: tensor<2x?xf16>) {
  // CHECK: ge.MemcpyAsync({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.MemcpyAsync(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @MemcpyAddrAsync(%0: tensor<2x?xf16>) {
  // CHECK: ge.MemcpyAddrAsync({{.*}} : tensor<2x?xf16>{{$}}
  %n = ge.MemcpyAddrAsync(%0) : tensor<*xf16>
  ge.NetOutput(%n)
}

ge.graph @RefIdentity(%0: !ge.ref<tensor<2x3xf32>>) {
  // CHECK: ge.RefIdentity({{.*}} : !ge.ref<tensor<2x3xf32>>{{$}}
  %n = ge.RefIdentity(%0) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @PhonyConcat(%0: tensor<2x3xf32>, %1: tensor<2x?xf32>) {
  // CHECK: ge.PhonyConcat({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.PhonyConcat(%0, %1) {concat_dim = [1], N = [2]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @PhonyConcat_2(%0: tensor<2x3xi8>, %1: tensor<1x3xi8>) {
  // CHECK: ge.PhonyConcat({{.*}} : tensor<3x3xi8>{{$}}
  %n = ge.PhonyConcat(%0, %1) {concat_dim = [-2], N = [2]} : tensor<*xi8>
  ge.NetOutput(%n)
}

ge.graph @PhonySplit(%0: tensor<2x6xf32>) {
  // CHECK: ge.PhonySplit({{.*}} : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>{{$}}
  %n, %n_1, %n_2 = ge.PhonySplit(%0) {split_dim = [1], num_split = [3]} : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1, %n_2)
}
