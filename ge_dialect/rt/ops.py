"""Operations of the `rt` dialect: a compiled model as it is loaded and run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface

from ge_dialect.rt.attributes import BufferAttr, parse_buffer
from ge_dialect.rt.text import print_op
from ge_dialect.rt.values import canonical, to_attr

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from ge_dialect.diagnostics import Diagnostic

NONE = UnitAttr()
"""Stands in `rt.kernel`'s inputs for an optional input that is not connected."""

FORMAT_VERSION = 1
MODEL_SIZES: tuple[str, ...] = (
    "arena_bytes",
    "weight_bytes",
    "input_bytes",
    "output_bytes",
    "variable_bytes",
)


@lru_cache(maxsize=4096)
def _int(value: int) -> IntegerAttr:
    return IntegerAttr(value, i64)


@lru_cache(maxsize=4096)
def _string(text: str) -> StringAttr:
    return StringAttr(text)


class RtOp(IRDLOperation):
    """Base of all `rt` operations: prints through the straight printer of `ge_dialect.rt.text`."""

    def _set(
        self, properties: Mapping[str, Attribute | None], regions: Sequence[Region] = ()
    ) -> None:
        """Initialise without xDSL's argument matching, which costs more than all else."""
        present = {k: v for k, v in properties.items() if v is not None}
        Operation.__init__(self, properties=present, regions=regions)

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        """Reads what stands between the name and the regions; returns the properties."""
        raise NotImplementedError

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties = cls.read(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        regions = [_parse_body(parser) for _ in cls.get_irdl_definition().regions]
        return cls.create(
            properties=properties,
            attributes=dict(attributes.data) if attributes else {},
            regions=regions,
        )

    def print(self, printer: Printer) -> None:
        print_op(self, printer)

    def ge_problems(self) -> list[Diagnostic]:
        """What is wrong with an operation that is met outside of a model, which checks its own."""
        from ge_dialect.rt.verify import check_alone

        return check_alone(self)


@irdl_op_definition
class Model(RtOp):
    """A compiled static model: its memory, bindings, weights and streams.

    `config` holds `soc` (string), `format` (version of this text), the byte sizes of the memory
    classes (`arena_bytes` …), `arena_lower_bound` and `events` (number of event ids).
    """

    name = "rt.model"
    sym_name = prop_def(StringAttr)
    config = prop_def(DictionaryAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), IsolatedFromAbove(), SymbolOpInterface())

    def __init__(self, name: str, config: Mapping[str, object], ops: Iterable[Operation] = ()):
        self._set(
            {"sym_name": StringAttr(name), "config": to_attr(dict(config))},
            [Region(Block(list(ops)))],
        )

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        name = parser.parse_symbol_name()
        config = _parse_dict(parser)
        return {"sym_name": name, "config": config}

    def ge_problems(self) -> list[Diagnostic]:
        """All problems of the model and of what stands in it."""
        from ge_dialect.rt.verify import check_model

        return check_model(self)

    def verify_(self) -> None:
        from ge_dialect.rt.verify import RtProblems

        problems = self.ge_problems()
        if problems:
            raise RtProblems(problems)


class _Binding(RtOp):
    """What binds an argument or a result of a call to a buffer."""

    index = prop_def(IntegerAttr)
    node = prop_def(StringAttr)
    buffer = prop_def(BufferAttr)
    zero_copy = opt_prop_def(UnitAttr)

    def __init__(self, index: int, node: str, buffer: BufferAttr, zero_copy: bool = True):
        self._set(
            {
                "index": _int(index),
                "node": StringAttr(node),
                "buffer": buffer,
                "zero_copy": UnitAttr() if zero_copy else None,
            }
        )

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        index = parser.parse_integer(allow_boolean=False, allow_negative=False)
        node = parser.parse_str_literal()
        parser.parse_punctuation("=")
        properties: dict[str, Attribute] = {
            "index": _int(index),
            "node": StringAttr(node),
            "buffer": parse_buffer(parser),
        }
        if parser.parse_optional_keyword("zero_copy"):
            properties["zero_copy"] = UnitAttr()
        return properties


@irdl_op_definition
class Input(_Binding):
    """Binds argument `index` of a call to a buffer; `node` is its name, `zero_copy` if the
    caller's own memory stands there."""

    name = "rt.input"


@irdl_op_definition
class Output(_Binding):
    """Binds result `index` of a call to a buffer of any memory class; `zero_copy` if it lies in the
    caller's own memory, else the caller gets a copy after the last task."""

    name = "rt.output"


@irdl_op_definition
class Weight(RtOp):
    """A constant placed in the weight memory: its logical value and the layout it is stored in."""

    name = "rt.weight"
    buffer = prop_def(BufferAttr)
    value = prop_def(Attribute)

    def __init__(self, buffer: BufferAttr, value: Attribute):
        self._set({"buffer": buffer, "value": value})

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        buffer = parse_buffer(parser)
        parser.parse_punctuation("=")
        return {"buffer": buffer, "value": parser.parse_attribute()}


@irdl_op_definition
class Variable(RtOp):
    """A variable of the session; `value` is what a fresh session writes there (zeros if absent)."""

    name = "rt.variable"
    node = prop_def(StringAttr)
    buffer = prop_def(BufferAttr)
    value = opt_prop_def(Attribute)

    def __init__(self, node: str, buffer: BufferAttr, value: Attribute | None = None):
        self._set({"node": StringAttr(node), "buffer": buffer, "value": value})

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        node = parser.parse_str_literal()
        parser.parse_punctuation("=")
        buffer = parse_buffer(parser)
        properties: dict[str, Attribute] = {"node": StringAttr(node), "buffer": buffer}
        if parser.parse_optional_keyword("init"):
            properties["value"] = parser.parse_attribute()
        return properties


@irdl_op_definition
class Stream(RtOp):
    """An in-order queue of tasks. `engine` names the engine class it was made for."""

    name = "rt.stream"
    index = prop_def(IntegerAttr)
    engine = prop_def(StringAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, index: int, engine: str, tasks: Iterable[Operation] = ()):
        self._set(
            {"index": _int(index), "engine": StringAttr(engine)}, [Region(Block(list(tasks)))]
        )

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        index = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return {"index": _int(index), "engine": _parse_name(parser)}


@irdl_op_definition
class Kernel(RtOp):
    """Runs one operator.

    `inputs` has one entry per input slot of the operator: a buffer, `none` for an optional input
    that is not connected, or a list of buffers for a dynamic input. `outputs` is flat. `attrs` are
    all attributes of the operator, defaults included. `workspace` is scratch memory.
    """

    name = "rt.kernel"
    node = prop_def(StringAttr)
    op_type = prop_def(StringAttr)
    inputs = prop_def(ArrayAttr)
    outputs = prop_def(ArrayAttr)
    attrs = prop_def(DictionaryAttr)
    engine = prop_def(StringAttr)
    block_dim = prop_def(IntegerAttr)
    workspace = opt_prop_def(BufferAttr)
    origins = opt_prop_def(ArrayAttr)

    def __init__(
        self,
        node: str,
        op_type: str,
        inputs: Sequence[BufferAttr | Sequence[BufferAttr] | None],
        outputs: Sequence[BufferAttr],
        attrs: Mapping[str, object] | DictionaryAttr,
        engine: str,
        block_dim: int = 1,
        workspace: BufferAttr | None = None,
        origins: Sequence[str] = (),
    ):
        self._set(
            {
                "node": StringAttr(node),
                "op_type": _string(op_type),
                "inputs": ArrayAttr([_slot(s) for s in inputs]),
                "outputs": ArrayAttr(list(outputs)),
                "attrs": attrs if isinstance(attrs, DictionaryAttr) else to_attr(dict(attrs)),
                "engine": _string(engine),
                "block_dim": _int(block_dim),
                "workspace": workspace,
                "origins": ArrayAttr([StringAttr(o) for o in origins]) if origins else None,
            }
        )

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        properties: dict[str, Attribute] = {"node": StringAttr(parser.parse_str_literal())}
        properties["op_type"] = _parse_name(parser)
        paren = parser.Delimiter.PAREN
        slots = parser.parse_comma_separated_list(paren, lambda: _parse_slot(parser))
        properties["inputs"] = ArrayAttr(slots)
        parser.parse_punctuation("->")
        outputs = parser.parse_comma_separated_list(paren, lambda: parse_buffer(parser))
        properties["outputs"] = ArrayAttr(outputs)
        properties["attrs"] = canonical(DictionaryAttr(parser.parse_optional_attr_dict()))
        parser.parse_keyword("on")
        properties["engine"] = _parse_name(parser)
        parser.parse_keyword("block_dim")
        properties["block_dim"] = _int(parser.parse_integer(allow_boolean=False))
        if parser.parse_optional_keyword("workspace"):
            properties["workspace"] = parse_buffer(parser)
        if parser.parse_optional_keyword("origins"):
            names = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: StringAttr(parser.parse_str_literal())
            )
            properties["origins"] = ArrayAttr(names)
        return properties


@irdl_op_definition
class Memcpy(RtOp):
    """Copies the storage bytes of `source` to `target`; both have the same storage size."""

    name = "rt.memcpy"
    node = prop_def(StringAttr)
    source = prop_def(BufferAttr)
    target = prop_def(BufferAttr)

    def __init__(self, node: str, source: BufferAttr, target: BufferAttr):
        self._set({"node": StringAttr(node), "source": source, "target": target})

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        node = StringAttr(parser.parse_str_literal())
        source = parse_buffer(parser)
        parser.parse_punctuation("->")
        target = parse_buffer(parser)
        return {"node": node, "source": source, "target": target}


@irdl_op_definition
class EventRecord(RtOp):
    """Signals an event when all earlier tasks of this stream are done."""

    name = "rt.event_record"
    event = prop_def(IntegerAttr)

    def __init__(self, event: int):
        self._set({"event": _int(event)})

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        event = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return {"event": _int(event)}


@irdl_op_definition
class EventWait(RtOp):
    """Holds this stream until the event is signalled, then resets it for the next run."""

    name = "rt.event_wait"
    event = prop_def(IntegerAttr)

    def __init__(self, event: int):
        self._set({"event": _int(event)})

    @classmethod
    def read(cls, parser: Parser) -> dict[str, Attribute]:
        event = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return {"event": _int(event)}


RT_OPS: tuple[type[Operation], ...] = (
    Model,
    Input,
    Output,
    Weight,
    Variable,
    Stream,
    Kernel,
    Memcpy,
    EventRecord,
    EventWait,
)
TASK_OPS: tuple[type[Operation], ...] = (Kernel, Memcpy, EventRecord, EventWait)


def _slot(slot: BufferAttr | Sequence[BufferAttr] | None) -> Attribute:
    if slot is None:
        return NONE
    return slot if isinstance(slot, BufferAttr) else ArrayAttr(list(slot))


def _parse_name(parser: Parser) -> StringAttr:
    """An identifier, or a string where a name is none."""
    quoted = parser.parse_optional_str_literal()
    return StringAttr(parser.parse_identifier() if quoted is None else quoted)


def _parse_slot(parser: Parser) -> Attribute:
    if parser.parse_optional_keyword("none"):
        return NONE
    group = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parse_buffer(parser)
    )
    return parse_buffer(parser) if group is None else ArrayAttr(group)


def _parse_dict(parser: Parser) -> DictionaryAttr:
    attr = canonical(DictionaryAttr(parser.parse_optional_attr_dict()))
    assert isinstance(attr, DictionaryAttr)
    return attr


def _parse_body(parser: Parser) -> Region:
    region = parser.parse_region()
    if not region.blocks:
        region.add_block(Block())
    return region
