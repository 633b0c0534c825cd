// The effect inside stays behind what the call reads and waits for, and before what reads it or waits.
// before
ge.graph @g(%x: tensor<2xf32>) {
  %p_done = ge.Print([%x]) : !ge.ctrl
  %y, %y_done = ge.PartitionedCall(%x) after(%p_done) : tensor<2xf32>, !ge.ctrl f(%a) {
    ge.Print([%a])
    %b = ge.Abs(%a) : tensor<2xf32>
    ge.NetOutput(%b)
  }
  ge.Print([%y]) after(%y_done)
  ge.NetOutput(%y)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %p_done = ge.Print(%x) : !ge.ctrl
  %0 = ge.Print(%x) after(%p_done) : !ge.ctrl loc("y/Print"("y"))
  %b, %b_done = ge.Abs(%x) after(%p_done) : tensor<2xf32>, !ge.ctrl loc("y/b"("y"))
  ge.Print(%b) after(%0, %b_done)
  ge.NetOutput(%b) after(%0)
}

// -----

// The Print inside reads nothing of what the call waits for, by way of the Abs; the Neg may run at once.
// before
ge.graph @g(%x: tensor<2xf32>, %z: tensor<2xf32>) {
  %p = ge.Print([%z]) : !ge.ctrl
  %r = ge.Abs(%x) after(%p) : tensor<2xf32>
  %y, %n = ge.PartitionedCall([%r, %z]) : tensor<2xf32>, tensor<2xf32> f(%a, %b) {
    ge.Print([%b])
    %c = ge.Neg(%b) : tensor<2xf32>
    ge.NetOutput(%a, %c)
  }
  ge.NetOutput(%y, %n)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>, %z: tensor<2xf32>) {
  %p = ge.Print(%z) : !ge.ctrl
  %r, %r_done = ge.Abs(%x) after(%p) : tensor<2xf32>, !ge.ctrl
  %0 = ge.Print(%z) after(%r_done) : !ge.ctrl loc("y/Print"("y"))
  %c = ge.Neg(%z) : tensor<2xf32> loc("y/c"("y"))
  ge.NetOutput(%r, %c) after(%0)
}

// -----

// A node that waits for one that did not run does not run either, so nothing is to be ordered here.
// inline-call declines: its graph decides which of its nodes run
ge.graph @g(%x: tensor<2xf32>, %p: tensor<i1>) {
  %q = ge.Print([%x]) : !ge.ctrl
  %y = ge.PartitionedCall([%x, %p]) after(%q) : tensor<2xf32> f(%a, %b) {
    %f, %t = ge.Switch(%a, %b) : tensor<2xf32>, tensor<2xf32>
    %n = ge.Neg(%t) : tensor<2xf32>
    %m, %i = ge.Merge(%f, %n) : tensor<2xf32>, tensor<i32>
    ge.NetOutput(%m)
  }
  ge.NetOutput(%y)
}
