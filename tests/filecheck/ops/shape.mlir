// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @Reshape(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.Reshape({{.*}} : tensor<2x12xf32>{{$}}
  %y = ge.Reshape(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Reshape_2(%x: tensor<?x3x4xf32>) {
  %c0 = ge.Const() {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // CHECK: ge.Reshape({{.*}} : tensor<?x12xf32>{{$}}
  %y = ge.Reshape(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Squeeze(%x: tensor<1x3x1xf32>) {
  // CHECK: ge.Squeeze({{.*}} : tensor<3xf32>{{$}}
  %y = ge.Squeeze(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Squeeze_2(%x: tensor<1x3x1xf32>) {
  // CHECK: ge.Squeeze({{.*}} : tensor<1x3xf32>{{$}}
  %y = ge.Squeeze(%x) {axis = [-1]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @SqueezeV3(%x: tensor<1x3x1xf32>) {
  // CHECK: ge.SqueezeV3({{.*}} : tensor<3xf32>{{$}}
  %y = ge.SqueezeV3(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @SqueezeV3_2(%x: tensor<1x3x1xf32>) {
  %c0 = ge.Const() {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.SqueezeV3({{.*}} : tensor<3x1xf32>{{$}}
  %y = ge.SqueezeV3(%x, axes = %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Unsqueeze(%x: tensor<3xf32>) {
  // CHECK: ge.Unsqueeze({{.*}} : tensor<1x3x1xf32>{{$}}
  %y = ge.Unsqueeze(%x) {axes = [2, 0]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @UnsqueezeV3(%x: tensor<3xf32>) {
  %c0 = ge.Const() {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: ge.UnsqueezeV3({{.*}} : tensor<3x1xf32>{{$}}
  %y = ge.UnsqueezeV3(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @UnsqueezeV3_2(%x0: tensor<3xf32>, %x1: tensor<2xi64>) {
  // CHECK: ge.UnsqueezeV3({{.*}} : tensor<?x?x?xf32>{{$}}
  %y = ge.UnsqueezeV3(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ExpandDims(%x: tensor<3xf32>) {
  %c0 = ge.Const() {value = dense<-1> : tensor<i32>} : tensor<i32>
  // CHECK: ge.ExpandDims({{.*}} : tensor<3x1xf32>{{$}}
  %y = ge.ExpandDims(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @ExpandDims_2(%x0: tensor<3xf32>, %x1: tensor<i32>) {
  // CHECK: ge.ExpandDims({{.*}} : tensor<?x?xf32>{{$}}
  %y = ge.ExpandDims(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Flatten(%x: tensor<2x3x4xf32>) {
  // CHECK: ge.Flatten({{.*}} : tensor<2x12xf32>{{$}}
  %y = ge.Flatten(%x) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Flatten_2(%x: tensor<2x3x4xf32>) {
  // CHECK: ge.Flatten({{.*}} : tensor<24x1xf32>{{$}}
  %y = ge.Flatten(%x) {axis = 3} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Shape(%x: tensor<2x?xf32>) {
  // CHECK: ge.Shape({{.*}} : tensor<2xi32>{{$}}
  %y = ge.Shape(%x) : tensor<*xi32>
  ge.NetOutput(%y)
}

ge.graph @Shape_2(%x: tensor<*xf32>) {
  // CHECK: ge.Shape({{.*}} : tensor<?xi64>{{$}}
  %y = ge.Shape(%x) {dtype = 9} : tensor<*xi64>
  ge.NetOutput(%y)
}

ge.graph @Size(%x: tensor<2x3xf32>) {
  // CHECK: ge.Size({{.*}} : tensor<i32>{{$}}
  %y = ge.Size(%x) : tensor<*xi32>
  ge.NetOutput(%y)
}

ge.graph @Rank(%x: tensor<2x3xf32>) {
  // CHECK: ge.Rank({{.*}} : tensor<i32>{{$}}
  %y = ge.Rank(%x) : tensor<*xi32>
  ge.NetOutput(%y)
}

ge.graph @Transpose(%x: tensor<2x3x4xf32>) {
  %c0 = ge.Const() {value = dense<[2, 0, 1]> : tensor<3xi64>} : tensor<3xi64>
  // CHECK: ge.Transpose({{.*}} : tensor<4x2x3xf32>{{$}}
  %y = ge.Transpose(%x, %c0) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @Transpose_2(%x0: tensor<2x3xf32>, %x1: tensor<2xi64>) {
  // CHECK: ge.Transpose({{.*}} : tensor<?x?xf32>{{$}}
  %y = ge.Transpose(%x0, %x1) : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @TransposeD(%x: tensor<2x?x4xf32>) {
  // CHECK: ge.TransposeD({{.*}} : tensor<?x4x2xf32>{{$}}
  %y = ge.TransposeD(%x) {perm = [1, 2, 0]} : tensor<*xf32>
  ge.NetOutput(%y)
}

ge.graph @TransposeD_2(%x: tensor<*xf32>) {
  // CHECK: ge.TransposeD({{.*}} : tensor<?x?xf32>{{$}}
  %y = ge.TransposeD(%x) {perm = [1, 0]} : tensor<*xf32>
  ge.NetOutput(%y)
}
