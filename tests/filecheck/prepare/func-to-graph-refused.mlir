// RUN: ge-opt %s --pipeline=func-to-graph --verify-diagnostics --allow-unregistered-dialect

// expected-error @below {{function @outside has 0 blocks; a graph has one}}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>

// expected-error @below {{argument 1 of function @f is no tensor: i32}}
func.func @f(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  // expected-error @below {{other.op in function @f is no node of a graph}}
  %y = "other.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{func.call in function @f is no node of a graph}}
  %z = func.call @outside(%y) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// expected-error @below {{function @attributes has 1 arguments, attributes of 2}}
"func.func"() <{sym_name = "attributes", function_type = (tensor<4xf32>) -> tensor<4xf32>, arg_attrs = [{}, {}]}> ({
^bb0(%x: tensor<4xf32>):
  func.return %x : tensor<4xf32>
}) : () -> ()
