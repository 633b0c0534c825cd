// RUN: ge-run %s --random-inputs 0 --check 1e-6 | filecheck %s --check-prefix=SIM
// RUN: ge-run %s --random-inputs 0 --mode eager --check 1e-6 | filecheck %s --check-prefix=EAGER
// RUN: ge-run %s --random-inputs 0 --golden | filecheck %s --check-prefix=GOLDEN
// RUN: ge-opt %s -p ge-default | ge-run - --time-only -q --op-summary - | filecheck %s --check-prefix=OPS

// SIM: model        net (loaded graph) on Ascend910B2
// SIM-NEXT: latency      {{[0-9.]+}} us, of which {{[0-9.]+}} us on the device
// SIM-NEXT: device idle  {{[0-9.]+}} us between kernels
// SIM-NEXT: AI_CORE      2 tasks, busy {{[0-9.]+}} us
// SIM: values agree with golden semantics

// EAGER: model        net (op by op) on Ascend910B2
// EAGER: AI_CORE      2 tasks
// EAGER: values agree with golden semantics

// GOLDEN: b: 2x3 float32, from {{.*}} to {{.*}}, mean

// OPS: Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type
// OPS-NEXT: 0,1,0,0,a,Exp,static,AI_VECTOR_CORE,30.000
// OPS-NEXT: 0,1,1,0,b,Mul,static,AI_VECTOR_CORE,
ge.graph @net(%x: tensor<2x3xf32>) {
  %a = ge.Exp(%x) : tensor<2x3xf32>
  %b = ge.Mul(%a, %x) : tensor<2x3xf32>
  ge.NetOutput(%b)
}
