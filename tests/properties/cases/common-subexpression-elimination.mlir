// before
ge.graph @g(%x: tensor<2xf32>) {
  %a = ge.Neg(%x) : tensor<2xf32>
  %b = ge.Neg(%x) {ge.attr.no_need_constant_folding = true} : tensor<2xf32>
  %c = ge.Neg(%x) {ge.stream_label = "a"} : tensor<2xf32>
  %d = ge.Neg(%x) {ge.stream_label = "b"} : tensor<2xf32>
  %e = ge.Neg(%x) {ge.stream_label = "b", ge.attr.note = true} : tensor<2xf32>
  ge.NetOutput(%a, %b, %c, %d, %e)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %a = ge.Neg(%x) : tensor<2xf32>
  %b = ge.Neg(%x) {ge.attr.no_need_constant_folding = true} : tensor<2xf32>
  %c = ge.Neg(%x) {ge.stream_label = "a"} : tensor<2xf32>
  %d = ge.Neg(%x) {ge.stream_label = "b", ge.attr.note = true} : tensor<2xf32> loc("d"(fused["d", "e"]))
  ge.NetOutput(%a, %b, %c, %d, %d)
}

// -----

// What waits for the second node waits for the first.
// before
ge.graph @g(%x: tensor<2xf32>) {
  %a = ge.Neg(%x) : tensor<2xf32>
  %p = ge.Print([%x]) : !ge.ctrl
  %b, %b_done = ge.Neg(%x) : tensor<2xf32>, !ge.ctrl
  ge.Print([%x]) after(%p, %b_done)
  ge.NetOutput(%a, %b)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %a, %a_done = ge.Neg(%x) : tensor<2xf32>, !ge.ctrl loc("a"(fused["a", "b"]))
  %p = ge.Print(%x) : !ge.ctrl
  ge.Print(%x) after(%p, %a_done)
  ge.NetOutput(%a, %a)
}

// -----

// before
ge.graph @g(%x: tensor<2xf32>) {
  %p = ge.Print([%x]) : !ge.ctrl
  %a = ge.Neg(%x) : tensor<2xf32>
  %b = ge.Neg(%x) after(%p) : tensor<2xf32>
  %c = ge.Neg(%x) after(%p) : tensor<2xf32>
  ge.NetOutput(%a, %b, %c)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %p = ge.Print(%x) : !ge.ctrl
  %a = ge.Neg(%x) : tensor<2xf32>
  %b = ge.Neg(%x) after(%p) : tensor<2xf32> loc("b"(fused["b", "c"]))
  ge.NetOutput(%a, %b, %b)
}

// -----

// before
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    %b = ge.Abs(%a) : tensor<2xf32>
    %c = ge.Abs(%a) : tensor<2xf32>
    %d = ge.Add(%b, %c) : tensor<2xf32>
    ge.NetOutput(%d)
  }
  ge.NetOutput(%y)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    %b = ge.Abs(%a) : tensor<2xf32> loc("b"(fused["b", "c"]))
    %d = ge.Add(%b, %b) : tensor<2xf32>
    ge.NetOutput(%d)
  }
  ge.NetOutput(%y)
}

// -----

// Whatever has several results: all of them are those of the first.
// before
ge.graph @g(%x: tensor<4xf32>) {
  %a, %b = ge.SplitD(%x) {split_dim = 0, num_split = 2} : tensor<2xf32>, tensor<2xf32>
  %c, %d = ge.SplitD(%x) {split_dim = 0, num_split = 2} : tensor<2xf32>, tensor<2xf32>
  ge.NetOutput(%a, %b, %c, %d)
}

// -----

// after
ge.graph @g(%x: tensor<4xf32>) {
  %a, %b = ge.SplitD(%x) {split_dim = 0, num_split = 2} : tensor<2xf32>, tensor<2xf32> loc("a"(fused["a", "c"]))
  ge.NetOutput(%a, %b, %a, %b)
}
