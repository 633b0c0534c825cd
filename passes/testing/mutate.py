"""Small changes of a graph: the steps from a graph a pattern rewrites to one it must not touch.

Each mutator gets a draft and a random generator, changes the draft in place and says whether it
did. The result need not be a graph: `mutant` builds, verifies and, where asked, evaluates it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Any

from ge_dialect.dtypes import ge_enum, ge_name, to_xdsl
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import REQUIRED
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.ir.verifier import verify
from ge_dialect.ops.registry import has_op, op_class
from passes.testing.domains import with_guessed_domains
from passes.testing.draft import Draft, Node, Tok
from passes.testing.inputs import evaluates, input_sets
from passes.testing.rules import CHOICES
from passes.testing.spec import GraphSpec, Literal, Step
from passes.testing.spec_build import string_attr
from passes.testing.tables import literal
from passes.testing.type_text import type_of

Mutator = Callable[[Draft, random.Random], bool]
MUTATORS: dict[str, Mutator] = {}

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


def mutator(fn: Mutator) -> Mutator:
    """Decorator: adds a mutator under its name."""
    MUTATORS[fn.__name__] = fn
    return fn


def mutant(
    spec: GraphSpec, rng: random.Random, times: int = 1, *, evaluate: bool = True
) -> GraphSpec | None:
    """The spec after some random changes, its types inferred anew; None where it is no graph.

    evaluate: refuse graphs that golden semantics do not run either.
    """
    draft = Draft(spec)
    names = list(MUTATORS)
    try:
        for _ in range(times):
            if not MUTATORS[rng.choice(names)](draft, rng):
                return None
        found = checked(draft.spec().retyped())
    except KeyError:
        return None  # something reads a value that comes later
    if found is None or (evaluate and not _runs(found)):
        return None
    return found


def checked(spec: GraphSpec) -> GraphSpec | None:
    """The spec with its types recorded; None where it is no valid graph."""
    try:
        model = spec.build()
    except (ValueError, InferError):
        return None
    if verify(model.module):
        return None
    found = GraphSpec.from_model(model)
    inputs = tuple(
        replace(new, dims=old.dims, domain=old.domain)
        for new, old in zip(found.inputs, spec.inputs, strict=True)
    )
    return with_guessed_domains(replace(found, inputs=inputs))


def _runs(spec: GraphSpec) -> bool:
    return evaluates(spec, input_sets(spec, 0, ("exact",))[0])


# ---------------------------------------------------------------------------------------- edges


def _pick_tensor(toks: list[Tok], rng: random.Random) -> Tok | None:
    found = [t for t in toks if t.type and not isinstance(type_of(t.type), RefType)]
    return rng.choice(found) if found else None


@mutator
def more_users(draft: Draft, rng: random.Random) -> bool:
    """An inner value is read once more, by a node of its own."""
    tok = _pick_tensor(draft.inner(), rng)
    if tok is None:
        return False
    new = draft.insert(len(draft.nodes), "Identity", [tok], (tok.type,))
    draft.outputs.append(new)
    return True


@mutator
def inner_output(draft: Draft, rng: random.Random) -> bool:
    """An inner value (or an input) is an output too."""
    tok = _pick_tensor([*draft.inner(), *(t for _, t in draft.inputs)], rng)
    if tok is None:
        return False
    draft.outputs.append(tok)
    return True


@mutator
def swap_operands(draft: Draft, rng: random.Random) -> bool:
    """Two inputs of a node change places."""
    found = [n for n in draft.nodes if len(list(n.slots())) >= 2]
    if not found:
        return False
    node = rng.choice(found)
    (i, k, a), (j, m, b) = rng.sample(list(node.slots()), 2)
    node.put(i, k, b)
    node.put(j, m, a)
    return True


@mutator
def other_operand(draft: Draft, rng: random.Random) -> bool:
    """A node reads another value of the same type, or a fresh input."""
    found = [(n, s) for n in draft.nodes for s in n.slots()]
    if not found:
        return False
    node, (i, k, tok) = rng.choice(found)
    same = [t for t in draft.before(node) if t.type == tok.type and t is not tok]
    if not same or rng.random() < 0.4:
        node.put(i, k, draft.input(tok.type))
    else:
        node.put(i, k, rng.choice(same))
    return True


@mutator
def no_constant(draft: Draft, rng: random.Random) -> bool:
    """A constant becomes an input of the graph."""
    found = [n for n in draft.nodes if n.step.op in ("Const", "Constant")]
    if not found:
        return False
    node = rng.choice(found)
    draft.replace_value(node.results[0], draft.input(node.results[0].type))
    draft.remove(node)
    return True


@mutator
def constant_input(draft: Draft, rng: random.Random) -> bool:
    """An input that a node reads becomes a constant."""
    found = [(i, t) for i, t in draft.inputs if draft.uses(t)]
    if not found:
        return False
    given, tok = rng.choice(found)
    type_ = type_of(given.type)
    dims = shape_of(type_)
    if isinstance(type_, RefType) or dims is None or -1 in dims or prod(dims) > 64:
        return False
    held = literal(dims, ge_name(elem_of(type_)), rng.randrange(4))
    draft.replace_value(tok, draft.constant(held, given.type))
    return True


@mutator
def bypass(draft: Draft, rng: random.Random) -> bool:
    """A node goes; what read it reads its first input."""
    found = [n for n in draft.nodes if n.results and any(True for _ in n.slots())]
    if not found:
        return False
    node = rng.choice(found)
    source = next(t for _, _, t in node.slots())
    draft.replace_value(node.results[0], source, but=node)
    if any(draft.uses(r) or r in draft.outputs for r in node.results):
        return False
    draft.remove(node)
    return True


@mutator
def between(draft: Draft, rng: random.Random) -> bool:
    """A node that changes nothing much stands on an edge."""
    found = [(n, s) for n in draft.nodes for s in n.slots() if s[2].type]
    if not found:
        return False
    node, (i, k, tok) = rng.choice(found)
    if isinstance(type_of(tok.type), RefType):
        return False
    op = rng.choice(("Identity", "Relu", "Neg", "Abs"))
    new = draft.insert(draft.nodes.index(node), op, [tok], (tok.type,))
    node.put(i, k, new)
    return True


@mutator
def twice(draft: Draft, rng: random.Random) -> bool:
    """A node stands there twice; one of its users reads the copy."""
    found = [n for n in draft.nodes if n.results and not n.step.bodies]
    if not found:
        return False
    node = rng.choice(found)
    copy = Node(
        replace(node.step, name=None), [list(a) if isinstance(a, list) else a for a in node.args]
    )
    copy.results = [Tok(t.type, copy) for t in node.results]
    draft.nodes.insert(draft.nodes.index(node) + 1, copy)
    uses = draft.uses(node.results[0])
    if uses and rng.random() < 0.7:
        user, i, k = rng.choice(uses)
        user.put(i, k, copy.results[0])
    else:
        draft.outputs.append(copy.results[0])
    return True


@mutator
def shared(draft: Draft, rng: random.Random) -> bool:
    """One value is read where two of its type were."""
    toks = draft.inner() + [t for _, t in draft.inputs]
    pairs = [(a, b) for a in toks for b in toks if a is not b and a.type and a.type == b.type]
    if not pairs:
        return False
    a, b = rng.choice(pairs)
    draft.replace_value(b, a, but=a.node)
    return True


@mutator
def order(draft: Draft, rng: random.Random) -> bool:
    """A control edge: another node, the end, or a node behind waits for an inner one."""
    found = [n for n in draft.nodes if n.step.op not in ("Const", "Constant", "Data", "Variable")]
    if not found:
        return False
    node = rng.choice(found)
    kind = rng.randrange(4)
    if kind == 0:
        draft.after.append(node)
    elif kind == 1:
        place = draft.nodes.index(node)
        draft.insert(place, "NoOp", [], ())
        node.after.append(draft.nodes[place])
    elif kind == 2:
        # everything waits for what reads an input of its own
        tok = draft.input("2xf32")
        draft.insert(0, "Print", [[tok]], ())
        node.after.append(draft.nodes[0])
    else:
        draft.insert(len(draft.nodes), "NoOp", [], ())
        draft.nodes[-1].after.append(node)
        draft.after.append(draft.nodes[-1])
    return True


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
    attrs = tuple((n, v) for n, v in node.step.attrs if n in table.attrs)
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
        tok.type = _with_dtype(given.type, old, new)
        draft.inputs[index] = (replace(given, type=tok.type), tok)
        return True
    for i, (given, tok) in enumerate(draft.inputs):
        tok.type = _with_dtype(given.type, old, new)
        draft.inputs[i] = (replace(given, type=tok.type), tok)
    for node in draft.nodes:
        node.step = recast_step(node.step, old, new)
    return True


def recast(spec: GraphSpec, old: str, new: str) -> GraphSpec | None:
    """The same graph with every `old` dtype `new` ("float32", "float16"); None where none comes."""
    inputs = tuple(replace(i, type=_with_dtype(i.type, old, new)) for i in spec.inputs)
    steps = tuple(recast_step(s, old, new) for s in spec.steps)
    held = tuple((n, _recast_literal(w, old, new)) for n, w in spec.weights)
    return checked(replace(spec, inputs=inputs, steps=steps, weights=held).retyped())


def recast_step(step: Step, old: str, new: str) -> Step:
    """A step with every `old` dtype in its constants, types and attributes `new`."""
    attrs = []
    for name, value in step.attrs:
        if isinstance(value, Literal):
            value = _recast_literal(value, old, new)
        elif value == old:
            value = new
        elif name == "dst_type" and value == ge_enum(to_xdsl(old)):
            value = ge_enum(to_xdsl(new))
        attrs.append((name, value))
    types = step.types
    if types is not None:
        types = tuple(_with_dtype(t, old, new) for t in types)
    bodies = tuple(
        replace(
            b,
            inputs=tuple(replace(i, type=_with_dtype(i.type, old, new)) for i in b.inputs),
            steps=tuple(recast_step(s, old, new) for s in b.steps),
        )
        for b in step.bodies
    )
    return replace(step, attrs=tuple(attrs), types=types, bodies=bodies)


def _recast_literal(held: Literal, old: str, new: str) -> Literal:
    if held.dtype != old:
        return held
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype

    with np.errstate(all="ignore"):
        return Literal.of(held.array().astype(numpy_dtype(to_xdsl(new))))


def _with_dtype(type_: str, old: str, new: str) -> str:
    """A type of a spec with another element type; as it is where it has another one."""
    head, comma, tail = type_.partition(",")
    short, other = str(to_xdsl(old)), str(to_xdsl(new))
    lead = head.removesuffix(short)
    if lead == head or (lead and lead[-1] not in "x&"):
        return type_
    return lead + other + comma + tail


@mutator
def other_shape(draft: Draft, rng: random.Random) -> bool:
    """A dim of an input is unknown, 1, 0 or larger; or all are unknown."""
    found = [k for k, (i, _) in enumerate(draft.inputs) if "x" in i.type and "#" not in i.type]
    if not found:
        return False
    index = rng.choice(found)
    given, tok = draft.inputs[index]
    parts = given.type.lstrip("&").split("x")
    place = rng.randrange(len(parts) - 1)
    old = parts[place]
    parts[place] = rng.choice(("?", "?", "1", "0", "5"))
    if rng.random() < 0.15:
        parts = ["?"] * (len(parts) - 1) + parts[-1:]
    dims = None
    if "?" in parts and "?" not in given.type and "*" not in given.type:
        sizes = given.type.lstrip("&").split("x")[:-1]
        dims = tuple(int(d) for d in sizes)
    tok.type = ("&" if given.type.startswith("&") else "") + "x".join(parts)
    draft.inputs[index] = (replace(given, type=tok.type, dims=dims), tok)
    return old != parts[place]


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
    draft.__init__(replace(spec, steps=(call,), outputs=outputs, after=()))  # type: ignore[misc]
    return True


__all__ = ["MUTATORS", "checked", "mutant", "mutator", "recast", "recast_step", "string_attr"]
