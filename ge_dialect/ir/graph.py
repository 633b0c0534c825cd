"""`ge.graph`: the top-level graph, and walking over graphs and their bodies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, region_def
from xdsl.irdl import traits_def as _traits
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface

from ge_dialect.ir.private import nodes_of, set_name_hint

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

#: Attribute of an argument: names of its open dims, "" where one has none.
SYMBOLS = "ge.symbols"
_EMPTY = DictionaryAttr({})


@irdl_op_definition
class GraphOp(IRDLOperation):
    """`ge.graph @net(%x: tensor<4xf32>) { … ge.NetOutput(%y) }`: one graph.

    Its inputs are the block's arguments; `arg_attrs` holds one dictionary per argument
    (`ge.name`, `ge.shape_range`, `ge.symbols`), left out where all are empty.
    """

    name = "ge.graph"

    sym_name = prop_def(StringAttr)
    arg_attrs = opt_prop_def(ArrayAttr)
    region = region_def("single_block")
    traits = _traits(IsolatedFromAbove(), SymbolOpInterface())

    @property
    def body(self) -> Block:
        """The only block."""
        return self.region.block

    @property
    def args(self) -> Sequence[BlockArgument]:
        """The graph's inputs."""
        return self.region.block.args

    @property
    def net_output(self) -> Operation | None:
        """The terminating `ge.NetOutput`, None in a half-built graph."""
        last = self.region.block.last_op
        return last if last is not None and last.name == "ge.NetOutput" else None

    def arg_attributes(self, index: int) -> dict[str, Attribute]:
        """Attributes of one argument as a plain dictionary (a copy)."""
        if self.arg_attrs is None or index >= len(self.arg_attrs.data):
            return {}
        entry = self.arg_attrs.data[index]
        return dict(entry.data) if isinstance(entry, DictionaryAttr) else {}

    def set_arg_attributes(self, index: int, values: Mapping[str, Attribute]) -> None:
        """Replace the attributes of one argument; for many there is `set_all_arg_attributes`,
        since this writes those of the others again.
        """
        held = self.all_arg_attributes()
        held[index] = dict(values)
        self.set_all_arg_attributes(held)

    def all_arg_attributes(self) -> list[dict[str, Attribute]]:
        """Attributes of each argument (copies)."""
        return [self.arg_attributes(i) for i in range(len(self.args))]

    def set_all_arg_attributes(self, values: Sequence[Mapping[str, Attribute]]) -> None:
        """Replace the attributes of all arguments; `values` has an entry for each."""
        if len(values) != len(self.args):
            raise ValueError(f"{len(self.args)} arguments, attributes of {len(values)}")
        if any(values):
            self.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(dict(d)) for d in values])
        else:
            self.properties.pop("arg_attrs", None)

    def arg_names(self) -> list[str]:
        """Names of the inputs: `ge.name` where given, else the SSA name, else `arg<i>`."""
        out: list[str] = []
        for i, arg in enumerate(self.args):
            given = self.arg_attributes(i).get("ge.name")
            if isinstance(given, StringAttr):
                out.append(given.data)
            else:
                out.append(arg.name_hint or f"arg{i}")
        return out

    @classmethod
    def parse(cls, parser: Parser) -> GraphOp:
        from ge_dialect.ir.stock_graph import parse_graph

        return parse_graph(cls, parser)

    def print(self, printer: Printer) -> None:
        from ge_dialect.ir.op_text import print_graph

        print_graph(self, printer)


def new_graph(
    name: str, arg_types: Sequence[Attribute], arg_names: Sequence[str | None] = ()
) -> GraphOp:
    """An empty graph (no NetOutput yet) with the given inputs.

    `arg_names` become SSA names where legal and free; a name that its argument cannot have as its
    SSA name is kept as `ge.name`. A name given again is left out, as names of inputs differ.
    """
    from ge_dialect.ir.names import hint_from_name

    block = Block(arg_types=arg_types)
    op = GraphOp.create(properties={"sym_name": StringAttr(name)}, regions=[Region(block)])
    taken: set[str] = set()
    attributes: list[dict[str, Attribute]] = [{} for _ in block.args]
    names: set[str] = set()
    for i, given in enumerate(arg_names):
        if given is None or given in names:
            continue
        names.add(given)
        hint = hint_from_name(given)
        if hint is not None and hint not in taken:
            taken.add(hint)
            set_name_hint(block.args[i], hint)
        if block.args[i].name_hint != given:
            attributes[i]["ge.name"] = StringAttr(given)
    op.set_all_arg_attributes(attributes)
    return op


def module_graphs(module: Operation) -> list[GraphOp]:
    """The graphs of a module, in order."""
    if isinstance(module, GraphOp):
        return [module]
    assert isinstance(module, ModuleOp)
    return [op for op in module.body.block.ops if isinstance(op, GraphOp)]


def walk_graphs(root: Operation) -> Iterator[Block]:
    """Every graph block under `root` (a module, a graph, or a node), outer before inner."""
    stack: list[Block] = [b for r in reversed(root.regions) for b in reversed(list(r.blocks))]
    while stack:
        block = stack.pop()
        inner = [b for op in nodes_of(block) if op.regions for r in op.regions for b in r.blocks]
        stack.extend(reversed(inner))
        parent = block.parent_op()
        if parent is None or not isinstance(parent, ModuleOp):
            yield block


def find_ops(root: Operation, names: Collection[str]) -> list[Operation]:
    """All nodes under `root` with one of these operation names, in one walk, outer first."""
    found: list[Operation] = []
    stack: list[Block] = [b for r in reversed(root.regions) for b in reversed(list(r.blocks))]
    while stack:
        inner: list[Block] = []
        for op in nodes_of(stack.pop()):
            if op.name in names:
                found.append(op)
            if op.regions:
                inner += [b for r in op.regions for b in r.blocks]
        stack += reversed(inner)
    return found


def is_flagged(op: Operation, name: str) -> bool:
    """True where a unit or true attribute of that name is set."""
    value = op.attributes.get(name)
    return isinstance(value, UnitAttr) or (value is not None and str(value) == "true")
