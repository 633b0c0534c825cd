"""The text form of one `ge` operator on xDSL's own parser and printer.

`GeOp.parse` and `GeOp.print` lead here, so stock tools (`xdsl-opt`) read and write our text. Our
reader uses the same functions for every line its fast path does not take, and for good errors:
each problem is reported at the column of the offending token.

    results = ge.Name(arg, ...) after(%ctrl, ...) {attr = value, ...} : type, ...
        graph(%arg, ...) { ... } loc(...)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, cast

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Span

from ge_dialect.ir.attributes import CtrlType
from ge_dialect.ir.control import control_of, segments_attr
from ge_dialect.ir.op_text import ambiguous_outputs
from ge_dialect.spelling import nearest

if TYPE_CHECKING:
    from xdsl.parser import Parser

    from ge_dialect.ir.base import GeOp, OpTable

MAX_DEPTH = 100
"""Bodies may be nested this deep."""


class GeParseError(ParseError):
    """A parse error that also knows its diagnostic code and what could be done about it."""

    def __init__(
        self,
        span: Span,
        message: str,
        code: str = "GX-101",
        *,
        hint: str | None = None,
        expected: str | None = None,
    ) -> None:
        super().__init__(span, message)
        self.code = code
        self.hint = hint
        self.expected = expected


def suggest(word: str, known: Iterable[str]) -> str | None:
    """ "did you mean …?" for the nearest known word, None where none is near."""
    near = nearest(word, known)
    return f"did you mean {near!r}?" if near else None


def text_span(error: ParseError) -> Span:
    """Where in the text an error is; the spans of bytes are those of bytecode, which we lack."""
    return cast("Span", error.span)


def fail(p: Parser, message: str, span: Span | None = None, **kw: Any) -> NoReturn:
    """Raise a located error at `span`, or at the current token."""
    if span is None:
        try:
            p.raise_error(message)
        except ParseError as error:
            span = text_span(error)
    raise GeParseError(span, message, **kw)


def here(p: Parser) -> Span:
    """The first character of the current token."""
    return Span(p.pos, p.pos + 1, p.lexer.input)


# -------------------------------------------------------------------------------------- parsing


def resolve_value(p: Parser, what: str = "operand expected") -> tuple[SSAValue, Span]:
    """A use of a value that must be defined before it in the same graph."""
    use = p.parse_unresolved_operand(what)
    values = p.ssa_values.get(use.operand_name)
    if values is None:
        if use.operand_name in getattr(p, "poisoned", ()):
            fail(p, "", use.span, code="")  # its definition is in error, which is reported
        text = use.span.input.content
        later = re.compile(
            r"^[^\n]*%" + re.escape(use.operand_name) + r"(?![\w$.-])[^\n=(]*=", re.MULTILINE
        ).search(text, use.span.end)
        if later is not None:
            line = text.count("\n", 0, later.start()) + 1
            fail(
                p,
                f"value %{use.operand_name} is used before its definition",
                use.span,
                code="GX-103",
                hint=f"it is defined in line {line}; operators stand after what they use",
            )
        fail(
            p,
            f"value %{use.operand_name} is not defined in this graph",
            use.span,
            code="GX-102",
            hint=suggest(use.operand_name, p.ssa_values),
        )
    if use.index >= len(values):
        fail(
            p,
            f"value %{use.operand_name} has {len(values)} results, #{use.index} is not one",
            use.span,
            code="GX-102",
        )
    return values[use.index], use.span


def _plural(n: int, word: str) -> str:
    return f"{n} {word}" + ("" if n == 1 else "s")


def _parse_args(cls: type[GeOp], p: Parser, table: OpTable) -> dict[int, list[SSAValue]]:
    """Values per index of a declared input."""
    groups: dict[int, list[SSAValue]] = {}
    inputs = table.inputs
    by_name = {s.name: i for i, s in enumerate(inputs)}
    position = 0

    def group() -> list[SSAValue]:
        return p.parse_comma_separated_list(p.Delimiter.SQUARE, lambda: resolve_value(p)[0])

    def one() -> None:
        nonlocal position
        span = here(p)
        name = p.parse_optional_identifier()
        if name is not None:
            p.parse_punctuation("=", f" after input name {name}")
            index = by_name.get(name)
            if index is None:
                fail(
                    p,
                    f"{cls.name} has no input {name!r}",
                    Span(span.start, span.start + len(name), span.input),
                    code="GX-105",
                    hint=suggest(name, by_name),
                    expected=", ".join(by_name) or "no inputs",
                )
        elif table.solo:
            index = 0
        elif position >= table.first_named:
            if position >= len(inputs):
                fail(
                    p,
                    f"{cls.name} takes {_plural(len(inputs), 'input')}, more are given",
                    span,
                    code="GX-106",
                )
            names = ", ".join(s.name for s in inputs[table.first_named :])
            fail(
                p,
                f"inputs of {cls.name} from {inputs[table.first_named].name!r} on are named",
                span,
                code="GX-106",
                expected=f"name = %value, with a name of {names}",
            )
        else:
            index = position
        position = index + 1
        bracket = here(p)
        if bracket.text == "[":
            if inputs[index].kind != 1:
                fail(
                    p,
                    f"input {inputs[index].name!r} of {cls.name} is one value, not a list",
                    bracket,
                    code="GX-106",
                )
            values = group()
        else:
            value, _ = resolve_value(p)
            values = [value]
            if inputs[index].kind == 1 and not table.solo:
                fail(
                    p,
                    f"input {inputs[index].name!r} of {cls.name} takes a list",
                    bracket,
                    code="GX-106",
                    expected="[%a, %b, ...]",
                )
        if table.solo and name is None and bracket.text != "[":
            groups.setdefault(0, []).extend(values)
            position = 0
            return
        if index in groups:
            fail(
                p,
                f"input {inputs[index].name!r} of {cls.name} is given twice",
                span,
                code="GX-106",
            )
        groups[index] = values

    p.parse_comma_separated_list(p.Delimiter.PAREN, one, f" in the inputs of {cls.name}")
    return groups


def _parse_controls(cls: type[GeOp], p: Parser) -> list[SSAValue]:
    """Control operands; any result of a node stands for its control output."""

    def one() -> SSAValue:
        value, span = resolve_value(p)
        if isinstance(value.type, CtrlType):
            return value
        owner = value.owner
        if not isinstance(owner, Operation):
            fail(
                p,
                f"%{span.text[1:]} is an argument of the graph, which orders nothing",
                span,
                code="GX-107",
            )
        return control_of(owner)

    if p.parse_optional_keyword("after") is None:
        return []
    values = p.parse_comma_separated_list(p.Delimiter.PAREN, one, " in after(...)")
    return list(dict.fromkeys(values))


def parse_attr_name(p: Parser) -> tuple[str, Span]:
    """A key of an attribute dictionary."""
    span = here(p)
    name = p.parse_optional_identifier()
    if name is None:
        name = p.parse_optional_str_literal()
    if name is None:
        fail(p, "expected an attribute name", span)
    return name, Span(span.start, span.start + max(len(name), 1), span.input)


def _parse_attrs(
    cls: type[GeOp], p: Parser, table: OpTable
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Properties and discardable attributes from `{...}`, if it is there."""
    props: dict[str, Attribute] = {}
    attrs: dict[str, Attribute] = {}
    if here(p).text != "{":
        return props, attrs

    def entry() -> None:
        name, span = parse_attr_name(p)
        spec = table.attrs.get(name)
        if name in props or name in attrs:
            fail(p, f"attribute {name!r} is given twice", span, code="GX-108")
        if spec is None and "." not in name:
            fail(
                p,
                f"{cls.name} has no attribute {name!r}",
                span,
                code="GX-104",
                hint=suggest(name, table.attrs)
                or "attributes the operator does not declare have a dotted name",
            )
        if p.parse_optional_punctuation("=") is None:
            if spec is not None and not spec.kind.accepts(UnitAttr()):
                fail(p, f"attribute {name!r} needs a value ({spec.kind.name})", code="GX-108")
            (attrs if spec is None else props)[name] = UnitAttr()
            return
        start = here(p)
        try:
            if spec is None:
                attrs[name] = p.parse_attribute()
            else:
                props[name] = spec.kind.parse(p)
        except ParseError as error:
            if spec is None or isinstance(error, GeParseError):
                raise
            fail(
                p,
                f"attribute {name!r} of {cls.name}: {error.msg}",
                text_span(error),
                code="GX-108",
                expected=f"a value of kind {spec.kind.name}",
            )
        except (TypeError, ValueError, OverflowError, VerifyException) as error:
            fail(p, f"attribute {name!r} of {cls.name}: {error}", start, code="GX-108")

    p.parse_comma_separated_list(p.Delimiter.BRACES, entry, f" in the attributes of {cls.name}")
    return props, attrs


def _parse_types(
    cls: type[GeOp], p: Parser, table: OpTable, span: Span
) -> tuple[list[Attribute], tuple[int, ...] | None]:
    """Result types and, where the class stores them, segment sizes.

    span: where the operator begins, for the error of having none.
    """
    grouped = ambiguous_outputs(table)
    types: list[Attribute] = []
    sizes: list[int] = []
    if p.parse_optional_punctuation(":"):
        span = here(p)

        def one() -> None:
            if grouped and here(p).text == "[":
                group = p.parse_comma_separated_list(p.Delimiter.SQUARE, p.parse_type)
            else:
                group = [p.parse_type()]
            types.extend(group)
            sizes.append(len(group))

        p.parse_comma_separated_list(p.Delimiter.NONE, one)
    controls = int(bool(types) and isinstance(types[-1], CtrlType))
    if grouped:
        if len(sizes) - controls != len(table.outputs):
            fail(
                p,
                f"{cls.name} has {len(table.outputs)} outputs, {len(sizes) - controls} are given",
                span,
                code="GX-109",
                expected="[types] for each optional or dynamic output",
            )
        return types, (*sizes[: len(table.outputs)], controls)
    problem = result_count_problem(table, len(types) - controls)
    if problem is not None:
        fail(p, f"{cls.name} {problem}", span, code="GX-109")
    return types, result_sizes(table, len(types) - controls, controls)


def result_count_problem(table: OpTable, data: int) -> str | None:
    """What is wrong with having `data` results besides the control result, None where nothing."""
    required = sum(s.kind == 0 for s in table.outputs)
    given = f"{_plural(data, 'result type')} {'is' if data == 1 else 'are'} given"
    if len(table.outputs) == required:
        return None if data == required else f"has {_plural(required, 'output')}, {given}"
    if data < required:
        return f"has at least {_plural(required, 'output')}, {given}"
    if all(s.kind != 1 for s in table.outputs) and data > len(table.outputs):
        return f"has at most {_plural(len(table.outputs), 'output')}, {given}"
    return None


def result_sizes(table: OpTable, data: int, controls: int) -> tuple[int, ...] | None:
    """Result segment sizes of a class that stores them; the one inexact output takes the rest."""
    if not table.sized_results:
        return None
    extra = data - sum(s.kind == 0 for s in table.outputs)
    return (*(1 if s.kind == 0 else extra for s in table.outputs), controls)


def result_segments(table: OpTable, types: Sequence[Attribute]) -> DenseArrayBase:
    """Result segment sizes as an attribute, from the list of all result types.

    Raises ValueError where several outputs are optional or dynamic: the list does not say which
    results belong to which.
    """
    if ambiguous_outputs(table):
        raise ValueError("several outputs are optional or dynamic; give resultSegmentSizes")
    controls = int(bool(types) and isinstance(types[-1], CtrlType))
    return segments_attr(result_sizes(table, len(types) - controls, controls) or ())


class _GraphState(Protocol):
    """What is kept on any parser, xDSL's own or ours, while a body is read."""

    ge_depth: int
    poisoned: set[str]


def parse_body(p: Parser, arguments: Sequence[Any], *, counts: bool = True) -> Region:
    """A region isolated from above: it sees its arguments and nothing else.

    counts: whether it is one more level of nesting.
    """
    before = getattr(p, "ge_depth", 0)
    depth = before + counts
    if depth > MAX_DEPTH:
        fail(p, f"graphs are nested more than {MAX_DEPTH} levels deep", code="GX-110")
    outer = p.ssa_values
    forward = p.forward_ssa_references
    p.ssa_values = {}
    p.forward_ssa_references = {}
    state = cast("_GraphState", p)
    state.ge_depth = depth
    poisoned = getattr(p, "poisoned", None)  # names in error, see reader_recovery
    if poisoned is not None:
        state.poisoned = set()
    try:
        region = p.parse_region(arguments)
        missing = undefined(p)
        if missing:
            fail(p, f"values used in this graph are not defined in it: {missing}", code="GX-102")
    finally:
        p.ssa_values = outer
        p.forward_ssa_references = forward
        state.ge_depth = before
        if poisoned is not None:
            state.poisoned = poisoned
    return region


def undefined(p: Parser) -> str:
    """Values used here and not defined, apart from results of operations that are in error."""
    poisoned = getattr(p, "poisoned", ())
    return ", ".join("%" + n for n in p.forward_ssa_references if n not in poisoned)


def _parse_bodies(
    cls: type[GeOp], p: Parser, table: OpTable, operands: Sequence[SSAValue], start: Span
) -> list[Region]:
    regions: list[Region] = []
    for spec in table.graphs:
        first = True
        while True:
            if p.parse_optional_keyword(spec.name) is None:
                if first and not spec.dynamic:
                    fail(
                        p,
                        f"{cls.name} needs its graph {spec.name!r}",
                        start,
                        code="GX-111",
                        expected=f"{spec.name}(%arg, ...) {{ ... }}",
                    )
                break
            first = False
            span = here(p)
            names = p.parse_comma_separated_list(
                p.Delimiter.PAREN, lambda: p.parse_argument(expect_type=False)
            )
            try:
                types = list(cls.ge_body_types([o.type for o in operands], len(regions)))
            except (IndexError, TypeError, ValueError) as error:
                fail(p, f"{cls.name}: no argument types for {spec.name}: {error}", span)
            if len(names) != len(types):
                fail(
                    p,
                    f"graph {spec.name!r} of {cls.name} has {_plural(len(names), 'argument')}, "
                    f"the operator passes {len(types)}",
                    span,
                    code="GX-111",
                )
            arguments = [n.resolve(t) for n, t in zip(names, types, strict=True)]
            regions.append(parse_body(p, arguments))
            if not spec.dynamic:
                break
    return regions


def parse_op(cls: type[GeOp], p: Parser) -> GeOp:
    """Read one operator after its name; see the grammar above. Raises located `ParseError`s."""
    table = cls.ge_table()
    start = here(p)
    groups = _parse_args(cls, p, table)
    operands: list[SSAValue] = []
    sizes: list[int] = []
    for index, slot in enumerate(table.inputs):
        group = groups.get(index, [])
        if slot.kind == 0 and not group:
            fail(
                p,
                f"input {slot.name!r} of {cls.name} is missing",
                start,
                code="GX-106",
                expected=", ".join(
                    s.name + ("?" if s.kind == 2 else "..." if s.kind == 1 else "")
                    for s in table.inputs
                ),
            )
        operands += group
        sizes.append(len(group))
    controls = _parse_controls(cls, p)
    operands += controls
    props, attrs = _parse_attrs(cls, p, table)
    if not table.fixed:
        props["operandSegmentSizes"] = segments_attr((*sizes, len(controls)))
    types, out_sizes = _parse_types(cls, p, table, start)
    if out_sizes is not None:
        props["resultSegmentSizes"] = segments_attr(out_sizes)
    regions = _parse_bodies(cls, p, table, operands, start) if table.graphs else []
    return cls.create(
        operands=operands,
        result_types=types,
        properties=props,
        attributes=attrs,
        regions=regions,
    )
