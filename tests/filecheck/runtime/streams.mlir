// RUN: ge-run %s --random-inputs 0 --sanitize -q --task-time - | filecheck %s
// RUN: ge-run %s --random-inputs 0 --schedule adversarial:3 -q --trace - | filecheck %s --check-prefix=TRACE

// CHECK: Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)
// CHECK-NEXT: 0,a,AI_VECTOR_CORE,0,0,
// CHECK-NEXT: 0,b,AI_CPU,1,4,
// CHECK-NEXT: 0,event_wait_0,EVENT_WAIT,0,1,
// CHECK-NEXT: 0,event_record_0,EVENT_RECORD,1,5,
// CHECK-NEXT: 0,y,AI_VECTOR_CORE,0,2,
// CHECK-NEXT: 0,copy,MEMCPY_ASYNC,0,3,

// TRACE: "name":"Stream 0 (AIcoreEngine)"
// TRACE: "name":"Stream 1 (DNN_VM_AICPU)"
// TRACE-DAG: "name":"b",{{.*}}"Task Type":"AI_CPU"
// TRACE-DAG: "name":"copy",{{.*}}"size(B)":64
rt.model @two {soc = "Ascend910B2", format = 1, arena_bytes = 1536, weight_bytes = 0, input_bytes = 64, output_bytes = 64, variable_bytes = 0, arena_lower_bound = 1536, events = 1} {
  rt.input 0 "x" = input[0] : tensor<16xf32> zero_copy
  rt.output 0 "y" = output[0] : tensor<16xf32> zero_copy
  rt.stream 0 AIcoreEngine {
    rt.kernel "a" Relu(input[0] : tensor<16xf32>) -> (arena[0] : tensor<16xf32>) on AIcoreEngine block_dim 1
    rt.event_wait 0
    rt.kernel "y" Add(arena[0] : tensor<16xf32>, arena[512] : tensor<16xf32>) -> (arena[1024] : tensor<16xf32>) on AIcoreEngine block_dim 1
    rt.memcpy "copy" arena[1024] : tensor<16xf32> -> output[0] : tensor<16xf32>
  }
  rt.stream 1 DNN_VM_AICPU {
    rt.kernel "b" Square(input[0] : tensor<16xf32>) -> (arena[512] : tensor<16xf32>) on DNN_VM_AICPU block_dim 1
    rt.event_record 0
  }
}
