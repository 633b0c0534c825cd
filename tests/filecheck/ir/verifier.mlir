// What the verifier refuses, all problems of a module in one run.
// RUN: ge-opt %s --split-input-file --verify-diagnostics

ge.graph @nodes(%x: tensor<4xf32>, %h: tensor<4xf16>, %v: !ge.ref<tensor<4xf32>>) {
  // expected-error@+1 {{GX-221: ge.Relu: result 0 has the wrong shape}}
  %a = ge.Relu(%x) : tensor<5xf32>
  // expected-error@+1 {{GX-209: ge.Add: input x2 has dtype float16, but x1 has float32}}
  %b = ge.Add(%x, %h) : tensor<4xf32>
  // expected-error@+1 {{GX-204: input 'x' of ge.Relu has the wrong type}}
  %c = ge.Relu(%v) : tensor<4xf32>
  // expected-error@+2 {{GX-206: ge.Conv2D needs the attribute 'strides'}}
  // expected-error@+1 {{GX-206: ge.Conv2D needs the attribute 'pads'}}
  %d = ge.Conv2D(%x, %x) : tensor<4xf32>
  %e = ge.Relu(%x) : tensor<4xf32> loc("twice")
  // expected-error@+1 {{GX-215: two nodes of the graph are called 'twice'}}
  %f = ge.Relu(%x) : tensor<4xf32> loc("twice")
  ge.NetOutput(%a, %b, %c, %d, %e, %f)
}

// -----

ge.graph @order(%x: tensor<4xf32>) {
  %v = ge.Variable() : !ge.ref<tensor<4xf32>>
  %a = ge.Assign(%v, %x) : !ge.ref<tensor<4xf32>>
  // expected-error@+1 {{GX-214: Assign 'a' and Read 'b' both touch Variable 'v', and no edge says which is first}}
  %b = ge.Read(%v) : tensor<4xf32>
  // expected-error@+1 {{GX-214: Read 'b' and Assign 'c' both touch Variable 'v'}}
  %c = ge.Assign(%v, %x) after(%a) : !ge.ref<tensor<4xf32>>
  ge.NetOutput(%b)
}

// -----

// expected-error@+2 {{GX-213: a graph ends with ge.NetOutput}}
ge.graph @end(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
}

// -----

ge.graph @bodies(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{GX-226: ge.If: the results of the branches differ in number}}
  %r = ge.If(%p, [%x]) : tensor<4xf32> then_branch(%a) {
    ge.NetOutput(%a)
  } else_branch(%a) {
    // expected-error@+1 {{GX-212: else_branch of ge.If gives 2 values, the node has 1 results}}
    ge.NetOutput(%a, %a)
  }
  ge.NetOutput(%r)
}

// -----

// The generic form lets a use stand before its definition.
"ge.graph"() <{sym_name = "dominance"}> ({
^bb0(%x: tensor<4xf32>):
  // expected-error@+1 {{GX-201: %b is used before its definition}}
  %a = "ge.Relu"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "ge.Relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "ge.NetOutput"(%a) <{operandSegmentSizes = array<i32: 1, 0>}> : (tensor<4xf32>) -> ()
}) : () -> ()
