"""Writes `ge_dialect/builder/ge.pyi`: `python -m ge_dialect.builder.stubgen [--check]`.

One function for each operator of the library, from its class: what editors complete and type
checkers check.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ge_dialect.builder.calls import infers, python_name, result_field
from ge_dialect.ir.attributes import LayoutAttr
from ge_dialect.ir.base import DYNAMIC, OPTIONAL, REQUIRED, AttrSpec, GeOp, OpTable, SlotSpec
from ge_dialect.ops.registry import op_class, op_names
from ge_dialect.tools.generated import write_generated

STUB = Path(__file__).with_name("ge.pyi")
WIDTH = 100
_HEAD = '''\
"""Written by `python -m ge_dialect.builder.stubgen` from the operators' classes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from ge_dialect.builder.values import After, DTypeLike, Node, Ref, Tensor, Value

#: A sub-graph: a function of its inputs that returns its outputs.
Body: TypeAlias = Callable[..., Tensor | Ref | Sequence[Tensor | Ref]]
#: Types of results: like a tensor, or a shape and a dtype.
Results: TypeAlias = Sequence[Tensor | tuple[Sequence[int | None] | None, DTypeLike]]
'''
_KINDS = {
    "Int": "int",
    "Bool": "bool",
    "Float": "float",
    "String": "str",
    "ListInt": "Sequence[int]",
    "ListFloat": "Sequence[float]",
    "ListBool": "Sequence[bool]",
    "ListString": "Sequence[str]",
    "Type": "DTypeLike",
    "ListType": "Sequence[DTypeLike]",
    "ListListInt": "Sequence[Sequence[int]]",
    "Tensor": "Value",
}


def _input(slot: SlotSpec) -> str:
    return "Ref" if slot.is_ref else "Value | Ref" if slot.is_any else "Value"


def _inputs(table: OpTable) -> list[str]:
    """Parameters of the inputs. One before a required input has no default."""
    out: list[str] = []
    needed = max((i for i, s in enumerate(table.inputs) if s.kind == REQUIRED), default=-1)
    for i, slot in enumerate(table.inputs):
        name, kind = python_name(slot.name), _input(slot)
        if slot.kind == REQUIRED:
            out.append(f"{name}: {kind}")
        elif slot.kind == OPTIONAL:
            out.append(f"{name}: {kind} | None" + ("" if i < needed else " = None"))
        else:
            default = "" if i < needed or table.solo else " = ()"
            out.append(f"{name}: Sequence[{kind}]{default}")
    return out


def _default(spec: AttrSpec) -> str:
    from ge_dialect.dtypes import ge_name

    value: Any = spec.kind.to_python(spec.default)
    if spec.kind.name == "Type":
        return json.dumps(ge_name(value))
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, float):
        from ge_dialect.ir.kinds import float_text

        return float_text(value) if value == value and abs(value) != float("inf") else "..."
    if isinstance(value, LayoutAttr) or not isinstance(value, int | tuple):
        return "..."
    return repr(value)


def _attribute(spec: AttrSpec, table: OpTable) -> str:
    name, kind = python_name(spec.name), _KINDS.get(spec.kind.name, "object")
    counted = spec.name == "N" and sum(s.kind == DYNAMIC for s in table.inputs) == 1
    if spec.default is not None and not counted:
        return f"{name}: {kind} = {_default(spec)}"
    if spec.required and not counted:
        return f"{name}: {kind}"
    return f"{name}: {kind} | None = None"


def _result(op_type: str, table: OpTable) -> str:
    if not table.outputs:
        return "Node"
    first, *more = table.outputs
    return f"{op_type}Results" if more else _one_result(first)


def _one_result(slot: SlotSpec) -> str:
    # What may be either is mostly a tensor; a variable passed through says so at run time.
    kind = "Ref" if slot.is_ref else "Tensor"
    if slot.kind == DYNAMIC:
        return f"tuple[{kind}, ...]"
    return f"{kind} | None" if slot.kind == OPTIONAL else kind


def _doc(cls: type[GeOp]) -> str:
    text = " ".join((cls.__doc__ or "").split("\n\n")[0].split()).replace("\\", "\\\\")
    if not text:
        return "    ...\n"
    if len(text) + 10 <= WIDTH:
        return f'    """{text}"""\n'
    lines = textwrap.wrap(text, WIDTH - 12)
    return '    """' + "\n    ".join(lines) + '\n    """\n'


def function(op_type: str) -> str:
    """The stub of one operator, with the class of its results where there are several."""
    cls = op_class(op_type)
    table = cls.ge_table()
    named = [f"{g.name}: {'Sequence[Body]' if g.dynamic else 'Body'}" for g in table.graphs]
    named += [_attribute(a, table) for a in table.attrs.values()]
    if table.outputs and not infers(cls):
        named.append("results: Results | None = None")
    named += ["name: str | None = None", "after: After = ()"]
    parameters = [*_inputs(table), "*", *named]
    result = _result(op_type, table)
    line = f"def {op_type}({', '.join(parameters)}) -> {result}:"
    if len(line) > WIDTH:
        line = f"def {op_type}(\n" + "".join(f"    {p},\n" for p in parameters) + f") -> {result}:"
    text = f"{line}\n{_doc(cls)}"
    if len(table.outputs) > 1:
        fields = "".join(f"    {result_field(s.name)}: {_one_result(s)}\n" for s in table.outputs)
        text = f"class {op_type}Results(NamedTuple):\n{fields}\n{text}"
    return text


def stub_text() -> str:
    """The whole stub."""
    return "\n".join([_HEAD, *(function(name) for name in sorted(op_names()))])


def main(argv: Sequence[str] | None = None) -> int:
    """Write the stub; with `--check` only compare, status 1 where it is out of date."""
    return write_generated(STUB, stub_text(), "ge_dialect.builder.stubgen", argv)


if __name__ == "__main__":
    sys.exit(main())
