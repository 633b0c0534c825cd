// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @CTCLoss(%0: tensor<5x2x3xf32>) {
  %1 = ge.Const() {value = dense<[[0, 0], [0, 1], [1, 0]]> : tensor<3x2xi64>} : tensor<3x2xi64>
  %2 = ge.Const() {value = dense<[1, 1, 0]> : tensor<3xi32>} : tensor<3xi32>
  %3 = ge.Const() {value = dense<[4, 2]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.CTCLoss({{.*}} : tensor<2xf32>, tensor<5x2x3xf32>{{$}}
  %n, %n_1 = ge.CTCLoss(%0, %1, %2, %3) : tensor<*xf32>, tensor<*xf32>
  ge.NetOutput(%n, %n_1)
}

ge.graph @CTCLoss_2(%0: tensor<?x?x3xf64>, %1: tensor<?x2xi64>, %2: tensor<4xi32>, %3: tensor<2xi32>) {
  // CHECK: ge.CTCLoss({{.*}} : tensor<2xf64>, tensor<?x2x3xf64>{{$}}
  %n, %n_1 = ge.CTCLoss(%0, %1, %2, %3) {ctc_merge_repeated = false} : tensor<*xf64>, tensor<*xf64>
  ge.NetOutput(%n, %n_1)
}

ge.graph @CTCLoss_3(%0: tensor<4x2x3xf64>) {
  %1 = ge.Const() {value = dense<[[0, 0], [0, 1], [1, 0]]> : tensor<3x2xi64>} : tensor<3x2xi64>
  %2 = ge.Const() {value = dense<[1, 1, 0]> : tensor<3xi32>} : tensor<3xi32>
  %3 = ge.Const() {value = dense<[4, 2]> : tensor<2xi32>} : tensor<2xi32>
  // CHECK: ge.CTCLoss({{.*}} : tensor<2xf64>, tensor<4x2x3xf64>{{$}}
  %n, %n_1 = ge.CTCLoss(%0, %1, %2, %3) {preprocess_collapse_repeated = true, ignore_longer_outputs_than_inputs = true} : tensor<*xf64>, tensor<*xf64>
  ge.NetOutput(%n, %n_1)
}
