// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Switch(%0: tensor<2x?xf32>, %1: tensor<i1>) {
  // CHECK: ge.Switch({{.*}} : tensor<2x?xf32>, tensor<2x?xf32>{{$}}
  %n, %n_1 = ge.Switch(%0, %1) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @Switch_2(%0: tensor<3xi64>, %1: tensor<1xi1>) {
  // CHECK: ge.Switch({{.*}} : tensor<3xi64>, tensor<3xi64>{{$}}
  %n, %n_1 = ge.Switch(%0, %1) : tensor<*xi64>, tensor<*xi64>
  ge.NetOutput(%n, %n_1)
}

ge.graph @RefSwitch(%0: !ge.ref<tensor<2xf32>>, %1: tensor<i1>) {
  // CHECK: ge.RefSwitch({{.*}} : !ge.ref<tensor<2xf32>>, !ge.ref<tensor<2xf32>>{{$}}
  %n, %n_1 = ge.RefSwitch(%0, %1) : !ge.ref<tensor<*xf32>>, !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n, %n_1)
}

ge.graph @RefSwitch_2(%0: tensor<2xf16>, %1: tensor<i1>) {
  // CHECK: ge.RefSwitch({{.*}} : tensor<2xf16>, tensor<2xf16>{{$}}
  %n, %n_1 = ge.RefSwitch(%0, %1) : tensor<*xf16>, tensor<*xf16>
  ge.NetOutput(%n, %n_1)
}

ge.graph @Merge(%0: tensor<2x3xf32>, %1: tensor<2x4xf32>) {
  // CHECK: ge.Merge({{.*}} : tensor<2x?xf32>, tensor<i32>{{$}}
  %n, %n_1 = ge.Merge(%0, %1) : tensor<*xf32>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @Merge_2(%0: tensor<2x3xi8>) {
  // CHECK: ge.Merge({{.*}} : tensor<2x3xi8>, tensor<i32>{{$}}
  %n, %n_1 = ge.Merge(%0) : tensor<*xi8>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @RefMerge(%0: !ge.ref<tensor<2xf32>>, %1: !ge.ref<tensor<2xf32>>) {
  // CHECK: ge.RefMerge({{.*}} : !ge.ref<tensor<2xf32>>, tensor<i32>{{$}}
  %n, %n_1 = ge.RefMerge(%0, %1) : !ge.ref<tensor<*xf32>>, tensor<*xi32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @Enter(%0: tensor<2x?xf32>) {
  // CHECK: ge.Enter({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.Enter(%0) {frame_name = "loop", is_constant = false} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @RefEnter(%0: !ge.ref<tensor<2xf32>>) {
  // CHECK: ge.RefEnter({{.*}} : !ge.ref<tensor<2xf32>>{{$}}
  %n = ge.RefEnter(%0) {frame_name = "loop", is_constant = true} : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @Exit(%0: tensor<2xf32>) {
  // CHECK: ge.Exit({{.*}} : tensor<2xf32>{{$}}
  %n = ge.Exit(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @RefExit(%0: !ge.ref<tensor<2xf32>>) {
  // CHECK: ge.RefExit({{.*}} : !ge.ref<tensor<2xf32>>{{$}}
  %n = ge.RefExit(%0) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @NextIteration(%0: tensor<2x?xf32>) {
  // CHECK: ge.NextIteration({{.*}} : tensor<2x?xf32>{{$}}
  %n = ge.NextIteration(%0) : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @RefNextIteration(%0: !ge.ref<tensor<2xf32>>) {
  // CHECK: ge.RefNextIteration({{.*}} : !ge.ref<tensor<2xf32>>{{$}}
  %n = ge.RefNextIteration(%0) : !ge.ref<tensor<*xf32>>
  ge.NetOutput(%n)
}

ge.graph @LoopCond(%0: tensor<i1>) {
  // CHECK: ge.LoopCond({{.*}} : tensor<i1>{{$}}
  %n = ge.LoopCond(%0) : tensor<*xi1>
  ge.NetOutput(%n)
}

ge.graph @SwitchN(%0: tensor<2x?xf32>, %1: tensor<i64>) {
  // CHECK: ge.SwitchN({{.*}} : tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>{{$}}
  %a, %b, %c = ge.SwitchN(%0, %1) : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%a, %b, %c)
}
