"""Mutators of nodes, attributes, types and the whole graph; see `mutate`."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from math import prod
from typing import Any

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import OPTIONAL, REQUIRED
from ge_dialect.ir.types import elem_of, is_static, layout, shape_of, tensor_type, with_layout
from ge_dialect.ops.registry import has_op, op_class
from passes.testing.draft import Draft, Tok
from passes.testing.mutate import checked, mutator
from passes.testing.recast import recast_step, with_dtype
from passes.testing.rules import CHOICES, SILENT
from passes.testing.spec import GraphSpec, Literal, Step
from passes.testing.tables import literal
from passes.testing.type_text import text_of, type_of

#: Operators that stand in for each other.
_SIBLINGS = (
    ("Conv2D", "DepthwiseConv2D"),
    ("BatchNorm", "BNInfer"),
    ("Add", "Sub", "Mul", "RealDiv", "Maximum"),
    ("Relu", "Neg", "Identity", "Abs", "Exp"),
    ("MatMul", "MatMulV2", "BatchMatMul", "BatchMatMulV2"),
    ("Transpose", "Reshape"),
    ("Squeeze", "Unsqueeze"),
    ("ReduceSumD", "ReduceMeanD", "ReduceMaxD"),
    ("Const", "Constant"),
)
#: Attributes of the compiler and of GE that passes look at.
_MARKS = (
    ("ge.engine", '"AIcoreEngine"'),
    ("ge.engine", '"DNN_VM_AICPU"'),
    ("ge.stream_label", '"s1"'),
    ("ge.scope", '"a"'),
    ("ge.keep_dtype", "1 : i64"),
    ("ge.attr.no_need_constant_folding", "true"),
    ("ge.attr._force_skip_prune", "true"),
)
_OTHER_DTYPES = {
    "float32": ("float16", "bfloat16", "float64"),
    "float16": ("float32", "bfloat16"),
    "bfloat16": ("float32",),
    "int32": ("int64", "int8", "float32"),
    "int64": ("int32",),
    "bool": ("int32", "float32", "uint8"),
}


# --------------------------------------------------------------------------- nodes, attributes


@mutator
def other_attr(draft: Draft, rng: random.Random) -> bool:
    """An attribute gets another value of its kind."""
    found = [(n, a) for n in draft.nodes for a in op_class(n.step.op).ge_table().attrs.values()]
    if not found:
        return False
    node, spec = rng.choice(found)
    old = node.step.attr(spec.name)
    if old is None and spec.default is not None:
        old = spec.kind.to_python(spec.default)
    new = _other_value(spec.name, spec.kind.name, old, rng)
    if new is None:
        return False
    attrs = {**dict(node.step.attrs), spec.name: new}
    declared = op_class(node.step.op).ge_table().attrs
    node.edit(attrs=tuple((n, attrs[n]) for n in declared if n in attrs))
    return True


def _other_value(name: str, kind: str, old: Any, rng: random.Random) -> Any:
    if isinstance(old, Literal):
        count = 6 if old.dtype.startswith("float") else 4
        return literal(old.shape, old.dtype, rng.randrange(count)) if prod(old.shape) else None
    if name in CHOICES and rng.random() < 0.8:
        return rng.choice(CHOICES[name])
    if kind == "Bool":
        return not old
    if kind == "Int":
        return rng.choice((0, 1, 2, 3, 27, (old or 0) + 1, (old or 0) - 1))
    if kind == "Float":
        return rng.choice((0.5, 1.0, 2.0, -1.0, 0.0))
    if kind == "ListInt" and old:
        values = list(old)
        if rng.random() < 0.5:
            rng.shuffle(values)
        else:
            values[rng.randrange(len(values))] += rng.choice((-1, 1))
        return tuple(values)
    return None


@mutator
def mark(draft: Draft, rng: random.Random) -> bool:
    """A node gets an attribute that passes look at."""
    if not draft.nodes:
        return False
    node = rng.choice(draft.nodes)
    node.edit(extra=tuple({**dict(node.step.extra), **dict((rng.choice(_MARKS),))}.items()))
    return True


@mutator
def sibling(draft: Draft, rng: random.Random) -> bool:
    """A node becomes one of a similar operator."""
    found = [(n, g) for n in draft.nodes for g in _SIBLINGS if n.step.op in g]
    if not found:
        return False
    node, group = rng.choice(found)
    op = rng.choice([o for o in group if o != node.step.op and has_op(o)])
    table = op_class(op).ge_table()
    known = dict(node.step.attrs)
    for name, spec in table.attrs.items():
        if name in CHOICES and rng.random() < 0.7:
            known.setdefault(name, rng.choice(CHOICES[name]))
        elif spec.kind.name == "Bool" and name not in SILENT and rng.random() < 0.5:
            known.setdefault(name, rng.random() < 0.5)
    attrs = tuple((n, known[n]) for n in table.attrs if n in known)
    node.edit(op=op, attrs=attrs, name=None)
    node.args = (node.args + [None] * len(table.inputs))[: len(table.inputs)]
    if all(s.kind == REQUIRED for s in table.outputs):
        more = len(table.outputs) - len(node.results)
        if any(draft.uses(t) or t in draft.outputs for t in node.results[len(table.outputs) :]):
            return False
        node.results = (node.results + [Tok("", node) for _ in range(more)])[: len(table.outputs)]
    return True


@mutator
def other_constant(draft: Draft, rng: random.Random) -> bool:
    """A constant has another shape or dtype."""
    found = [n for n in draft.nodes if isinstance(n.step.attr("value"), Literal)]
    if not found:
        return False
    node = rng.choice(found)
    held = node.step.attr("value")
    dims, dtype = held.shape, held.dtype
    if rng.random() < 0.4:
        dtype = rng.choice(_OTHER_DTYPES.get(dtype, ("float32",)))
    else:
        dims = rng.choice(((), (1,), dims[1:], (1, *dims), (2, *dims), (*dims[:-1], 2), dims[::-1]))
    if prod(dims) > 64:
        return False
    new = literal(dims, dtype, rng.randrange(4))
    lead = "".join(f"{d}x" for d in dims)
    ref = "&" if node.step.op == "Variable" else ""
    types = (f"{ref}{lead}{to_xdsl(dtype)}",)
    node.edit(attrs=(("value", new),), types=types)
    node.results[0].type = types[0]
    return True


# ---------------------------------------------------------------------------------------- types


@mutator
def other_dtype(draft: Draft, rng: random.Random) -> bool:
    """One input, or everything of a dtype, gets another dtype."""
    if not draft.inputs:
        return False
    index = rng.randrange(len(draft.inputs))
    old = ge_name(elem_of(type_of(draft.inputs[index][0].type)))
    if old not in _OTHER_DTYPES:
        return False
    new = rng.choice(_OTHER_DTYPES[old])
    if rng.random() < 0.3:
        given, tok = draft.inputs[index]
        tok.type = with_dtype(given.type, old, new)
        draft.inputs[index] = (replace(given, type=tok.type), tok)
        return True
    for i, (given, tok) in enumerate(draft.inputs):
        tok.type = with_dtype(given.type, old, new)
        draft.inputs[i] = (replace(given, type=tok.type), tok)
    for node in draft.nodes:
        node.step = recast_step(node.step, old, new)
    return True


@mutator
def other_shape(draft: Draft, rng: random.Random) -> bool:
    """A dim of an input is unknown, 1, 0 or larger; or all are unknown."""
    found = [k for k, (i, _) in enumerate(draft.inputs) if _SHAPED.match(i.type)]
    if not found:
        return False
    index = rng.choice(found)
    given, tok = draft.inputs[index]
    sign = "&" if given.type.startswith("&") else ""
    *sizes, elem = _DIMS.findall(given.type.lstrip("&"))
    parts = list(sizes)
    place = rng.randrange(len(parts))
    parts[place] = rng.choice(("?", "?", "1", "0", "5"))
    if rng.random() < 0.15:
        parts = ["?"] * len(parts)
    dims = None
    if "?" in parts and "?" not in sizes and "*" not in sizes:
        dims = tuple(int(d) for d in sizes)
    tok.type = sign + "x".join((*parts, elem))
    draft.inputs[index] = (replace(given, type=tok.type, dims=dims), tok)
    return parts[place] != sizes[place]


#: A type with dims and without a layout.
_SHAPED = re.compile(r"&?(\d+|\?|\*)x[^#]*$")
#: Dims of a type's text, and its element type.
_DIMS = re.compile(r"(?:\d+|\?|\*)(?=x)|(?<=x)[a-z!].*")


@mutator
def in_a_body(draft: Draft, rng: random.Random) -> bool:
    """The whole graph moves into the body of a PartitionedCall."""
    spec = checked(draft.spec().retyped())
    if spec is None or not spec.outputs or spec.weights:
        return False
    inputs = tuple(replace(i, name=None, extra=()) for i in spec.inputs)
    body = GraphSpec(inputs, spec.steps, spec.outputs, after=spec.after)
    values = spec.value_types()
    call = Step(
        "PartitionedCall",
        (tuple(range(len(inputs))),),
        types=tuple(values[o] for o in spec.outputs),
        bodies=(body,),
    )
    count = len(inputs)
    outputs = tuple(range(count, count + len(spec.outputs)))
    draft.become(replace(spec, steps=(call,), outputs=outputs, after=()))
    return True


@mutator
def optional_input(draft: Draft, rng: random.Random) -> bool:
    """An optional input is connected, or no longer."""
    found = [
        (n, i)
        for n in draft.nodes
        for i, s in enumerate(op_class(n.step.op).ge_table().inputs)
        if s.kind == OPTIONAL and i < len(n.args)
    ]
    if not found:
        return False
    node, index = rng.choice(found)
    if node.args[index] is not None:
        node.args[index] = None
        return True
    like = next((t for _, _, t in node.slots() if t.type), None)
    result = node.results[0].type if node.results else ""
    if like is None or not result:
        return False
    dims, elem = shape_of(type_of(result)) or (), elem_of(type_of(like.type))
    shape = rng.choice((dims[1:2], dims[-1:], (), dims))
    if -1 in shape or prod(shape) > 64:
        return False
    type_ = text_of(tensor_type(shape, elem))
    if rng.random() < 0.5:
        node.args[index] = draft.input(type_)
    else:
        node.args[index] = draft.constant(literal(shape, ge_name(elem), 0), type_)
    return True


@mutator
def other_layout(draft: Draft, rng: random.Random) -> bool:
    """A value of rank 4 lies in another layout."""
    toks = [t for _, t in draft.inputs] + [t for n in draft.nodes for t in n.results]
    found = [t for t in toks if t.type and _may_be_laid_out(t.type)]
    if not found:
        return False
    tok = rng.choice(found)
    format_ = rng.choice((None, "NC1HWC0", "NHWC", "FRACTAL_Z"))
    new = with_layout(type_of(tok.type), None if format_ is None else layout(format_))
    if text_of(new) == tok.type:
        return False
    tok.type = text_of(new)
    if tok.node is None:
        draft.inputs = [
            (replace(i, type=tok.type), t) if t is tok else (i, t) for i, t in draft.inputs
        ]
    else:
        tok.node.edit(types=tuple(t.type for t in tok.node.results))
    return True


def _may_be_laid_out(type_: str) -> bool:
    found = type_of(type_)
    if isinstance(found, RefType) or not is_static(found):
        return False
    return len(shape_of(found) or ()) == 4 and ge_name(elem_of(found)).startswith("float")
