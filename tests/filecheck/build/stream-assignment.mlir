// RUN: ge-opt %s --pipeline=engine-claim,stream-assignment,event-insertion | filecheck %s

// One stream per engine; one event per crossing that nothing else orders: %late already knows %c.
// CHECK: %a = ge.Relu(%x) {{.*}}ge.stream = 0{{.*}}ge.record = [0 : i64]
// CHECK: %c = ge.Cast(%a) {{.*}}ge.stream = 1{{.*}}ge.wait = [0 : i64]
// CHECK: %e = ge.Exp(%c) {{.*}}ge.stream = 1
// CHECK: %n = ge.Cast(%e) {{.*}}ge.stream = 1{{.*}}ge.record = [1 : i64]
// CHECK: %m = ge.Cast(%c) {{.*}}ge.stream = 1
// CHECK-NOT: ge.record
// CHECK: %s = ge.Add(%a, %n) {{.*}}ge.stream = 0{{.*}}ge.wait = [1 : i64]
ge.graph @net(%x: tensor<8xf32>) {
  %a = ge.Relu(%x) : tensor<8xf32>
  %c = ge.Cast(%a) {dst_type = 11} : tensor<8xf64>
  %e = ge.Exp(%c) : tensor<8xf64>
  %n = ge.Cast(%e) {dst_type = 0} : tensor<8xf32>
  %m = ge.Cast(%c) {dst_type = 0} : tensor<8xf32>
  %s = ge.Add(%a, %n) : tensor<8xf32>
  ge.NetOutput(%s, %m)
}
