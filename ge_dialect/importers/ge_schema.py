"""Fields of the messages in GE's dumps, by message: what a reader checks and a printer orders.

Written down from the descriptions of the format, not from GE's own files. A field is
(kind, repeated, message): kinds are s (text), y (bytes), i (64-bit integer), u (without sign),
f (float), b (truth value), e (name of an enumeration), m (message) and a (map of attributes).
Fields stand in the order of their numbers, which is the order they are printed in.
"""

from __future__ import annotations

from typing import NamedTuple


class Field(NamedTuple):
    """One field of a message."""

    kind: str
    repeated: bool = False
    message: str = ""


def _fields(text: str) -> dict[str, Field]:
    out: dict[str, Field] = {}
    for part in text.split():
        name, _, spec = part.partition(":")
        repeated = spec.endswith("*")
        spec = spec.rstrip("*")
        out[name] = Field("m", repeated, spec) if len(spec) > 1 else Field(spec, repeated)
    return out


#: Message -> field -> declaration.
SCHEMA: dict[str, dict[str, Field]] = {
    "ModelDef": _fields(
        "name:s version:u custom_version:s graph:GraphDef* attr:a attr_groups:AttrGroups"
    ),
    "GraphDef": _fields("name:s input:s* output:s* op:OpDef* attr:a attr_groups:AttrGroups"),
    "OpDef": _fields(
        "name:s type:s input:s* attr:a attr_groups:AttrGroups has_out_attr:b id:i stream_id:i "
        "input_name:s* src_name:s* src_index:i* dst_name:s* dst_index:i* input_i:i* output_i:i* "
        "workspace:i* workspace_bytes:i* is_input_const:b* input_desc:TensorDescriptor* "
        "output_desc:TensorDescriptor* subgraph_name:s*"
    ),
    "TensorDescriptor": _fields(
        "name:s dtype:e shape:ShapeDef layout:s attr:a attr_groups:AttrGroups has_out_attr:b "
        "size:i weight_size:i reuse_input:b output_tensor:b device_type:s input_tensor:b "
        "real_dim_cnt:i reuse_input_index:i data_offset:i cmps_size:i cmps_tab:s cmps_tab_offset:i"
    ),
    "ShapeDef": _fields("dim:i*"),
    "TensorDef": _fields("desc:TensorDescriptor data:y"),
    "AttrEntry": _fields("key:s value:AttrDef"),
    "AttrDef": _fields(
        "list:ListValue s:s i:i f:f b:b bt:y func:NamedAttrs td:TensorDescriptor t:TensorDef "
        "g:GraphDef list_list_int:ListListInt dt:i list_list_float:ListListFloat expression:s"
    ),
    "ListValue": _fields(
        "s:s* i:i* f:f* b:b* bt:y* td:TensorDescriptor* t:TensorDef* g:GraphDef* na:NamedAttrs* "
        "dt:i* val_type:e"
    ),
    "ListListInt": _fields("list_list_i:ListInt*"),
    "ListInt": _fields("list_i:i*"),
    "ListListFloat": _fields("list_list_f:ListFloat*"),
    "ListFloat": _fields("list_f:f*"),
    "NamedAttrs": _fields("name:s attr:a"),
    "AttrGroups": _fields("other_group_def:GroupAttrs attr_group_def:AttrGroup*"),
    "GroupAttrs": _fields("attr:a"),
    "AttrGroup": _fields("tensor_attr_group:TensorAttrGroup"),
    "TensorAttrGroup": _fields("origin_symbol_shape:s* symbolic_value:s*"),
    # ge_onnx: the part of ONNX's messages that GE writes.
    "OnnxModel": _fields(
        "ir_version:i producer_name:s producer_version:s domain:s model_version:i doc_string:s "
        "graph:OnnxGraph"
    ),
    "OnnxGraph": _fields(
        "node:OnnxNode* name:s doc_string:s input:OnnxValue* output:OnnxValue* "
        "value_info:OnnxValue*"
    ),
    "OnnxNode": _fields(
        "input:s* output:s* name:s op_type:s attribute:OnnxAttr* doc_string:s domain:s"
    ),
    "OnnxAttr": _fields(
        "name:s f:f i:i s:s t:OnnxTensor g:OnnxGraph floats:f* ints:i* strings:s* "
        "graphs:OnnxGraph* doc_string:s type:e"
    ),
    "OnnxTensor": _fields(
        "dims:i* data_type:i float_data:f* int32_data:i* string_data:y* int64_data:i* name:s "
        "raw_data:y double_data:f* uint64_data:u*"
    ),
    "OnnxValue": _fields("name:s type:OnnxType doc_string:s"),
    "OnnxType": _fields("tensor_type:OnnxTensorType"),
    "OnnxTensorType": _fields("elem_type:i shape:OnnxShape"),
    "OnnxShape": _fields("dim:OnnxDim*"),
    "OnnxDim": _fields("dim_value:i dim_param:s"),
}

#: Names of element types in the messages' own numbering, which is not that of attributes.
PROTO_DTYPES: tuple[str, ...] = tuple(
    "DT_" + name
    for name in (
        "UNDEFINED FLOAT FLOAT16 INT8 UINT8 INT16 UINT16 INT32 INT64 UINT32 UINT64 BOOL DOUBLE "
        "STRING DUAL_SUB_INT8 DUAL_SUB_UINT8 COMPLEX64 COMPLEX128 QINT8 QINT16 QINT32 QUINT8 "
        "QUINT16 RESOURCE STRING_REF DUAL VARIANT BF16 INT4 UINT1 INT2 UINT2 COMPLEX32 HIFLOAT8 "
        "FLOAT8_E5M2 FLOAT8_E4M3FN FLOAT8_E8M0 FLOAT6_E3M2 FLOAT6_E2M3 FLOAT4_E2M1 FLOAT4_E1M2 "
        "HIFLOAT4"
    ).split()
)

#: Kinds of lists in their own numbering.
LIST_TYPES: tuple[str, ...] = tuple(
    "VT_LIST_" + name
    for name in (
        "NONE STRING INT FLOAT BOOL BYTES TENSOR_DESC TENSOR GRAPH NAMED_ATTRS DATA_TYPE"
    ).split()
)

#: Kinds of attributes in ONNX's numbering.
ONNX_ATTR_TYPES: tuple[str, ...] = (
    "UNDEFINED FLOAT INT STRING TENSOR GRAPH FLOATS INTS STRINGS TENSORS GRAPHS SPARSE_TENSOR "
    "SPARSE_TENSORS TYPE_PROTO TYPE_PROTOS"
).split()  # pyright: ignore[reportAssignmentType]

#: (message, field) -> names by number.
ENUMS: dict[tuple[str, str], tuple[str, ...]] = {
    ("TensorDescriptor", "dtype"): PROTO_DTYPES,
    ("ListValue", "val_type"): LIST_TYPES,
    ("OnnxAttr", "type"): tuple(ONNX_ATTR_TYPES),
}
