"""Random nodes of every operator class, for tests of the text form."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ge_dialect import dtypes
from ge_dialect.ir import kinds
from ge_dialect.ir.attributes import CtrlType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import control_of, segments_attr
from ge_dialect.ir.dense import make_dense
from ge_dialect.ir.graph import GraphOp, new_graph
from ge_dialect.ir.names import make_location
from ge_dialect.ir.private import set_name_hint
from ge_dialect.ir.types import layout, ref_type, tensor_type
from ge_dialect.ops.registry import op_class, op_names


class NodeMaker:
    """Nodes with random optional, dynamic and control arguments and random attributes."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.count = 0

    def tensor(self, elem: Attribute) -> Attribute:
        rng = self.rng
        if rng.random() < 0.1:
            return tensor_type(None, elem)
        shape = [rng.choice([-1, 1, 2, 7, 64]) for _ in range(rng.randrange(5))]
        lay = layout("NC1HWC0", groups=rng.choice([1, 2])) if rng.random() < 0.3 else None
        return tensor_type(shape, elem, lay)

    def elem(self, spec: str, table, bound: dict[str, Attribute]) -> Attribute:
        if spec in bound:
            return bound[spec]
        allowed = sorted(dtypes.expand_spec(table.types.get(spec, spec)), key=str)
        found = self.rng.choice(allowed)
        if spec in table.types:
            bound[spec] = found
        return found

    def slot_type(self, slot, table, bound: dict[str, Attribute]) -> Attribute:
        found = self.tensor(self.elem(slot.dtypes, table, bound))
        if slot.is_ref or (slot.is_any and self.rng.random() < 0.2):
            return ref_type(found)
        return found

    def value(self, kind: kinds.Kind) -> Attribute:
        rng = self.rng
        number = lambda: rng.choice([0, 1, -1, 7, 2**40, -(2**63)])  # noqa: E731
        real = lambda: rng.choice([0.0, -0.0, 0.1, 1e-5, 1e30, 16777216.0, -2.5])  # noqa: E731
        word = lambda: rng.choice(["", "NCHW", 'q"uo\\te', "tab\tnl\n", "{[(%x)]}", "ü→"])  # noqa: E731
        elem = lambda: rng.choice(["float16", "int8", "bool", "string"])  # noqa: E731
        many = lambda make: [make() for _ in range(rng.randrange(4))]  # noqa: E731
        if kind is kinds.ANY:
            return StringAttr(word())
        if kind is kinds.TENSOR:
            data = rng.choice([b"\0\x3c\0\x7c", b"\0\x3c\0\x80"])
            return make_dense(tensor_type([2], dtypes.to_xdsl("float16")), data)
        make = {
            "Int": number,
            "Bool": lambda: rng.random() < 0.5,
            "Float": real,
            "String": word,
            "ListInt": lambda: many(number),
            "ListFloat": lambda: many(real),
            "ListBool": lambda: many(lambda: rng.random() < 0.5),
            "ListString": lambda: many(word),
            "ListListInt": lambda: many(lambda: many(number)),
            "Type": elem,
            "ListType": lambda: many(elem),
        }[kind.name]
        return kind.to_attr(make())

    def operand(self, block: Block, type_: Attribute) -> SSAValue:
        return block.insert_arg(type_, len(block.args))

    def node(self, op_type: str, block: Block, before: list[Operation]) -> GeOp:
        rng = self.rng
        cls = op_class(op_type)
        table = cls.ge_table()
        bound: dict[str, Attribute] = {}
        operands: list[SSAValue] = []
        sizes: list[int] = []
        for slot in table.inputs:
            n = 1 if slot.kind == 0 else rng.randrange(2) if slot.kind == 2 else rng.randrange(4)
            operands += [self.operand(block, self.slot_type(slot, table, bound)) for _ in range(n)]
            sizes.append(n)
        waits = rng.sample(before, min(len(before), rng.choice([0, 0, 1, 2])))
        controls = [control_of(o) for o in waits]
        props: dict[str, Attribute] = {}
        for name, spec in table.attrs.items():
            if spec.required or rng.random() < 0.4:
                props[name] = self.value(spec.kind)
        if not table.fixed:
            props["operandSegmentSizes"] = segments_attr((*sizes, len(controls)))
        types: list[Attribute] = []
        out_sizes: list[int] = []
        for slot in table.outputs:
            n = 1 if slot.kind == 0 else rng.randrange(2) if slot.kind == 2 else rng.randrange(4)
            types += [self.slot_type(slot, table, bound) for _ in range(n)]
            out_sizes.append(n)
        if table.sized_results:
            props["resultSegmentSizes"] = segments_attr((*out_sizes, 0))
        attrs: dict[str, Attribute] = {}
        if rng.random() < 0.4:
            attrs["ge.engine"] = StringAttr("AIcoreEngine")
        if rng.random() < 0.2:
            attrs["ge.flag"] = UnitAttr()
            attrs["other.x"] = kinds.int_to_attr(5)
        regions = []
        given = [v.type for v in operands]
        for graph in table.graphs:
            for _ in range(rng.randrange(3) if graph.dynamic else 1):
                regions.append(self.body(cls.ge_body_types(given, len(regions))))
        self.count += 1
        location = None
        if rng.random() < 0.5:
            origins = rng.choice([(), ("a/b",), ("a", "b")])
            location = make_location(f"net/{op_type}_{self.count}", origins)
        op = cls.create(
            operands=[*operands, *controls],
            result_types=types,
            properties=props,
            attributes=attrs,
            regions=regions,
            location=location,
        )
        for i, r in enumerate(op.results):
            if rng.random() < 0.7:
                set_name_hint(r, f"{op_type.lower()}{self.count}" + (f"_{i}" if i else ""))
        return op

    def body(self, types: Iterable[Attribute]) -> Region:
        block = Block(arg_types=list(types))
        for i, arg in enumerate(block.args):
            if self.rng.random() < 0.7:
                set_name_hint(arg, f"in{i}")
        block.add_op(self.net_output([a for a in block.args if self.rng.random() < 0.5]))
        return Region(block)

    def net_output(self, values: list[SSAValue]) -> Operation:
        return op_class("NetOutput").create(
            operands=values,
            properties={"operandSegmentSizes": segments_attr((len(values), 0))},
        )

    def graph(self, name: str, op_types: Iterable[str]) -> GraphOp:
        graph = new_graph(name, [])
        block = graph.body
        before: list[Operation] = []
        for op_type in op_types:
            if op_type == "NetOutput":
                continue
            op = self.node(op_type, block, before[-8:])
            block.add_op(op)
            before.append(op)
        for i, arg in enumerate(block.args):
            if self.rng.random() < 0.5:
                set_name_hint(arg, f"arg{i}")
        outputs = [r for op in before[-3:] for r in op.results if not isinstance(r.type, CtrlType)]
        block.add_op(self.net_output(outputs))
        if self.rng.random() < 0.5 and block.args:
            graph.set_arg_attributes(0, {"ge.shape_range": StringAttr("1~8")})
        return graph


@pytest.fixture(scope="session")
def library_module() -> Callable[[int], ModuleOp]:
    """Makes a module with a random node of every operator type, in graphs of forty."""

    def make(seed: int) -> ModuleOp:
        maker = NodeMaker(seed)
        names = op_names()
        maker.rng.shuffle(names)
        graphs = [maker.graph(f"g{i}", names[i : i + 40]) for i in range(0, len(names), 40)]
        return ModuleOp(graphs)

    return make
