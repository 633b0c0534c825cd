"""Checks of one node that need nothing but the node: its class, types, attributes, inference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, NoneAttr, TensorType
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from ge_dialect.ir.attributes import CtrlType, LayoutAttr, RefType, WeightAttr
from ge_dialect.ir.base import GeOp, OpTable
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ir.printer_tables import segment_names, segment_sizes
from ge_dialect.ir.private import operands_of
from ge_dialect.ir.stock_text import result_count_problem
from ge_dialect.ir.types import elem_of, shape_of, tensor_under
from ge_dialect.plugins.journal import fault, is_foreign

#: Dims and elements of the largest tensor there can be.
MAX_RANK = 64
MAX_ELEMENTS = 2**59


class Problem(NamedTuple):
    """What is wrong with a node, before it is given a place."""

    code: str
    message: str
    found: str | None = None
    expected: str | None = None
    hint: str | None = None


def _sizes(op: GeOp, name: str) -> tuple[int, ...] | None:
    value = op.properties.get(name)
    return segment_sizes(value)


def structure_problems(op: GeOp) -> list[Problem]:
    """Numbers of operands, results and graphs, places of control edges, attribute kinds.

    Types and inference are looked at only where this list is empty.
    """
    table = type(op).ge_table()
    out: list[Problem] = []
    operands = operands_of(op)
    controls = [isinstance(v.type, CtrlType) for v in operands]
    data = len(operands)
    while data and controls[data - 1]:
        data -= 1
    if any(controls[:data]):
        out.append(
            Problem(
                "GX-210",
                f"a control input of {op.name} stands before data inputs",
                hint="control inputs come last, in after(...)",
            )
        )
    else:
        out += _input_problems(op, table, data, len(operands) - data)
    results = op.results
    flags = [isinstance(r.type, CtrlType) for r in results]
    if any(flags[:-1]):
        out.append(Problem("GX-210", f"the control result of {op.name} is not its last result"))
    else:
        given = len(results) - (bool(flags) and flags[-1])
        problem = result_count_problem(table, given)
        if problem is not None:
            out.append(Problem("GX-205", f"{op.name} {problem}"))
        elif table.sized_results:
            sizes = _sizes(op, "resultSegmentSizes")
            if (
                sizes is None
                or len(sizes) != len(table.outputs) + 1
                or sum(sizes) != len(results)
                or any(
                    (s.kind == 0 and n != 1) or (s.kind == 2 and n > 1) or n < 0
                    for s, n in zip(table.outputs, sizes, strict=False)
                )
            ):
                out.append(
                    Problem(
                        "GX-205",
                        f"resultSegmentSizes of {op.name} do not fit its {len(results)} results",
                        found=str(list(sizes)) if sizes is not None else "none",
                    )
                )
    out += _attribute_problems(op, table)
    wanted = len(table.graphs)
    dynamic = any(g.dynamic for g in table.graphs)
    if len(op.regions) != wanted and not (dynamic and len(op.regions) >= wanted - 1):
        out.append(
            Problem(
                "GX-211",
                f"{op.name} has the wrong number of graphs",
                found=str(len(op.regions)),
                expected=", ".join(g.name for g in table.graphs) or "none",
            )
        )
    return out


def _input_problems(op: GeOp, table: OpTable, data: int, controls: int) -> Iterator[Problem]:
    inputs = table.inputs
    expected = ", ".join(
        s.name + ("?" if s.kind == 2 else "..." if s.kind == 1 else "") for s in inputs
    )
    if table.fixed:
        if data != len(inputs):
            yield Problem(
                "GX-203",
                f"{op.name} has the wrong number of inputs",
                found=str(data),
                expected=expected or "no inputs",
            )
        return
    sizes = _sizes(op, "operandSegmentSizes")
    if (
        sizes is None
        or len(sizes) != len(inputs) + 1
        or any(n < 0 for n in sizes)
        or sum(sizes[:-1]) != data
        or sizes[-1] != controls
    ):
        yield Problem(
            "GX-203",
            f"operandSegmentSizes of {op.name} do not fit its {data + controls} operands",
            found=str(list(sizes)) if sizes is not None else "none",
            expected=expected,
        )
        return
    for slot, n in zip(inputs, sizes, strict=False):
        if slot.kind == 0 and n != 1:
            yield Problem(
                "GX-203",
                f"input {slot.name!r} of {op.name} takes one value",
                found=str(n),
                expected=expected,
            )
        elif slot.kind == 2 and n > 1:
            yield Problem(
                "GX-203",
                f"optional input {slot.name!r} of {op.name} takes at most one value",
                found=str(n),
                expected=expected,
            )


def _attribute_problems(op: GeOp, table: OpTable) -> Iterator[Problem]:
    props = op.properties
    for name, spec in table.attrs.items():
        value = props.get(name)
        if value is None:
            if spec.required:
                yield Problem(
                    "GX-206", f"{op.name} needs the attribute {name!r}", expected=spec.kind.name
                )
            elif spec.default is not None:
                yield Problem("GX-206", f"attribute {name!r} of {op.name} has lost its default")
        elif not spec.kind.accepts(value):
            yield Problem(
                "GX-207",
                f"attribute {name!r} of {op.name} has the wrong kind",
                found=str(value)[:80],
                expected=spec.kind.name,
            )
    for name in props:
        if name not in table.attrs and name not in segment_names(table):
            yield Problem(
                "GX-208",
                f"{op.name} has no attribute {name!r}",
                expected=", ".join(table.attrs) or "no attributes",
            )


def type_problems(op: GeOp) -> list[Problem]:
    """Tensors where tensors belong, refs where refs belong, dtypes, constants, class rules."""
    table = type(op).ge_table()
    out: list[Problem] = []
    args: list[Sequence[SSAValue]] = [
        a if isinstance(a, list) else () if a is None else (a,) for a in op.ge_args()
    ]
    sides = (("input", table.inputs, args), ("output", table.outputs, op.ge_result_groups()))
    for side, slots, groups in sides:
        for slot, group in zip(slots, groups, strict=True):
            for value in group:
                problem = _slot_problem(slot.is_ref, slot.is_any, value.type)
                if problem is not None:
                    out.append(
                        Problem(
                            "GX-204",
                            f"{side} {slot.name!r} of {op.name} has the wrong type",
                            found=str(value.type)[:200],
                            expected=problem,
                        )
                    )
    if out:
        return out
    out += [Problem("GX-209", f"{op.name}: {text}") for text in op.ge_dtype_problems()]
    for name, value in op.properties.items():
        if is_dense(value):
            text = dense_problem(value)
            if text is not None:
                out.append(Problem("GX-216", f"attribute {name!r} of {op.name}: {text}"))
        elif isinstance(value, WeightAttr) and value.key is None:
            from ge_dialect.weights.check import recipe_problem

            problem = recipe_problem(value.expr)
            if problem is not None:
                out.append(Problem(problem[0], f"attribute {name!r} of {op.name}: {problem[1]}"))
    return out


def class_problems(op: GeOp) -> list[Problem]:
    """What a `verify_` of the class's own finds; the IRDL definition is covered by our checks."""
    if not getattr(type(op), "ge_own_rule", True):
        return []
    try:
        op.verify(verify_nested_ops=False)
    except VerifyException as error:
        words = str(error).strip().splitlines() or ["the node is not valid"]
        return [Problem("GX-217", f"{op.name}: {words[0]}")]
    return []


def _slot_problem(is_ref: bool, is_any: bool, type_: Attribute) -> str | None:
    if is_any:
        return value_type_problem(type_)
    if is_ref != isinstance(type_, RefType):
        return "a !ge.ref" if is_ref else "a tensor"
    return value_type_problem(type_, "a tensor")


def value_type_problem(type_: Attribute, wanted: str = "a tensor or a !ge.ref") -> str | None:
    """What a type of a value must be instead: `wanted`, or less large; None where it is right.

    Sizes in bytes, of up to 16 bytes an element, are 64-bit numbers everywhere; arrays of numpy
    have up to 64 dims.
    """
    if tensor_under(type_) is None:
        return wanted
    shape = shape_of(type_)
    if shape is None:
        return None
    if len(shape) > MAX_RANK:
        return f"a tensor of at most {MAX_RANK} dims"
    if prod(max(d, 1) for d in shape) > MAX_ELEMENTS:
        return "a tensor of at most 2^59 elements"
    return _encoding_problem(type_, shape)


def _encoding_problem(type_: Attribute, shape: tuple[int, ...]) -> str | None:
    """What the encoding of a type must be instead: a layout in which the tensor can lie."""
    encoding = getattr(tensor_under(type_), "encoding", None)
    if encoding is None or isinstance(encoding, NoneAttr):
        return None
    if not isinstance(encoding, LayoutAttr):
        return "no encoding, or a #ge.layout"
    from ge_dialect.layouts import LayoutError, storage_shape

    try:
        storage_shape(shape, elem_of(type_), encoding)
    except LayoutError as error:
        return f"a layout that can hold it: {error}"
    except (KeyError, ValueError, TypeError):
        return None  # no element type of a tensor; said elsewhere
    return None


def dense_problem(value: DenseIntOrFPElementsAttr) -> str | None:
    """Why the bytes of a constant do not fit its type, None where they do."""
    type_ = value.type
    if not isinstance(type_, TensorType):
        return "a constant has a tensor type"
    count = 1
    for dim in type_.get_shape():
        if dim < 0:
            return "the type of a constant has only known dims"
        count *= dim
    try:
        size = type_.element_type.compile_time_size
    except NotImplementedError:
        return None
    have = len(value.data.data)
    if have != count * size:
        return f"{type_} takes {count * size} bytes, the constant has {have}"
    return None


class Inference:
    """Result of asking the operator's inference rule about a node."""

    __slots__ = ("asked", "problems")

    def __init__(self, op: GeOp) -> None:
        from ge_dialect.infer.node import check_op

        #: whether the rule looked at the value of an input
        self.asked = False

        def const_of(value: SSAValue) -> Any:
            self.asked = True
            return None

        try:
            errors = check_op(op, const_of)
        except (VerifyException, ArithmeticError, LookupError, TypeError, ValueError) as error:
            self.problems = [
                Problem("GX-218", f"{op.name}: the shape rule does not take this node: {error}")
            ]
            return
        except (Exception, SystemExit) as error:
            if not is_foreign(type(op)):
                raise
            self.problems = [
                Problem("GX-218", f"{op.name}: the shape rule is at fault: {fault(error)}")
            ]
            return
        self.problems = [
            Problem(
                getattr(e, "code", None) or "GX-218",
                f"{op.name}: {getattr(e, 'message', None) or e}",
                found=_text(getattr(e, "found", None)),
                expected=_text(getattr(e, "expected", None)),
            )
            for e in errors
        ]


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def constant_key(value: SSAValue, depth: int = 8) -> object:
    """Something that differs where the known value of an input differs; None where unknown."""
    while depth and isinstance(value, OpResult):
        op = value.op
        if op.name in ("ge.Const", "ge.Constant"):
            held = op.properties.get("value")
            return held if type(held) is DenseIntOrFPElementsAttr else None
        operands = operands_of(op)
        if not operands:
            return None
        if op.name == "ge.Shape":
            return operands[0].type
        if op.name not in ("ge.Identity", "ge.Reinterpret"):
            return None
        value = operands[0]
        depth -= 1
    return None
