// GE keeps an identity without which both ends of a body were one buffer.
// drop-identity declines: it separates an input and output of a body
ge.graph @g(%c: tensor<i1>, %x: tensor<2xf32>) {
  %y = ge.If(%c, [%x]) : tensor<2xf32> then_branch(%a) {
    %r = ge.Identity(%a) : tensor<2xf32>
    ge.NetOutput(%r)
  } else_branch(%a) {
    %s = ge.Neg(%a) : tensor<2xf32>
    ge.NetOutput(%s)
  }
  ge.NetOutput(%y)
}

// -----

// The identity knows more of the shape.
// drop-identity declines: input and output types differ
ge.graph @g(%x: tensor<?xf32>) {
  %r = ge.Identity(%x) : tensor<2xf32>
  %s = ge.Neg(%r) : tensor<2xf32>
  ge.NetOutput(%s)
}

// -----

// At the top, both ends are buffers of the caller.
// drop-identity fires
ge.graph @g(%x: tensor<2xf32>) {
  %r = ge.Identity(%x) : tensor<2xf32>
  ge.NetOutput(%r)
}

// -----

// drop-identity fires
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    %r = ge.Identity(%a) : tensor<2xf32>
    %s = ge.Neg(%r) : tensor<2xf32>
    ge.NetOutput(%s)
  }
  ge.NetOutput(%y)
}

// -----

// drop-identity fires
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    %s = ge.Neg(%a) : tensor<2xf32>
    %r = ge.Identity(%s) : tensor<2xf32>
    ge.NetOutput(%r)
  }
  ge.NetOutput(%y)
}

// -----

// drop-identity declines: it separates an input and output of a body
ge.graph @g(%x: tensor<2xf32>) {
  %y = ge.PartitionedCall(%x) : tensor<2xf32> f(%a) {
    %d = ge.Data(%a) {index = 0} : tensor<2xf32>
    %r = ge.Identity(%d) : tensor<2xf32>
    ge.NetOutput(%r)
  }
  ge.NetOutput(%y)
}
