"""Every single corruption of a right node is refused by the verifier or by inference.

A corrupted node that is taken all the same must be right: golden semantics then run it, within the
limits of the kit, with the results its types say. Nodes are drawn by the generator kit, for every
operator with semantics.
"""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Block, Region

from ge_dialect.codes import CODES
from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import BY_NAME, expand_spec, to_xdsl
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import infer_op
from ge_dialect.ir.base import DYNAMIC, REQUIRED
from ge_dialect.ir.build import build, const, make_properties, segments_attr
from ge_dialect.ir.graph import new_graph
from ge_dialect.ir.names import make_location
from ge_dialect.ir.types import RefType, elem_of, ref_type, shape_of, tensor_type, tensor_under
from ge_dialect.ir.verifier import verify
from ge_dialect.ops.registry import op_class, op_names
from ge_dialect.semantics.evaluator import evaluate_graph
from ge_dialect.semantics.registry import has_semantics
from passes.testing.applications import accepts, applications, contents
from passes.testing.limits import is_over_budget, kit_limits
from tests.ops.application_checks import VALUES

SEED = 17


#: Their result types are what they declare.
DECLARED = {"Reinterpret": "an edge whose ends disagree"}
#: Made by the test below for bodies, or without anything to corrupt.
NOT_DRAWN = ("Variable", "NetOutput")


def ops():
    named = [t for t in op_names() if has_semantics(t) and t not in NOT_DRAWN]
    return [t for t in named if not op_class(t).ge_table().graphs]


# ------------------------------------------------------------------------------ nodes in parts


@dataclass(frozen=True)
class Parts:
    """What a node is made of; `groups` holds the operands per declared input."""

    op: str
    groups: tuple
    props: dict
    results: tuple
    regions: int = 0
    sizes: tuple | None = None

    @property
    def table(self):
        return op_class(self.op).ge_table()

    def with_group(self, i, group):
        return replace(self, groups=(*self.groups[:i], tuple(group), *self.groups[i + 1 :]))

    def with_prop(self, name, value):
        props = {n: v for n, v in self.props.items() if n != name}
        return replace(self, props=props if value is None else {**props, name: value})


@dataclass(frozen=True)
class Given:
    """An operand: its type, and the array where it is a constant."""

    type: object
    held: object = None
    operand: object = None
    hidden: bool = False  # it was a constant; now any numbers may come


def parts_of(app, results):
    groups = []
    for arg in app.args:
        many = arg if isinstance(arg, tuple) else () if arg is None else (arg,)
        groups.append(tuple(_given(o) for o in many))
    props = make_properties(op_class(app.op), app.table, dict(app.attrs))
    return Parts(app.op, tuple(groups), props, tuple(results))


def _given(operand):
    held = None
    if operand.values is not None and not operand.ref and operand.dtype != "string":
        held = contents(operand, None)
    return Given(operand.type, held, operand)


def assemble(parts, results=None):
    """A graph of one such node, made without any check."""
    results = parts.results if results is None else results
    cls, table = op_class(parts.op), parts.table
    free = [g.type for group in parts.groups for g in group if g.held is None]
    graph = new_graph("g", free)
    args = iter(graph.body.args)
    operands = []
    for group in parts.groups:
        for given in group:
            if given.held is None:
                operands.append(next(args))
                continue
            made = const(given.held, elem=elem_of(given.type))
            graph.body.add_op(made)
            operands.append(made.results[0])
    props = dict(parts.props)
    if not table.fixed:
        sizes = parts.sizes or [*map(len, parts.groups), 0]
        props["operandSegmentSizes"] = segments_attr(list(sizes))
    if table.sized_results:
        from ge_dialect.ir.stock_text import result_segments

        props["resultSegmentSizes"] = result_segments(table, list(results))
    node = cls.create(
        operands=operands,
        result_types=list(results),
        properties=props,
        regions=[Region(Block()) for _ in range(parts.regions)],
        location=make_location("n"),
    )
    graph.body.add_op(node)
    graph.body.add_op(build("NetOutput", [list(node.results)]))
    return graph, node


# --------------------------------------------------------------------------------- corruptions
# Each gives (what was done, parts, whether the node may be right all the same).


def _other_dtypes(spec):
    allowed = expand_spec(spec)
    return [t for t in (to_xdsl(n) for n in BY_NAME) if t not in allowed]


def _typed(type_, elem=None, shape=None):
    plain = tensor_type(
        shape_of(type_) if shape is None else shape, elem_of(type_) if elem is None else elem
    )
    return ref_type(plain) if isinstance(type_, RefType) else plain


def of_operands(parts, random):
    """Operands missing, too many, of another dtype, rank or kind."""
    table = parts.table
    for i, (slot, group) in enumerate(zip(table.inputs, parts.groups, strict=True)):
        if slot.kind == REQUIRED:
            yield f"{slot.name} dropped", parts.with_group(i, ()), False
        if slot.kind != DYNAMIC and group:
            yield f"{slot.name} twice", parts.with_group(i, group * 2), False
        for k, given in enumerate(group):
            where = f"{slot.name}[{k}]"

            def put(new, i=i, k=k, group=group):
                return parts.with_group(i, (*group[:k], new, *group[k + 1 :]))

            spec = table.types.get(slot.dtypes, slot.dtypes)
            wrong = _other_dtypes(spec)
            if wrong:
                elem = random.choice(wrong)
                yield f"{where} of {elem}", put(_as(given, elem)), False
            others = [e for e in sorted(expand_spec(spec), key=str) if e != elem_of(given.type)]
            shared = slot.dtypes in table.types and _bound(parts, slot.dtypes) > 1
            if shared and others:
                elem = random.choice(others)
                yield f"{where} alone of {elem}", put(_as(given, elem)), False
            if not slot.is_any:
                as_other = _flipped(given.type)
                yield f"{where} as {as_other}", put(Given(as_other)), False
            dims = shape_of(given.type)
            for shape in {(), (2, *dims), (*dims, 1), dims[1:], (1,) * 9}:
                if shape != dims:
                    yield f"{where} as {shape}", put(_as(given, None, shape)), True
            if given.held is not None and given.held.size and given.held.dtype.kind in "iu":
                signed = given.held.dtype.kind == "i"
                for number in (99, -99, -1, len(dims)) if signed else (99, len(dims)):
                    held = given.held.copy()
                    held.reshape(-1)[random.randrange(held.size)] = number
                    yield f"{where} holds {number}", put(replace(given, held=held)), True
    if not table.fixed and sum(map(len, parts.groups)):
        sizes = [*map(len, parts.groups), 0]
        sizes[0] += 1
        yield "operandSegmentSizes of one more", replace(parts, sizes=tuple(sizes)), False


def _as(given, elem=None, shape=None):
    return Given(_typed(given.type, elem, shape), hidden=given.held is not None)


def _bound(parts, symbol):
    table = parts.table
    outs = sum(s.dtypes == symbol for s in table.outputs)
    return outs + sum(
        len(g) for s, g in zip(table.inputs, parts.groups, strict=True) if s.dtypes == symbol
    )


_ODD = {
    "Int": StringAttr("one"),
    "Float": StringAttr("one"),
    "Bool": IntegerAttr(7, i64),
    "String": IntegerAttr(7, i64),
    "Type": StringAttr("f32"),
    "Tensor": StringAttr("dense"),
}
_LARGE = (99, -99, 2**31 - 1, -(2**31), 0)


def of_attributes(parts, random):
    """Attributes missing, unknown, of another kind, out of range."""
    table = parts.table
    yield "unknown attribute", parts.with_prop("colour", StringAttr("red")), False
    for name, spec in table.attrs.items():
        if name in parts.props:
            yield f"{name} removed", parts.with_prop(name, None), not spec.required
        kind = spec.kind.name
        if kind != "Any":
            odd = _ODD.get(kind, FloatAttr(1.5, 32))
            yield f"{name} = {odd}", parts.with_prop(name, odd), False
            if kind.startswith("List"):
                mixed = ArrayAttr([StringAttr("one"), UnitAttr()])
                yield f"{name} of a mixture", parts.with_prop(name, mixed), False
        old = parts.props.get(name)
        value = None if old is None else spec.kind.to_python(old)
        for new in _out_of_range(kind, value, random):
            try:
                attr = spec.kind.to_attr(new)
            except (TypeError, ValueError):
                continue  # the kind itself refuses it
            yield f"{name} = {new}", parts.with_prop(name, attr), True


def _out_of_range(kind, value, random):
    if kind == "Int":
        return _LARGE
    if kind == "String":
        return ("nonsense", "")
    if kind == "Float":
        return (float("nan"), float("-inf"), -1e30)
    if kind == "Type":
        return (to_xdsl("string"), to_xdsl("resource"))
    if kind == "ListInt":
        values = list(value or ())
        out = [(), (*values, 1), tuple(values[:-1]), (1,) * 9]
        for number in _LARGE:
            if values:
                at = random.randrange(len(values))
                out.append((*values[:at], number, *values[at + 1 :]))
        return out
    if kind == "ListListInt":
        return [(), ((1,),), ((99, -99),) * max(len(value or ()), 1)]
    if kind in ("ListFloat", "ListBool", "ListString"):
        values = tuple(value or ())
        return [(), values + values[:1], values[:-1]]
    return ()


def of_results(parts, random):
    """Results of another dtype or shape, too few, too many; graphs an operator does not have."""
    for i, type_ in enumerate(parts.results):

        def put(new, i=i):
            return replace(parts, results=(*parts.results[:i], new, *parts.results[i + 1 :]))

        others = [to_xdsl(n) for n in ("float32", "int32", "bool", "complex64", "string")]
        elem = random.choice([e for e in others if e != elem_of(type_)])
        yield f"result {i} of {elem}", put(_typed(type_, elem)), False
        yield f"result {i} of another kind", put(_flipped(type_)), False
        dims = shape_of(type_)
        yield f"result {i} of a rank more", put(_typed(type_, None, (*dims, 1))), False
        known = [k for k, d in enumerate(dims) if d >= 0]
        if known:
            k = random.choice(known)
            shape = (*dims[:k], dims[k] + 1, *dims[k + 1 :])
            yield f"result {i} of {shape}", put(_typed(type_, None, shape)), False
    yield "a result more", replace(parts, results=(*parts.results, tensor_type((2,), i64))), False
    if parts.results:
        yield "a result less", replace(parts, results=parts.results[:-1]), False
    yield "a graph more", replace(parts, regions=len(parts.table.graphs) + 1), False


def _flipped(type_):
    return tensor_under(type_) if isinstance(type_, RefType) else ref_type(type_)


# -------------------------------------------------------------------------------------- checks


def _inferred(node):
    """The refusal of the operator's rule, else None and the result types."""
    try:
        return None, infer_op(node)
    except InferError as error:
        return error, ()


def check(parts, what, may_be_right, seed):
    """How the corruption ended: refused by inference or the verifier, or right all the same."""
    where = f"{parts.op}: {what}; {[[str(g.type) for g in p] for p in parts.groups]} {parts.props}"
    if may_be_right:
        refusal, results = _inferred(assemble(parts)[1])
        if refusal is not None:
            assert refusal.code in CODES, where
            assert refusal.found is not None or refusal.expected is not None, f"{where}: {refusal}"
            return "refused by inference"
        parts = replace(parts, results=tuple(results))
    graph, _ = assemble(parts)
    found = verify(graph)
    codes = {d.code for d in found}
    assert codes <= set(CODES), where
    assert "GX-218" not in codes, f"{where}: {[d.message for d in found]}"
    if found:
        return "refused by the verifier"
    assert may_be_right, where
    error = run(graph, parts, seed)
    if error is not None:
        if is_over_budget(error):
            return "refused by the budget"
        unknown = any(g.hidden or _is_loose(g) for group in parts.groups for g in group)
        named = any(m in str(error) for m in VALUES)
        assert unknown or named, f"{where}: {error}"
        return "refused for its values"
    return "right"


def _is_loose(given):
    """Whether an operand may say something of the others that only the run knows."""
    return given.held is None and elem_of(given.type) in (to_xdsl("int32"), i64)


def run(graph, parts, seed):
    """The evaluator's refusal of the node, None where it runs, within the limits of the kit."""
    error = None
    for zeros in (False, True):
        rng = np.random.default_rng(seed)
        inputs = []
        for group in parts.groups:
            for given in group:
                if given.held is None:
                    inputs.append(_contents(given, rng, zeros=zeros))
        try:
            with kit_limits():
                evaluate_graph(graph, inputs)
        except GeError as refusal:
            error = refusal
        else:
            return None
    return error


def _contents(given, rng, *, zeros):
    from passes.testing.applications import Operand

    name = next(n for n, d in BY_NAME.items() if d.type == elem_of(given.type))
    domain = given.operand.domain if given.operand is not None else ("any",)
    operand = Operand(tuple(shape_of(given.type)), name, None, domain)
    return contents(operand, rng, zeros=zeros)


def corruptions(parts, random):
    yield from of_operands(parts, random)
    yield from of_attributes(parts, random)
    if parts.op not in DECLARED:
        yield from of_results(parts, random)


def check_op(op, nodes, most=None, salt=0):
    """Corrupt some nodes of an operator in every way, or in `most` ways each."""
    random, seen = Random(zlib.crc32(op.encode()) + salt), Counter()
    for app in applications(op, SEED + salt, nodes):
        inferred = accepts(app)
        assert inferred is not None
        parts = parts_of(app, inferred.types)
        graph, _ = assemble(parts)
        assert not verify(graph), f"{app}: {[d.message for d in verify(graph)]}"
        made = list(corruptions(parts, random))
        if most is not None and len(made) > most:
            made = random.sample(made, most)
        for what, wrong, may_be_right in made:
            seen[check(wrong, what, may_be_right, random.getrandbits(20))] += 1
    return seen


@pytest.mark.parametrize("op", ops())
def test_a_corrupted_node_is_refused(op):
    assert check_op(op, 1, 6)


@pytest.mark.full
@pytest.mark.parametrize("op", ops())
def test_every_corruption_of_a_node_is_refused(op):
    seen = check_op(op, 5, salt=1)
    print(op, dict(seen))
    assert sum(seen.values()) - seen["right"] > 2


# -------------------------------------------------------------------------------------- bodies


def _with_body(op):
    """A module with a node of an operator with graphs, made by the kit, and the node."""
    from passes.testing.knobs import Knobs
    from passes.testing.seeded import random_spec

    knobs = Knobs(subgraphs=3.0, max_ops=4, min_ops=2, io=0.0, random=0.0, refs=0.0)
    for seed in range(200):
        module = random_spec(seed, knobs).build().module
        for node in module.walk():
            if node.name == f"ge.{op}" and node.results and node.regions[0].block.args:
                return module, node
    raise AssertionError(op)


def _no_graph(node):
    node.detach_region(node.regions[-1])


def _graph_more(node):
    node.add_region(Region(Block()))


def _empty_graph(node):
    node.detach_region(node.regions[0])
    node.add_region(Region(Block()))


def _argument_more(node):
    block = node.regions[0].block
    block.insert_arg(tensor_type((2,), to_xdsl("float32")), len(block.args))


def _argument_of_another_type(node):
    block = node.regions[0].block
    old = block.args[0]
    new = block.insert_arg(tensor_type((7, 7, 7), to_xdsl("complex64")), 1)
    old.replace_all_uses_with(new)
    block.erase_arg(old)


def _without_end(node):
    last = node.regions[0].block.last_op
    last.detach()
    last.erase(safe_erase=False)


def _result_less(node):
    last = node.regions[-1].block.last_op
    last.operands = last.operands[:-1]
    last.properties.update(build("NetOutput", [list(last.operands)]).properties)


@pytest.mark.parametrize(
    "change",
    [
        _no_graph,
        _graph_more,
        _empty_graph,
        _argument_more,
        _argument_of_another_type,
        _without_end,
        _result_less,
    ],
)
@pytest.mark.parametrize("op", ["If", "While", "PartitionedCall"])
def test_a_corrupted_body_is_refused(op, change):
    module, node = _with_body(op)
    assert not verify(module)
    change(node)
    found = verify(module)
    assert found
    assert {d.code for d in found} <= set(CODES) - {"GX-218"}
