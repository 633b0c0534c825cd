// drop-cast fires
ge.graph @g(%x: tensor<4xi16>) {
  %a = ge.Cast(%x) {dst_type = 11} : tensor<4xf64>
  %b = ge.Cast(%a) {dst_type = 3} : tensor<4xi32>
  ge.NetOutput(%b)
}

// -----

// -4 becomes 0 through a float and 2**64 - 4 without.
// drop-cast declines: through floats numbers saturate that would wrap
ge.graph @g(%x: tensor<4xi16>) {
  %a = ge.Cast(%x) {dst_type = 11} : tensor<4xf64>
  %b = ge.Cast(%a) {dst_type = 10} : tensor<4xui64>
  ge.NetOutput(%b)
}

// -----

// drop-cast fires
ge.graph @g(%x: tensor<4xi16>) {
  %a = ge.Cast(%x) {dst_type = 3} : tensor<4xi32>
  %b = ge.Cast(%a) {dst_type = 4} : tensor<4xui8>
  ge.NetOutput(%b)
}
