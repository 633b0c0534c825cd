// Nothing waits for the Print; the Relu is no effect; the second Print is waited for.
// before
ge.graph @g(%x: tensor<2xf32>) {
  %d = ge.Data(%x) {index = 3} : tensor<2xf32>
  %e = ge.Data(%x) {index = 0} : tensor<2xf32>
  %r = ge.Relu(%d) : tensor<2xf32>
  %s = ge.Neg(%e) : tensor<2xf32>
  %first = ge.Print([%s]) : !ge.ctrl
  ge.Print([%d]) after(%first)
  ge.NetOutput(%s)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %d = ge.Data(%x) : tensor<2xf32>
  %r = ge.Relu(%d) : tensor<2xf32>
  %s = ge.Neg(%d) : tensor<2xf32>
  %first = ge.Print(%s) : !ge.ctrl
  %Print = ge.Print(%d) after(%first) : !ge.ctrl
  ge.NetOutput(%s) after(%Print)
}

// -----

// before
ge.graph @g(%x: tensor<2xf32>) {
  ge.NetOutput(%x)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %x_1 = ge.Data(%x) : tensor<2xf32> loc("x")
  ge.NetOutput(%x_1)
}

// -----

// A variable does nothing by itself; a graph without nodes and one in a node get their Data.
// before
ge.graph @g(%x: tensor<2xf32>, %v: !ge.ref<tensor<2xf32>>) {
  %w = ge.Variable() {value = dense<0.0> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    %b = ge.Abs(%a) : tensor<2xf32>
    ge.NetOutput(%b)
  }
  ge.NetOutput(%y)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>, %v: !ge.ref<tensor<2xf32>>) {
  %x_1 = ge.Data(%x) : tensor<2xf32> loc("x")
  %w = ge.Variable() {value = dense<0.0> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
  %y = ge.PartitionedCall(%x_1) : tensor<2xf32> f(%a) {
    %a_1 = ge.Data(%a) : tensor<2xf32> loc("a")
    %b = ge.Abs(%a_1) : tensor<2xf32>
    ge.NetOutput(%b)
  }
  ge.NetOutput(%y)
}

// -----

// What an Assign gives, nothing reads.
// before
ge.graph @g(%x: tensor<2xf32>, %v: !ge.ref<tensor<2xf32>>) {
  %d = ge.Data(%x) {index = 0} : tensor<2xf32>
  %w = ge.Assign(%v, %d) : !ge.ref<tensor<2xf32>>
  ge.NetOutput(%d)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>, %v: !ge.ref<tensor<2xf32>>) {
  %d = ge.Data(%x) : tensor<2xf32>
  %w, %w_done = ge.Assign(%v, %d) : !ge.ref<tensor<2xf32>>, !ge.ctrl
  ge.NetOutput(%d) after(%w_done)
}

// -----

// A Data moves to the start only where something that is to read it stands before it.
// before
ge.graph @g(%x: tensor<2xf32>, %z: tensor<2xf32>) {
  %c = ge.Const() {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>
  %r = ge.Add(%z, %c) : tensor<2xf32>
  %d = ge.Data(%x) {index = 0} : tensor<2xf32>
  %e = ge.Data(%z) {index = 1} : tensor<2xf32>
  %s = ge.Add(%d, %e) : tensor<2xf32>
  ge.NetOutput(%r, %s)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>, %z: tensor<2xf32>) {
  %e = ge.Data(%z) {index = 1} : tensor<2xf32>
  %c = ge.Const() {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>
  %r = ge.Add(%e, %c) : tensor<2xf32>
  %d = ge.Data(%x) : tensor<2xf32>
  %s = ge.Add(%d, %e) : tensor<2xf32>
  ge.NetOutput(%r, %s)
}
