"""The parser behind `parse_module`: one regular expression takes a whole one-line operator.

Tables map class, attribute text and type text to interned objects, so a line costs a few
microseconds. Every line that is not exactly of the printed form (regions, foreign operations,
generic form, odd spacing, and all errors) goes to xDSL's parser, which knows the whole grammar and
reports the column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import FileLineColLoc, NameLoc, NoneAttr, UnknownLoc
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from ge_dialect.ir.attributes import CtrlType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import control_of, segments_attr
from ge_dialect.ir.dense import DenseError, parse_dense
from ge_dialect.ir.names import location_leaves
from ge_dialect.ir.private import (
    create_node,
    raw_file_loc,
    raw_int,
    raw_name_loc,
    raw_string,
    set_name_hint,
    set_type,
)
from ge_dialect.ir.private_parser import OpenParser
from ge_dialect.ir.reader_generic import GENERIC, generic_line
from ge_dialect.ir.reader_recovery import ERRORS, recover
from ge_dialect.ir.reader_tables import ClassFacts, Names, with_file
from ge_dialect.ir.reader_values import ValueReader
from ge_dialect.ir.stock_text import GeParseError, fail, result_sizes, suggest
from ge_dialect.ir.types import intern_type

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

_VALUE = r"%(?:[0-9]+|[A-Za-z_$.\-][A-Za-z0-9_$.\-]*)"
_LINE = re.compile(
    rf"(?:({_VALUE}(?:, {_VALUE})*) = )?ge\.(\w+)"
    r'\(([^()"\n]*)\)'
    r'(?: after\(([^()"\n]*)\))?'
    r'(?: (\{[^{}"\n]*(?:"[^"\\\n]*"[^{}"\n]*)*\}))?'
    r'(?: : ([^\s{"]+(?:(?:, | = )[^\s{"]+)*))?'
    r'(?: loc\("([^"\\\n]*)"(?:\(([^()\n]*)\))?\))?'
    r"[ \t]*(?://[^\n]*)?\r?\n"
)
_BLANK = re.compile(r"(?:\s+|//[^\n]*(?:\n|\Z))*", re.ASCII)
_TOKEN = re.compile(rf"{_VALUE}|(\w+) = |[\[\]]")
_HINT = re.compile(r"[A-Za-z_$.\-][A-Za-z0-9_$.\-]*\Z")
_RESULT = re.compile(rf"({_VALUE})")
_NONE = NoneAttr()


class GeParser(OpenParser):
    """xDSL's parser with the one-line path, locations, and names for nodes that have none."""

    def __init__(self, ctx: Context, text: str, name: str = "<stdin>") -> None:
        super().__init__(ctx, text, name)
        self.ge_depth = 0
        self._facts: dict[str, ClassFacts | None] = {}
        self.value_reader = ValueReader(self.sub_parser)
        self._file = raw_string(name)
        self._columns: dict[int, Any] = {}
        self._line_at = (0, 1)
        self._children: dict[str, Sequence[Attribute] | None] = {}
        self._text = self.text = text
        self._rt: Any = None
        #: errors read past so far, and names of results that they left undefined
        self.errors: list[ParseError] = []
        self.poisoned: set[str] = set()
        self.find_location_aliases(text)

    # -------------------------------------------------------------------------- locations

    def position(self, pos: int) -> FileLineColLoc:
        """File location of a position; cheap when positions only grow."""
        last, line = self._line_at
        text = self._text
        if pos < last:
            last, line = 0, 1
        line += text.count("\n", last, pos)
        self._line_at = (pos, line)
        column = pos - text.rfind("\n", 0, pos)
        shared = self._columns.get(column)
        if shared is None:
            shared = self._columns[column] = raw_int(column)
        return raw_file_loc(self._file, raw_int(line), shared)

    # ------------------------------------------------------------------------------ hooks

    def find_op(self, name: str) -> type[Operation]:
        found = self.ctx.get_optional_op(name, dialect_stack=self._dialects())
        if found is not None:
            return found
        span = Span(self.token_span.start, self.token_span.start, self.token_span.input)
        start = self._text.rfind(name, 0, span.start)
        if start >= 0:
            span = Span(start, start + len(name), span.input)
        if name.startswith("ge."):
            from ge_dialect.ops.registry import op_names

            fail(
                self,
                f"there is no operator {name}",
                span,
                code="GX-112",
                hint=suggest(name[3:], op_names())
                or "--load FILE brings operators in; others are written ge.Opaque {type = ...}",
            )
        fail(
            self,
            f"operation {name} is not known",
            span,
            code="GX-112",
            hint="operations of unknown dialects need --allow-unregistered-dialect",
        )

    def _dialects(self) -> list[str]:
        return self._parser_state.dialect_stack

    def parse_operation(self) -> Operation:
        where = self.position(self.pos)  # before the body moves the line counter on
        op = super().parse_operation()
        if isinstance(op.location, UnknownLoc):
            op.location = where
        if isinstance(op, GeOp):
            for result in op.results:
                set_type(result, intern_type(result.type))
        return op

    def parse_optional_str_literal(self) -> str | None:
        """A string; also one that xDSL takes for bytes because of escapes above 0x7F."""
        found = super().parse_optional_str_literal()
        if found is not None:
            return found
        start = self.pos
        data = self.parse_optional_bytes_literal()
        if data is None:
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            self.move_to(start)
            return None

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr:
        """Our own reading of `<...> : type`, where hexadecimal floats are bit patterns."""
        start = self.pos
        text = self._text
        if not text.startswith("<", start):
            fail(self, "expected < after dense", code="GX-113")
        quoted = re.compile(r'<\s*"[^"\n]*"\s*>').match(text, start)
        end = quoted.end() - 1 if quoted else text.find(">", start)
        if end < 0:
            fail(self, "a dense literal is not closed", code="GX-113")
        body = text[start + 1 : end]
        self.move_to(end + 1)
        if type is None:
            self.parse_punctuation(":", " after a dense literal")
            type = self.parse_type()
        try:
            return parse_dense(body, type)
        except DenseError as error:
            fail(self, str(error), Span(start, end + 1, self.token_span.input), code="GX-113")

    # -------------------------------------------------------------------------- block body

    def read_block_body(self, block: Block) -> None:
        text = self._text
        match = _LINE.match
        blank = cast("Callable[[str, int], re.Match[str]]", _BLANK.match)  # matches anything
        facts = self._facts
        names = Names()
        add = block.add_op
        pos = self.pos
        while True:
            m = match(text, pos)
            if m is not None:
                name = m.group(2)
                fact = facts[name] if name in facts else self._class(name)
                op = None if fact is None else self._one_line(fact, m, pos, names)
                if op is not None:
                    add(op)
                    pos = blank(text, m.end()).end()
                    continue
            elif (m := GENERIC.match(text, pos)) is not None:
                name = m.group(2)
                fact = facts[name] if name in facts else self._class(name)
                op = None if fact is None else generic_line(self, fact, m, pos, names)
                if op is not None:
                    add(op)
                    pos = blank(text, m.end()).end()
                    continue
            elif text.startswith("rt.", pos):
                line = self._rt_line(pos)
                if line is not None:
                    op, after = line
                    add(op)
                    pos = blank(text, after).end()
                    continue
            self.move_to(pos)
            if not self.token_opens_op:
                return
            pos = self.pos
            where = self.position(pos)
            op = self.parse_or_skip(pos)
            if op is None:
                pos = self.pos
                continue
            add(op)
            if isinstance(op, GeOp):
                self.name_node(op, self.first_result(pos), names, where)
            pos = self.pos

    def parse_or_skip(self, start: int) -> Operation | None:
        """The operation at `start`; None where it cannot be read and was read past."""
        state = (
            self.ssa_values,
            self.forward_ssa_references,
            self.blocks,
            self.forward_block_references,
            self.ge_depth,
            len(self._dialects()),
        )
        try:
            return self.parse_operation()
        except ERRORS as error:
            after = recover(self, error, start)
        self.ssa_values, self.forward_ssa_references, self.blocks = state[:3]
        self.forward_block_references, self.ge_depth = state[3:5]
        del self._dialects()[state[5] :]
        try:
            self.move_to(after)
        except ParseError:  # the next token is broken as well
            self.move_to(len(self._text))
        return None

    def _rt_line(self, pos: int) -> tuple[Operation, int] | None:
        """A task of a compiled model and the end of its line, None where the form is unusual."""
        if self._rt is None:
            from ge_dialect.rt.lines import LineReader

            self._rt = LineReader(self.sub_parser)
        found = self._rt.read(self._text, pos)
        if found is not None:
            found[0].location = self.position(pos)
        return found

    def first_result(self, pos: int) -> str | None:
        """SSA name of the first result of the operation written at `pos`."""
        m = _RESULT.match(self._text, pos)
        return None if m is None else m.group(1)[1:]

    def _class(self, name: str) -> ClassFacts | None:
        cls = self.ctx.get_optional_op("ge." + name)
        fact = None
        if cls is not None and issubclass(cls, GeOp):
            fact = ClassFacts(cls)
            if not fact.plain:
                fact = None
        self._facts[name] = fact
        return fact

    def _operands(
        self, fact: ClassFacts, args: str
    ) -> tuple[list[SSAValue], tuple[int, ...] | None] | None:
        """Data operands and, where stored, their number per input; None for anything unusual."""
        values = self.ssa_values
        if fact.fixed:
            operands = [values[a[1:]][0] for a in args.split(", ")] if args else []
            return (operands, None) if len(operands) == fact.count else None
        inputs = fact.inputs
        if fact.solo and "=" not in args and "[" not in args:
            operands = [values[a[1:]][0] for a in args.split(", ")] if args else []
            return operands, (len(operands),)
        groups: dict[int, list[SSAValue]] = {}
        index = -1
        inside = False
        named = False
        current: list[SSAValue] = []
        pos = 0
        end = len(args)
        while pos < end:
            m = _TOKEN.match(args, pos)
            if m is None:
                return None
            token = m.group()
            pos = m.end()
            if m.group(1) is not None:
                index = fact.table.input_index(m.group(1))
                named = True
                continue
            if token == "]":
                if not inside:
                    return None
                inside = False
                groups[index] = current
            else:
                if not inside and not named:
                    index += 1
                    if index >= fact.table.first_named:
                        return None
                if token == "[":
                    if inside or index in groups or inputs[index].kind != 1:
                        return None
                    inside = True
                    named = False
                    current = []
                    continue
                value = values[token[1:]][0]
                if inside:
                    current.append(value)
                else:
                    if index in groups or inputs[index].kind == 1:
                        return None
                    groups[index] = [value]
                    named = False
            if pos < end:
                if args.startswith(", ", pos):
                    pos += 2
                elif not (inside and args.startswith("]", pos)):
                    return None
        if inside or named:
            return None
        operands: list[SSAValue] = []
        sizes: list[int] = []
        for i, slot in enumerate(inputs):
            group = groups.get(i, ())
            if slot.kind == 0 and len(group) != 1:
                return None
            operands += group
            sizes.append(len(group))
        return operands, tuple(sizes)

    def _one_line(
        self, fact: ClassFacts, m: re.Match[str], pos: int, names: Names
    ) -> Operation | None:
        """The operator of a matched line, None where xDSL's parser has to look at it."""
        res, _, args, ctrl, dct, tys, loc_name, loc_child = m.groups()
        values = self.ssa_values
        try:
            found = self._operands(fact, args)
            if found is None:
                return None
            operands, sizes = found
            controls = 0
            if ctrl is not None:
                waited: dict[int, SSAValue] = {}  # by id
                for a in ctrl.split(", "):
                    value = values[a[1:]][0]
                    if not isinstance(value.type, CtrlType):
                        if not isinstance(value.owner, Operation):
                            return None
                        value = control_of(value.owner)
                    waited[id(value)] = value
                operands = [*operands, *waited.values()]
                controls = len(waited)
        except KeyError:
            return None

        types: tuple[Attribute, ...] = ()
        if tys is not None:
            listed = self.value_reader.type_list(tys)
            if listed is None:
                return None
            types = listed
        has_ctrl = bool(types) and isinstance(types[-1], CtrlType)
        given = len(types) - has_ctrl

        entry: tuple[dict[str, Attribute], dict[str, Attribute]] | None = fact.memo.get(dct)
        if entry is None:
            entry = ({}, {}) if dct is None else self.value_reader.attributes(dct, fact.table)
            if entry is None:
                return None
            for key, default in fact.table.defaults.items():
                entry[0].setdefault(key, default)
            fact.memo[dct] = entry
        props, attrs = entry
        if sizes is not None or fact.required < 0:
            props = props.copy()
            if sizes is not None:
                props["operandSegmentSizes"] = segments_attr((*sizes, controls))
            if fact.required < 0:
                split = result_sizes(fact.table, given, int(has_ctrl))
                if split is None or min(split) < 0:
                    return None
                if fact.table.outputs[-1].kind == 2 and max(split) > 1:
                    return None
                props["resultSegmentSizes"] = segments_attr(split)
        if fact.required >= 0 and given != fact.required:
            return None

        results = res[1:].split(", %") if res is not None else ()
        if len(results) != len(types) or len(set(results)) != len(results):
            return None
        forward = self.forward_ssa_references
        for key in results:
            if key in values or key in forward:
                return None

        # names and location
        where = self.position(pos)
        if loc_name is not None:
            child: Attribute = where
            if loc_child is not None:
                leaves = self.leaves(loc_child)
                if leaves is None:
                    return None
                child = with_file(leaves, where)
            name = loc_name
            explicit = True
        else:
            child = where
            explicit = False
            name = results[0] if results else ""

        if not results:
            if not explicit:
                name = names.default_of(fact.type_name)
            names.count(fact.type_name)
        taken = names.taken
        if name in taken:
            name = names.settle(name, explicit)
        op = create_node(
            fact.cls, operands, types, props, attrs, raw_name_loc(raw_string(name), child)
        )
        taken[name] = (op, explicit)
        n = 0
        for result in op.results:
            key = results[n]
            n += 1
            values[key] = (result,)
            if not key[0].isdigit():
                set_name_hint(result, key)
        return op

    def leaves(self, text: str) -> Sequence[Attribute] | None:
        """Origins and position in the inner location `text`; None where it has others."""
        if text not in self._children:
            self._children[text] = self.value_reader.location_child(text)
        return self._children[text]

    def settled_name(
        self, given: str | None, first_result: str | None, type_name: str, names: Names
    ) -> str:
        """Name of a node from what its text says; made unique where it was made up."""
        name = given
        if name is None:
            name = first_result if first_result is not None else names.default_of(type_name)
        if first_result is None:
            names.count(type_name)
        return names.settle(name, given is not None) if name in names.taken else name

    def name_node(
        self, op: GeOp, first_result: str | None, names: Names, where: FileLineColLoc
    ) -> None:
        """Give a node read by xDSL's parser its name, with the position as child location."""
        loc = op.location
        explicit = isinstance(loc, NameLoc)
        given = None
        leaves = location_leaves(loc)
        if isinstance(loc, NameLoc):
            given = loc.desc.data
            leaves = [] if isinstance(loc.location, NoneAttr) else location_leaves(loc.location)
        name = self.settled_name(given, first_result if op.results else None, op.ge_type, names)
        names.taken[name] = (op, explicit)
        keep = [leaf for leaf in leaves if isinstance(leaf, NameLoc | FileLineColLoc)]
        op.location = raw_name_loc(raw_string(name), with_file(keep, where))


__all__ = ["ClassFacts", "GeParseError", "GeParser"]
