// RUN: not ge-opt %s -p 'prune,csee' 2>&1 | filecheck %s
// RUN: not ge-opt %s --stop-after=fusee 2>&1 | filecheck %s --check-prefix=STAGE

ge.graph @g(%x: tensor<4xf32>) {
  ge.NetOutput(%x)
}

// CHECK:      <pipeline>:1:7: error: GX-402: no pass, stage or pipeline is called 'csee'
// CHECK-NEXT:     prune,csee
// CHECK-NEXT:           ^^^^
// CHECK-NEXT:   hint: did you mean 'cse'?

// STAGE: GX-402: --stop-after: the pipeline has no stage or pass 'fusee'
// STAGE-NEXT: expected: prepare, fuse, format-prepare, format, stage1, partition, subgraph, stage2, build
// STAGE-NEXT: hint: did you mean 'fuse'?
