"""Direct construction of nodes and graphs, never through text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ge_dialect.ir.attributes import CtrlType
from ge_dialect.ir.base import DYNAMIC, REQUIRED, GeOp, OpTable
from ge_dialect.ir.control import control_of, segments_attr
from ge_dialect.ir.graph import GraphOp, new_graph
from ge_dialect.ir.names import hint_from_name, make_location
from ge_dialect.ir.private import create_node, set_name_hint

if TYPE_CHECKING:
    import numpy as np

Arg = SSAValue | Operation | None | Sequence[SSAValue]


def _as_value(arg: SSAValue | Operation) -> SSAValue:
    return arg if isinstance(arg, SSAValue) else arg.results[0]


def _known(op_type: str) -> type[GeOp]:
    from ge_dialect.ops.registry import has_op, op_class, op_names

    try:
        return op_class(op_type)
    except KeyError as error:
        from ge_dialect.spelling import nearest

        near = None if has_op(op_type) else nearest(op_type.removeprefix("ge."), op_names())
        if near is None:
            raise
        raise KeyError(f"{error.args[0]}; did you mean {near!r}?") from None


def arrange_inputs(
    cls: type[GeOp], table: OpTable, inputs: Sequence[Arg] | Mapping[str, Arg]
) -> list[SSAValue | list[SSAValue] | None]:
    """Inputs in declared order; ValueError for a missing, unknown or surplus one."""
    if isinstance(inputs, Mapping):
        unknown = set(inputs) - {s.name for s in table.inputs}
        if unknown:
            raise ValueError(f"{cls.name} has no input {sorted(unknown)[0]!r}")
        given: list[Arg] = [inputs.get(s.name) for s in table.inputs]
    else:
        if isinstance(inputs, SSAValue | Operation):
            raise ValueError(f"{cls.name}: inputs are a list of values, [x], or a dict by name")
        given = list(inputs)
        if table.solo and not (len(given) == 1 and isinstance(given[0], list | tuple)):
            given = [cast("Sequence[SSAValue]", given)]  # values, not lists of them
        if len(given) > len(table.inputs):
            raise ValueError(f"{cls.name} takes at most {len(table.inputs)} inputs")
        given += [None] * (len(table.inputs) - len(given))
    out: list[SSAValue | list[SSAValue] | None] = []
    for slot, arg in zip(table.inputs, given, strict=True):
        if slot.kind == DYNAMIC:
            items = [] if arg is None else [arg] if isinstance(arg, SSAValue | Operation) else arg
            out.append([_as_value(a) for a in items])
        elif arg is None:
            if slot.kind == REQUIRED:
                raise ValueError(f"{cls.name}: input {slot.name!r} is missing")
            out.append(None)
        elif isinstance(arg, SSAValue | Operation):
            out.append(_as_value(arg))
        else:
            raise ValueError(f"{cls.name}: input {slot.name!r} takes one value")
    return out


def make_properties(
    cls: type[GeOp], table: OpTable, attrs: Mapping[str, Any]
) -> dict[str, Attribute]:
    """Properties from Python values, in declared order, defaults filled in.

    Raises ValueError for an unknown or missing attribute and for a value of the wrong kind.
    """
    unknown = [n for n in attrs if n not in table.attrs]
    if unknown:
        raise ValueError(f"{cls.name} has no attribute {unknown[0]!r}")
    props: dict[str, Attribute] = {}
    for name, spec in table.attrs.items():
        value = attrs.get(name)
        if value is None:
            if spec.default is not None:
                props[name] = spec.default
            elif spec.required:
                raise ValueError(f"{cls.name}: attribute {name!r} is required")
            continue
        try:
            props[name] = spec.kind.to_attr(value)
        except (TypeError, ValueError, VerifyException) as error:
            raise ValueError(f"{cls.name}: attribute {name!r}: {error}") from None
    return props


def infer_types(
    cls: type[GeOp],
    args: Sequence[SSAValue | list[SSAValue] | None],
    attrs: Mapping[str, Any],
    known: Callable[[SSAValue], Any] | None = None,
) -> list[Attribute]:
    """Result types of a node that does not exist yet; InferError where its inputs do not fit.

    known: contents of a value as an array, None where not known; constants are known anyhow.
    """
    from ge_dialect.infer.node import InferNode, known_ints

    table = cls.ge_table()
    types = [
        None if a is None else [v.type for v in a] if isinstance(a, list) else a.type for a in args
    ]
    by_name = {s.name: a for s, a in zip(table.inputs, args, strict=True)}

    def const_of(name: str) -> Any:
        arg = by_name[name]
        if arg is None:
            return None
        if isinstance(arg, list):
            return [held(v) for v in arg]
        return held(arg)

    def held(value: SSAValue) -> Any:
        found = known_ints(value)
        return known(value) if found is None and known is not None else found

    return list(cls.ge_infer(InferNode.from_parts(cls, types, attrs, const_of)))


def build(
    op_type: str,
    inputs: Sequence[Arg] | Mapping[str, Arg] = (),
    attrs: Mapping[str, Any] | None = None,
    *,
    result_types: Sequence[Attribute] | None = None,
    control: Iterable[SSAValue | Operation] = (),
    name: str | None = None,
    origins: Sequence[str] = (),
    regions: Sequence[Region] = (),
    attributes: Mapping[str, Attribute] | None = None,
    known: Callable[[SSAValue], Any] | None = None,
) -> GeOp:
    """A node of `op_type` ("Conv2D"), not inserted anywhere yet.

    inputs: values (or nodes: their first result) in declared order or by name; None for an absent
    optional one, a list for a dynamic one. attrs: Python values. result_types: inferred where not
    given, with what `known` says of contents; the layout of inferred types is left to the caller.
    name, origins: identity.
    Raises ValueError for arguments that do not fit the operator, InferError where shapes or dtypes
    do not fit, KeyError for an unknown operator.
    """
    cls = _known(op_type)
    table = cls.ge_table()
    args = arrange_inputs(cls, table, inputs)
    given = dict(attrs or {})
    props = make_properties(cls, table, given)
    if result_types is None:
        result_types = infer_types(cls, args, given, known)
    operands: list[SSAValue] = []
    sizes: list[int] = []
    for a in args:
        group = a if isinstance(a, list) else [] if a is None else [a]
        operands += group
        sizes.append(len(group))
    controls = [_control(c) for c in control]
    if not table.fixed:
        props["operandSegmentSizes"] = segments_attr([*sizes, len(controls)])
    if table.sized_results:
        from ge_dialect.ir.stock_text import result_segments

        props["resultSegmentSizes"] = result_segments(table, list(result_types))
    location = make_location(name, origins) if name is not None else UNKNOWN_LOC
    if regions:
        op = cls.create(
            operands=[*operands, *controls],
            result_types=result_types,
            properties=props,
            attributes=dict(attributes or {}),
            regions=regions,
            location=location,
        )
    else:
        op = create_node(
            cls, [*operands, *controls], list(result_types), props, attributes or {}, location
        )
    if name is not None and op.results:
        hint = hint_from_name(name)
        if hint is not None:
            for i, r in enumerate(op.results):
                set_name_hint(r, hint if i == 0 else f"{hint}_{i}")
    return op


def _control(c: SSAValue | Operation) -> SSAValue:
    if isinstance(c, Operation):
        return control_of(c)
    if isinstance(c.type, CtrlType):
        return c
    if not isinstance(c.owner, Operation):
        raise ValueError("a graph argument orders nothing")
    return control_of(c.owner)


def const(
    array: np.ndarray | Any, *, name: str | None = None, elem: Attribute | None = None
) -> GeOp:
    """A `ge.Const` with the array inline; `elem` where numpy's dtype does not say it."""
    from ge_dialect.ir.dense import dense_from_numpy
    from ge_dialect.ir.types import tensor_type

    value = dense_from_numpy(array, elem)
    type_ = tensor_type(value.get_shape(), value.get_element_type())
    return build("Const", [], {"value": value}, result_types=[type_], name=name)


def graph(
    name: str, arg_types: Sequence[Attribute], arg_names: Sequence[str | None] = ()
) -> tuple[GraphOp, Block]:
    """An empty graph and its block; append nodes and finish with `ge.NetOutput`."""
    op = new_graph(name, arg_types, arg_names)
    return op, op.body


def body(arg_types: Sequence[Attribute], ops: Sequence[Operation] = ()) -> Region:
    """A single-block region for If, While and PartitionedCall."""
    block = Block(arg_types=arg_types)
    block.add_ops(ops)
    return Region(block)


def module(
    graphs: Sequence[Operation], attributes: Mapping[str, Attribute] | None = None
) -> ModuleOp:
    """A `builtin.module` of graphs."""
    return ModuleOp(list(graphs), dict(attributes or {}))


class _CallableModule(ModuleType):
    """`ge_dialect.ir.build` is this module once it is imported, and the function before; calling
    either makes a node."""

    def __call__(self, *args: Any, **kwargs: Any) -> GeOp:
        return build(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableModule
