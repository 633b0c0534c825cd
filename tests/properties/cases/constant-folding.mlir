// fold-constant fires
ge.graph @g(%x: tensor<2xf32>) {
  %s = ge.Shape(%x) : tensor<1xi32>
  ge.NetOutput(%s)
}

// -----

// fold-constant declines: the shape of the input is not known
ge.graph @g(%x: tensor<?x4xf32>) {
  %s = ge.Shape(%x) : tensor<2xi32>
  ge.NetOutput(%s)
}

// -----

// A result that nothing reads becomes a constant nevertheless; of several, only those read do. Constants
// that something else reads stay.
// before
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<[1, 2, 3, 4]> : tensor<4xi32>} : tensor<4xi32>
  %a, %b = ge.SplitD(%c) {split_dim = 0, num_split = 2} : tensor<2xi32>, tensor<2xi32>
  %d = ge.Neg(%a) : tensor<2xi32>
  ge.NetOutput(%x, %b, %c)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<[1, 2, 3, 4]> : tensor<4xi32>} : tensor<4xi32>
  %b = ge.Const() {value = dense<[3, 4]> : tensor<2xi32>} : tensor<2xi32> loc("a")
  %d = ge.Const() {value = dense<[-1, -2]> : tensor<2xi32>} : tensor<2xi32>
  ge.NetOutput(%x, %b, %c)
}

// -----

// A constant is nobody's task.
// before
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<[1, 2]> : tensor<2xi32>} : tensor<2xi32>
  %d = ge.Neg(%c) {ge.engine = "AIcoreEngine"} : tensor<2xi32>
  ge.NetOutput(%x, %d)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %d = ge.Const() {value = dense<[-1, -2]> : tensor<2xi32>, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<2xi32>
  ge.NetOutput(%x, %d)
}

// -----

// Rounding: what is not exact stays a recipe in the weights' text.
// before
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %d = ge.Exp(%c) : tensor<2xf32>
  %e = ge.Const() {value = #ge.weight<"w">} : tensor<2x2xf32>
  %f = ge.Relu(%e) : tensor<2x2xf32>
  ge.NetOutput(%x, %d, %f)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %d = ge.Const() {value = #ge.weight<exp(const([1.0, 2.0], f32))>} : tensor<2xf32>
  %f = ge.Const() {value = #ge.weight<Relu("w")>} : tensor<2x2xf32>
  ge.NetOutput(%x, %d, %f)
}

// -----

// Of several results, those that nothing reads become no constants.
// before
ge.graph @g(%x: tensor<2xf32>) {
  %c = ge.Const() {value = dense<[1, 2, 3, 4]> : tensor<4xi32>} : tensor<4xi32>
  %a, %b = ge.SplitD(%c) {split_dim = 0, num_split = 2} : tensor<2xi32>, tensor<2xi32>
  %d = ge.Neg(%c) : tensor<4xi32>
  ge.NetOutput(%x, %b)
}

// -----

// after
ge.graph @g(%x: tensor<2xf32>) {
  %b = ge.Const() {value = dense<[3, 4]> : tensor<2xi32>} : tensor<2xi32> loc("a")
  %d = ge.Const() {value = dense<[-1, -2, -3, -4]> : tensor<4xi32>} : tensor<4xi32>
  ge.NetOutput(%x, %b)
}

// -----

// The literal tells the shape where the node did not.
// before
ge.graph @g(%x: tensor<2x3xf32>) {
  %s = ge.Shape(%x) : tensor<?xi32>
  ge.NetOutput(%s)
}

// -----

// after
ge.graph @g(%x: tensor<2x3xf32>) {
  %s = ge.Const() {value = dense<[2, 3]> : tensor<2xi32>} : tensor<2xi32>
  ge.NetOutput(%s)
}
