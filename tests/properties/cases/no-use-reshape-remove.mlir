// Two unknown sizes need not be the same on both sides.
// drop-reshape declines: the shape is not known
ge.graph @g(%x: tensor<?x?xf32>, %t: tensor<2xi32>) {
  %r = ge.Reshape(%x, %t) : tensor<?x?xf32>
  %s = ge.Neg(%r) : tensor<?x?xf32>
  ge.NetOutput(%s)
}
