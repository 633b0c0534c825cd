"""xDSL's parser and printer with the hooks our reader needs, under public names.

With `ge_dialect.ir.private` the only code that touches private parts of xDSL.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from xdsl.context import Context
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue, TypeAttribute
from xdsl.parser import Parser, ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from ge_dialect.ir.private import current_token, set_name_hint

_LOCATION_ALIAS = re.compile(r"^(#\w+) = (loc\([^\n]*\))[ \t]*$", re.MULTILINE)


class OpenLexer(MLIRLexer):
    """xDSL's lexer, whose pattern for strings takes exponential time on one that does not end."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


_ALIAS_USE = re.compile(r"[#!]\w+")
#: Values that an alias may stand for, counting those of the aliases in it: a few lines of aliases
#: of aliases can stand for more than any machine prints.
MAX_ALIAS_SIZE = 100_000
#: Attributes, types and locations stand in one another at most so deep; printing them, comparing
#: them and hashing them takes a few Python frames per level.
MAX_NESTING = 100


class OpenParser(Parser):
    """xDSL's parser; subclasses replace `read_block_body` and `find_op`."""

    #: MLIR's widest integer has 2^24 bits; the range of one of 10^11 bits fills the memory.
    _builtin_integer_type_regex = re.compile(r"^[su]?i([0-9]{1,7})$", re.ASCII)

    def __init__(self, ctx: Context, text: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(OpenLexer(Input(text, name)))
        self._early: set[str] = set()
        self._nesting = 0
        self._alias_sizes: dict[str, int] = {}

    def find_location_aliases(self, text: str) -> None:
        """Read `#loc3 = loc(...)` lines of the whole text; MLIR writes them behind their uses."""
        if "loc(#" not in text:
            return
        left: list[tuple[str, str]] = _LOCATION_ALIAS.findall(text)
        while left:
            later: list[tuple[str, str]] = []
            for name, value in left:
                try:
                    self._weigh_alias(name, value, self.token_span)
                    self.attribute_aliases[name] = self.sub_parser(value).parse_attribute()
                    self._early.add(name)
                except ParseError:
                    later.append((name, value))
            if len(later) == len(left):
                return  # reading the text will say what is wrong with them
            left = later

    def read_block_body(self, block: Block) -> None:
        """Append the operations that follow to `block`, up to its end."""
        super()._parse_block_body(block)

    def find_op(self, name: str) -> type[Operation]:
        """Class of an operation name at the current position; raises a located error."""
        return super()._get_op_by_name(name)

    def _parse_block_body(self, block: Block) -> None:
        self.read_block_body(block)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        return self.find_op(name)

    def move_to(self, position: int) -> None:
        """Continue at a position of the text."""
        self._resume_from(position)

    @property
    def at_end(self) -> bool:
        """Whether all text is read."""
        return self._current_token.kind is MLIRTokenKind.EOF

    @property
    def token_span(self) -> Span:
        """The current token."""
        return self._current_token.span

    @property
    def token_opens_op(self) -> bool:
        """Whether the current token can start an operation."""
        return self._current_token.kind in (
            MLIRTokenKind.PERCENT_IDENT,
            MLIRTokenKind.BARE_IDENT,
            MLIRTokenKind.STRING_LIT,
        )

    def parse_aliases(self) -> None:
        """Read alias definitions and metadata that stand here, as at top level."""
        while True:
            kind = self._current_token.kind
            if kind in (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT):
                name = self._current_token.text
                if name in self._early:
                    self._early.discard(name)
                    del self.attribute_aliases[name]
                self._parse_alias_def()
            elif kind is MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            else:
                return

    def _parse_alias_def(self) -> None:
        token = self._current_token
        super()._parse_alias_def()
        text = self._parser_state.lexer.input.content[token.span.end : self.pos]
        self._weigh_alias(token.text, text, token.span)

    def _weigh_alias(self, name: str, text: str, span: Span) -> None:
        """Note how many values an alias stands for; an error where they are too many."""
        size = 1 + sum(self._alias_sizes.get(use, 0) for use in _ALIAS_USE.findall(text))
        if size > MAX_ALIAS_SIZE:
            raise ParseError(span, f"{name} stands for more than {MAX_ALIAS_SIZE} values")
        self._alias_sizes[name] = size

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        super()._register_ssa_definition(name, values, span)
        # xDSL strips a trailing number; the name as written is wanted
        if not name[0].isdigit():
            for value in values:
                set_name_hint(value, name)

    def parse_attribute(self) -> Attribute:
        """An attribute; GX-110 where it is nested too deeply."""
        with self._nested():
            return super().parse_attribute()

    def _parse_location(self) -> LocationAttr:
        with self._nested():
            return super()._parse_location()

    def parse_optional_type(self) -> TypeAttribute | None:
        """A type if there is one; GX-110 where it is nested too deeply."""
        with self._nested():
            return super().parse_optional_type()

    @contextmanager
    def _nested(self) -> Generator[None]:
        if self._nesting > MAX_NESTING:
            raise RecursionError  # reported as GX-110
        self._nesting += 1
        try:
            yield
        finally:
            self._nesting -= 1

    def sub_parser(self, text: str) -> Parser:
        """A stock parser on other text with the same context and aliases."""
        other = OpenParser(self.ctx, text)
        other.attribute_aliases = self.attribute_aliases
        return other


def parser_at_end(parser: Parser) -> bool:
    """Whether a parser has read all its text."""
    return current_token(parser).kind is MLIRTokenKind.EOF
