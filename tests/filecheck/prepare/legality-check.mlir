// RUN: ge-opt %s -p legality-check --verify-diagnostics | filecheck %s --allow-empty

ge.graph @main(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  // expected-error@+1 {{E10501 Not_Supported_Operator: nobody registered an operator of type Sparkle}}
  %b = ge.Opaque(%a) {type = "Sparkle"} : tensor<4xf32> loc("b")
  // expected-error@+1 {{E10401 Operator_Input_Count: it takes 1 inputs and has 2}}
  %c = ge.Opaque(%a, %b) {type = "Relu"} : tensor<4xf32> loc("c")
  // expected-error@+1 {{attribute 'dst_type' of 'd' is missing}}
  %d = ge.Opaque(%c) {type = "Cast"} : tensor<4xi32> loc("d")
  ge.NetOutput(%d)
}
// CHECK-NOT: ge.
