"""The IR substrate: operators, types, text, verification and rewriting of `ge` graphs.

Names are loaded on first use, so that importing a part does not import all of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_WHERE: dict[str, str] = {}
for _module, _names in {
    "attributes": "LayoutAttr WeightAttr RefType CtrlType",
    "base": "GeOp ge_op OpTable SlotSpec AttrSpec REQUIRED DYNAMIC OPTIONAL get_str get_int "
    "set_str set_int",
    "build": "build const body module",
    "context": "make_context GeContext",
    "control": "control_of control_inputs control_result data_inputs add_control set_control",
    "effects": "Effects EffectSet EffectKind",
    "fields": "tin opt_tin dyn_tin ref_in any_in dyn_any_in tout opt_tout dyn_tout ref_out any_out "
    "dyn_any_out int_ bool_ float_ string ints floats bools strings list_ints type_ tensor "
    "subgraph subgraphs",
    "graph": "GraphOp module_graphs walk_graphs new_graph",
    "names": "node_name set_node_name origins",
    "rewriter": "Rewriter",
    "taken_names": "TakenNames",
    "types": "CTRL tensor_type shape_of elem_of layout_of with_layout ref_type layout num_elements "
    "is_static",
}.items():
    for _name in _names.split():
        _WHERE[_name] = _module
_WHERE.update({"op_class": "", "has_op": "", "op_names": "", "register_op": ""})


def __getattr__(name: str) -> Any:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"ge_dialect.ir.{where}" if where else "ge_dialect.ops.registry")
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_WHERE)
