"""`#rt.buffer`: where a tensor lies in the memory of a loaded model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

#: Start addresses of tensors are multiples of this many bytes.
ALIGNMENT = 32

SPACES: tuple[str, ...] = ("arena", "weight", "input", "output", "variable")
"""Memory classes. Each is a byte range of its own that starts at 0.

arena     planned feature-map memory: intermediate values and workspaces, life of the model
weight    constants, written once when the model is loaded, read-only afterwards
input     what the caller hands in, read-only
output    what the caller receives
variable  state of the session, survives from run to run
"""


@irdl_attr_definition
class BufferAttr(ParametrizedAttribute):
    """A tensor at a byte offset of a memory class: `#rt.buffer<arena[512] : tensor<8xf16>>`.

    `at` is the memory class, `offset` is in bytes; the type has the logical shape, its encoding the
    storage layout. The size is that of the storage, see `ge_dialect.layouts.storage_bytes`.
    """

    name = "rt.buffer"
    at: StringAttr
    byte: IntAttr
    type: Attribute

    @staticmethod
    def make(space: str, offset: int, type: Attribute) -> BufferAttr:
        """The buffer of `type` at byte `offset` of memory class `space`."""
        head = _SPACE_ATTRS.get(space)
        return BufferAttr(StringAttr(space) if head is None else head, IntAttr(offset), type)

    @property
    def space(self) -> str:
        """The memory class, one of `SPACES`."""
        return self.at.data

    @property
    def offset(self) -> int:
        """The first byte within the memory class."""
        return self.byte.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            space, offset, type_ = parse_place(parser)
        return [StringAttr(space), IntAttr(offset), type_]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.at.data}[{self.byte.data}] : ")
        printer.print_attribute(self.type)
        printer.print_string(">")


_SPACE_ATTRS = {space: StringAttr(space) for space in SPACES}


def parse_place(parser: AttrParser) -> tuple[str, int, Attribute]:
    """Reads `class[offset] : type`."""
    space = parser.parse_identifier()
    if space not in SPACES:
        parser.raise_error(f"'{space}' is no memory class; expected one of {', '.join(SPACES)}")
    parser.parse_punctuation("[")
    offset = parser.parse_integer(allow_boolean=False, allow_negative=False)
    parser.parse_punctuation("]")
    parser.parse_punctuation(":")
    return space, offset, parser.parse_type()


def parse_buffer(parser: AttrParser) -> BufferAttr:
    """Reads a buffer in its short form, without `#rt.buffer<…>`."""
    return BufferAttr.make(*parse_place(parser))
