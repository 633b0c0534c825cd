"""Putting a replacement graph in the place of matched nodes.

New nodes get inferred types; a result that replaces another one keeps its type, and its layout,
where both can be types of one tensor. Order, names, origins and attributes go through the rewriter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ge_dialect.infer.errors import InferError
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import control_result
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import set_type
from ge_dialect.ir.types import elem_of, shape_of
from passes.ge_adapter.builder import CONSTS, Graph, Node, TensorHolder
from passes.values import CONST_OPS

if TYPE_CHECKING:
    from ge_dialect.ir.base import OpTable
    from passes.ge_adapter.matching import MatchResult
    from passes.rewriting import PatternRewriter


def replace_match(result: MatchResult, replacement: Graph, rw: PatternRewriter) -> list[GeOp]:
    """Put a replacement in the place of a match; the new nodes, none where it cannot be."""
    found, graph = result.found, result.pattern.graph
    inputs = {node.index: found.values.get(id(node)) for node in graph.inputs()}
    return splice(
        replacement,
        inputs,
        [found.value(o) for o in graph.outputs],
        [found.ops[id(n)] for n in graph.nodes()],
        rw,
    )


def splice(
    replacement: Graph,
    inputs: dict[int, SSAValue | None],
    outputs: Sequence[SSAValue],
    matched: Sequence[GeOp],
    rw: PatternRewriter,
) -> list[GeOp]:
    """Build the replacement on `inputs` and let it give the `outputs` of the matched nodes.

    matched: producers first. Where it does not fit, the reason is told to `rw`, nothing changes and
    the result is empty. ValueError for a replacement that is wrong by itself.
    """
    if len(replacement.outputs) != len(outputs):
        raise ValueError(
            f"replacement '{replacement.name}' has {len(replacement.outputs)} outputs, "
            f"{len(outputs)} are replaced"
        )
    built = Built(inputs)
    done = False
    try:
        build_nodes(built, replacement, [v.type for v in outputs])
        done = _put(built, replacement, outputs, matched, rw)
    except InferError as error:
        rw.missed(f"the replacement does not fit: {error}")
    finally:
        if not done:  # what stands nowhere must not count as a reader
            for op in reversed(built.ops):
                op.erase()
    return built.ops if done else []


def _put(
    built: Built,
    replacement: Graph,
    outputs: Sequence[SSAValue],
    matched: Sequence[GeOp],
    rw: PatternRewriter,
) -> bool:
    """Insert what was built and take the matched nodes away; whether it could be done."""
    values = [built.value(o) for o in replacement.outputs]
    fitting = all(
        old.first_use is None or new.type == old.type
        for old, new in zip(outputs, values, strict=True)
    )
    if not rw.when(fitting, "the replacement has results of another type"):
        return False
    producers = list(dict.fromkeys(v.op for v in outputs if isinstance(v, OpResult)))
    if len(producers) == 1:
        root = producers[0]
        by_index = {
            v.index: new for v, new in zip(outputs, values, strict=True) if isinstance(v, OpResult)
        }
        results = [by_index.get(r.index) for r in _data_results(root)]
        others = [o for o in matched if o is not root and o.name not in CONST_OPS]
        if built.ops:
            rw.replace(root, built.ops, results, merged=others)
        else:
            rw.replace_by_value(root, results)
    elif not _replace_many(producers, outputs, values, built.ops, matched, rw):
        return False
    for op in reversed(matched):
        if op.parent is not None and all(r.first_use is None for r in _data_results(op)):
            rw.erase(op)
    return True


def _replace_many(
    producers: Sequence[Operation],
    outputs: Sequence[SSAValue],
    values: Sequence[SSAValue],
    new: Sequence[GeOp],
    matched: Sequence[Operation],
    rw: PatternRewriter,
) -> bool:
    """Outputs of several nodes: the new nodes go before the first reader of any of them."""
    from ge_dialect.ir.names import origins, set_node_name

    block = producers[0].parent
    assert block is not None
    place = {op: i for i, op in enumerate(block.ops)}
    inner = {*matched, *new}
    readers = [u.operation for v in outputs for u in v.uses if u.operation not in inner]
    last = max(producers, key=lambda op: place[op])
    anchor = min(readers, key=lambda op: place[op], default=last)
    read = [v for op in new for v in op.operands]
    late = [v for v in read if v in outputs or _place(v, place) >= place[anchor]]
    if not rw.when(not late, "an input is made after a reader of an output: it would be a cycle"):
        return False
    taken = rw.taken_names(block)
    old = node_name(last)
    known = [name for op in matched for name in origins(op)]
    for op in new:
        base = op.ge_type if old is None else f"{old}_{op.ge_type}"
        set_node_name(op, taken.free(base), known)
        rw.insert_before(anchor, op)
    for producer in producers:
        by_index = {
            v.index: n
            for v, n in zip(outputs, values, strict=True)
            if isinstance(v, OpResult) and v.op is producer
        }
        rw.replace_by_value(producer, [by_index.get(r.index) for r in _data_results(producer)])
    return True


def _place(value: SSAValue, place: dict[Operation, int]) -> int:
    return place.get(value.owner, -1) if isinstance(value.owner, Operation) else -1


def _data_results(op: Operation) -> list[OpResult]:
    out = control_result(op)
    return [r for r in op.results if r is not out]


# ----------------------------------------------------------------------------------- building


class Built:
    """The nodes of a replacement, made on values of the target."""

    def __init__(self, inputs: dict[int, SSAValue | None]) -> None:
        self._inputs = inputs
        self._made: dict[int, GeOp] = {}
        self.ops: list[GeOp] = []

    def value(self, tensor: TensorHolder) -> SSAValue:
        """The value of the target for a tensor of the replacement."""
        node = tensor.node
        if node.type == "Data":
            value = self._inputs.get(node.index)
            if value is None:
                raise ValueError(f"the replacement reads input {node.index}, which is not matched")
            return value
        return self._made[id(node)].ge_data_results[tensor.index]

    def made(self, node: Node) -> GeOp | None:
        """What was built for a node, None while nothing is."""
        return self._made.get(id(node))

    def add(self, node: Node, op: GeOp) -> None:
        """Note what was built for a node."""
        self._made[id(node)] = op
        self.ops.append(op)


def build_nodes(
    built: Built,
    graph: Graph,
    old_types: Sequence[Attribute],
    fill: Callable[[OpTable], dict[str, Any]] | None = None,
) -> None:
    """Make the nodes of a replacement, producers first; nothing is inserted.

    old_types: what its outputs replace, empty where they replace nothing. Raises InferError and
    ValueError for nodes that do not fit; what was made until then is in `built`. fill: attributes
    for nodes that are not given them.
    """
    from ge_dialect.ir.build import build, const
    from ge_dialect.ops.registry import op_class

    #: what the results of a node must be: types of the outputs they replace
    wanted: dict[int, dict[int, Attribute]] = {}
    for out, type_ in zip(graph.outputs, old_types, strict=False):
        wanted.setdefault(id(out.node), {})[out.index] = type_
    for node in graph.nodes():
        if node.type in CONSTS and node.dtype is None:
            continue  # a bare number: its dtype depends on its reader
        if node.type in CONSTS:
            from ge_dialect.dtypes import to_xdsl

            built.add(node, const(node.value, elem=to_xdsl(node.dtype or "float32")))
            continue
        cls = op_class(node.type)
        table = cls.ge_table()
        elems = _known_elems(node, table, built)
        args: list[Any] = []
        for slot, arg in zip(table.inputs, node.args, strict=True):
            parts = arg if isinstance(arg, list) else [] if arg is None else [arg]
            found = [_argument(t, slot.dtypes, elems, table, built) for t in parts]
            args.append(found if isinstance(arg, list) else found[0] if found else None)
        declared = {n: v for n, v in node.attrs.items() if n in table.attrs}
        if fill is not None:
            declared = {**fill(table), **declared}
        extra = {n: v for n, v in node.attrs.items() if n not in table.attrs}
        made = build(node.type, args, declared)
        built.add(node, made)
        for index, type_ in wanted.get(id(node), {}).items():
            result = made.ge_data_results[index]
            if _agree(result.type, type_):
                set_type(result, type_)
        for name, value in extra.items():
            made.attributes[f"ge.attr.{name}"] = _attribute(value)
        _wait(made, node, built)


def _wait(made: GeOp, node: Node, built: Built) -> None:
    from ge_dialect.ir.control import add_control, control_of

    sources = [op for op in map(built.made, node.after) if op is not None]
    if sources:
        add_control(made, [control_of(s) for s in sources])


def _known_elems(node: Node, table: Any, built: Built) -> dict[str, Attribute]:
    """Element types of the symbols of a node that its tensor inputs settle."""
    found: dict[str, Attribute] = {}
    for slot, arg in zip(table.inputs, node.args, strict=True):
        for tensor in arg if isinstance(arg, list) else [] if arg is None else [arg]:
            if not _is_number(tensor.node):
                found.setdefault(slot.dtypes, elem_of(built.value(tensor).type))
    return found


def _is_number(node: Node) -> bool:
    return node.type in CONSTS and node.dtype is None


def _argument(
    tensor: TensorHolder, dtypes: str, elems: dict[str, Attribute], table: Any, built: Built
) -> SSAValue:
    node = tensor.node
    if not _is_number(node):
        return built.value(tensor)
    import numpy as np

    from ge_dialect.dtypes import expand_spec, to_xdsl
    from ge_dialect.ir.build import const

    elem = elems.get(dtypes)
    if elem is None:
        allowed = expand_spec(table.types.get(dtypes, dtypes))
        is_float = np.asarray(node.value).dtype.kind == "f"
        names = ("float32", "float16") if is_float else ("int32", "int64", "float32")
        elem = next((to_xdsl(n) for n in names if to_xdsl(n) in allowed), to_xdsl(names[0]))
    from ge_dialect.dtypes import numpy_dtype

    made = const(np.asarray(node.value).astype(numpy_dtype(elem)), elem=elem)
    built.ops.append(made)
    return made.results[0]


def _agree(inferred: Attribute, old: Attribute) -> bool:
    """Whether two tensor types can be of one tensor; a layout of the old one stays."""
    if elem_of(inferred) != elem_of(old):
        return False
    left, right = shape_of(inferred), shape_of(old)
    if left is None or right is None:
        return True
    return len(left) == len(right) and all(
        a == b or a < 0 or b < 0 for a, b in zip(left, right, strict=True)
    )


def _attribute(value: Any) -> Attribute:
    from ge_dialect.ir import kinds

    known: dict[type[object], kinds.Kind] = {
        bool: kinds.BOOL,
        int: kinds.INT,
        float: kinds.FLOAT,
        str: kinds.STRING,
    }
    kind = known.get(value.__class__)
    if kind is None:
        raise ValueError(f"an attribute of a node is int, bool, float or str, not {value!r}")
    return kind.to_attr(value)
