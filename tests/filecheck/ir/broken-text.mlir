// Broken text is refused at its column, all problems of a graph in one run.
// RUN: ge-opt %s --split-input-file --verify-diagnostics

ge.graph @everything(%x: tensor<4xf32>, %axis: tensor<i32>) {
  // expected-error@+1 {{GX-112: there is no operator ge.Rleu}}
  %a = ge.Rleu(%x) : tensor<4xf32>
  // expected-error@+1 {{GX-103: value %late is used before its definition}}
  %b = ge.Relu(%late) : tensor<4xf32>
  %late = ge.Relu(%x) : tensor<4xf32>
  // expected-error@+1 {{GX-102: value %nothing is not defined in this graph}}
  %c = ge.Relu(%nothing) : tensor<4xf32>
  // expected-error@+1 {{GX-104: ge.LeakyRelu has no attribute 'slope'}}
  %d = ge.LeakyRelu(%x) {slope = 0.1} : tensor<4xf32>
  // expected-error@+1 {{GX-105: ge.Conv2D has no input 'bais'}}
  %e = ge.Conv2D(%x, %x, bais = %x) : tensor<4xf32>
  // expected-error@+1 {{GX-106: ge.Relu takes 1 input, more are given}}
  %f = ge.Relu(%x, %x) : tensor<4xf32>
  // expected-error@+1 {{GX-106: input 'x2' of ge.Add is missing}}
  %g = ge.Add(%x) : tensor<4xf32>
  // expected-error@+1 {{GX-107: %x is an argument of the graph, which orders nothing}}
  %h = ge.Relu(%x) after(%x) : tensor<4xf32>
  // expected-error@+1 {{GX-109: ge.Relu has 1 output, 2 result types are given}}
  %i, %j = ge.Relu(%x) : tensor<4xf32>, tensor<4xf32>
  // expected-error@+1 {{GX-113: the type has the shape [2], the literal [3]}}
  %k = ge.Const() {value = dense<[1.0, 2.0, 3.0]> : tensor<2xf32>} : tensor<2xf32>
  // expected-error@+1 {{GX-114: SSA value %x is already defined}}
  %x = ge.Relu(%x) : tensor<4xf32>
  // expected-error@+1 {{GX-108: unknown format 'NCWH' in #ge.layout}}
  %l = ge.Relu(%x) : tensor<4xf32, #ge.layout<NCWH>>
  %m = ge.PartitionedCall(%x) : tensor<4xf32> f(%q) {
    // expected-error@+1 {{GX-102: value %x is not defined in this graph}}
    %n = ge.Add(%q, %x) : tensor<4xf32>
    ge.NetOutput(%n)
  }
  // nothing is said of uses of what is in error above
  ge.NetOutput(%a, %b, %c, %d, %m)
}

// -----

ge.graph @string(%x: tensor<4xf32>) {
  // expected-error@+1 {{GX-115}}
  %a = ge.Relu(%x) {ge.note = "open} : tensor<4xf32>
  ge.NetOutput(%a)
}
