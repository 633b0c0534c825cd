"""One call of an operator: arguments sorted, constants made, types inferred, the node checked."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NoReturn

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Attribute, Region, SSAValue

from ge_dialect.builder.constants import as_array, constant, tensor_attr
from ge_dialect.builder.failing import caller, diagnostic, fail, nearest
from ge_dialect.builder.scopes import Body, Scope, wrap
from ge_dialect.builder.values import Handle, Node, Ref, Tensor, element_type, is_whole
from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import ge_enum
from ge_dialect.infer import infer_op
from ge_dialect.infer.errors import InferError
from ge_dialect.ir import kinds
from ge_dialect.ir.base import DYNAMIC, REQUIRED, GeOp, OpTable, SlotSpec
from ge_dialect.ir.build import build
from ge_dialect.ir.names import make_location
from ge_dialect.ir.private import raw_file_loc, raw_int, raw_string, set_type
from ge_dialect.ir.types import elem_of, ref_type, tensor_type, tensor_under
from ge_dialect.ir.verify_node import Inference, class_problems, type_problems
from ge_dialect.ops.registry import op_class

if TYPE_CHECKING:
    from ge_dialect.builder.graph import Graph

#: Arguments of every operator.
COMMON = ("name", "after", "results")
#: Operators whose bodies hand on all their inputs.
LOOPS = ("While", "StatelessWhile", "For")
_MISSING: Any = object()


def python_name(name: str) -> str:
    """A name of GE as a Python parameter."""
    return f"{name}_" if iskeyword(name) else name


def result_field(name: str) -> str:
    """A name of a result as a field of a named tuple, which has methods of its own."""
    return f"{name}_" if iskeyword(name) or name in ("count", "index") else name


@cache
def result_class(cls: type[GeOp]) -> Any:
    """The named tuple of an operator of several results."""
    names = [result_field(s.name) for s in cls.ge_table().outputs]
    return namedtuple(f"{cls.name[3:]}Results", names)


def call(op_type: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Make a node. Raises `GeError` at the caller's line; the graph is then as before."""
    return _Call(op_type, args, kwargs).run()


class _Call:
    def __init__(self, op_type: str, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self.op_type = op_type
        self.cls: type[GeOp] = op_class(op_type)
        self.table: OpTable = self.cls.ge_table()
        if getattr(self.cls, "GE_TERMINATOR", False):
            fail("GX-132", f"{op_type} ends a graph by itself", hint="call output(tensor)")
        self.kwargs = dict(kwargs)
        self.name = self.kwargs.pop("name", None)
        after = self.kwargs.pop("after", None)
        self.after = () if after is None else after
        self.types = self.kwargs.pop("results", None)
        self.inputs = self._sorted(args)
        self.functions = {g.name: self._function(g.name, g.dynamic) for g in self.table.graphs}
        self.attrs = self._attributes()
        self.graph = self._graph()
        self.scope: Scope = self.graph.scope
        #: Of bodies: how many results are captured values, and types until inference has been.
        self.hidden = 0
        self.provisional: list[Attribute] | None = None

    # --- arguments ---

    def _sorted(self, args: Sequence[Any]) -> dict[str, Any]:
        """Inputs by name, from positions and keywords; those not given are left out."""
        slots = self.table.inputs
        if self.table.solo and (len(args) > 1 or (args and not isinstance(args[0], list | tuple))):
            args = [list(args)]  # the only input is a list
        if len(args) > len(slots):
            self._fail(
                "GX-106",
                f"{self.op_type} takes {len(slots)} inputs",
                found=f"{len(args)} positional arguments",
                hint="attributes are given by name",
            )
        found = {s.name: a for s, a in zip(slots, args, strict=False) if a is not None}
        for slot in slots:
            value = self.kwargs.pop(slot.name, self.kwargs.pop(python_name(slot.name), None))
            if value is not None:
                if slot.name in found:
                    self._fail("GX-106", f"{self.op_type}: input {slot.name!r} is given twice")
                found[slot.name] = value
        return found

    def _function(self, name: str, dynamic: bool) -> Any:
        made = self.kwargs.pop(name, None)
        if made is None:
            self._fail(
                "GX-106",
                f"{self.op_type} needs the sub-graph {name!r}",
                expected="functions of its inputs" if dynamic else "a function of its inputs",
            )
        return made

    def _attributes(self) -> dict[str, Any]:
        attrs: dict[str, Any] = {}
        for name in list(self.kwargs):
            plain = name[:-1] if name.endswith("_") and name[:-1] in self.table.attrs else name
            if plain not in self.table.attrs:
                known = [s.name for s in self.table.inputs] + list(self.table.attrs)
                self._fail(
                    "GX-104",
                    f"{self.op_type} has neither input nor attribute {name!r}",
                    hint=nearest(name, known),
                )
            attrs[plain] = self._named_types(plain, self.kwargs[name])
        self._count(attrs)
        missing = [
            s.name
            for s in self.table.inputs
            if s.kind == REQUIRED and self.inputs.get(s.name) is None
        ]
        if missing:
            self._fail("GX-106", f"{self.op_type} needs the input {missing[0]!r}")
        for name, spec in self.table.attrs.items():
            if spec.required and attrs.get(name) is None:
                self._fail(
                    "GX-104",
                    f"{self.op_type} needs the attribute {name!r}",
                    expected=spec.kind.name,
                )
        return attrs

    def _named_types(self, name: str, value: Any) -> Any:
        """An attribute that says a dtype, from whatever names one."""
        kind = self.table.attrs[name].kind
        if value is None:
            return None
        if kind is kinds.TYPE:
            return element_type(value)
        if kind is kinds.TYPES and isinstance(value, list | tuple):
            return [element_type(v) for v in value]
        if name == "dst_type" and kind is kinds.INT and not is_whole(value):
            return ge_enum(element_type(value))
        return value

    def _count(self, attrs: dict[str, Any]) -> None:
        """The attribute N says how long the dynamic input is."""
        if "N" in self.table.attrs and attrs.get("N") is None:
            lists = [s.name for s in self.table.inputs if s.kind == DYNAMIC]
            if len(lists) == 1 and isinstance(self.inputs.get(lists[0]), list | tuple):
                attrs["N"] = len(self.inputs[lists[0]])

    def _graph(self) -> Graph:
        from ge_dialect.builder.graph import current_graph

        for value in self.inputs.values():
            for item in value if isinstance(value, list | tuple) else (value,):
                if isinstance(item, Handle):
                    return item.graph
        for item in self.after if isinstance(self.after, list | tuple) else (self.after,):
            if isinstance(item, Handle):
                return item.graph
        graph = current_graph()
        if graph is None:
            self._fail(
                "GX-132",
                f"no input of {self.op_type} is a tensor, so it is not known which graph is meant",
                hint="write it inside `with graph:`",
            )
        return graph

    def _fail(self, code: str, message: str, **fields: Any) -> NoReturn:
        fail(code, message, node=self.name if isinstance(self.name, str) else None, **fields)

    # --- values ---

    def _bound(self) -> dict[str, Attribute]:
        """Element types that tensors give to the inputs declared like theirs."""
        bound: dict[str, Attribute] = {}
        for slot in self.table.inputs:
            value = self.inputs.get(slot.name)
            for item in value if isinstance(value, list | tuple) else (value,):
                if isinstance(item, Tensor | Ref):
                    bound.setdefault(
                        slot.dtypes, elem_of(tensor_under(item.ssa.type) or item.ssa.type)
                    )
        return bound

    def _value(
        self, slot: SlotSpec, value: Any, bound: Mapping[str, Attribute], node: str
    ) -> SSAValue:
        if isinstance(value, Tensor | Ref):
            return self.scope.value(value)
        if isinstance(value, Handle) or (isinstance(value, tuple) and hasattr(value, "_fields")):
            hint = None
            if isinstance(value, tuple):
                hint = f"choose one: {', '.join(getattr(value, '_fields', ()))}"
            self._fail(
                "GX-106",
                f"input {slot.name!r} of {self.op_type} is one tensor",
                found=type(value).__name__,
                hint=hint,
            )
        if slot.is_ref:
            self._fail("GX-106", f"input {slot.name!r} of {self.op_type} is a variable")
        spec = self.table.types.get(slot.dtypes, slot.dtypes)
        elem = bound.get(slot.dtypes)
        return constant(self.scope, value, elem, f"{node}_{slot.name}", allowed=spec)

    def _operands(self, node: str) -> dict[str, Any]:
        bound = self._bound()
        found: dict[str, Any] = {}
        for slot in self.table.inputs:
            value = self.inputs.get(slot.name)
            if value is None:
                continue
            if slot.kind == DYNAMIC:
                items = value if isinstance(value, list | tuple) else [value]
                found[slot.name] = [self._value(slot, v, bound, node) for v in items]
            else:
                found[slot.name] = self._value(slot, value, bound, node)
        return found

    # --- the node ---

    def run(self) -> Any:
        """Make the node; what was put before it is taken away where that fails."""
        self.graph.need_open()
        self.scope.fresh.clear()
        block, last = self.scope.block, self.scope.block.last_op
        try:
            op = self._made()
        except BaseException:  # also what the function of a sub-graph raises
            while block.last_op is not None and block.last_op is not last:
                made = block.last_op
                made.detach()
                made.erase()
            for name in self.scope.fresh:
                self.scope.taken.discard(name)
            raise
        return self._wrapped(op)

    def _made(self) -> GeOp:
        node = self.scope.name(self.name, self.op_type)
        operands = self._operands(node)
        attrs, types = self._tensors(node)
        regions = self._bodies(operands) if self.table.graphs else ()
        if self.table.graphs:
            types = self.provisional
        if types is None and self.types is not None:
            if not isinstance(self.types, list | tuple):
                expected = '[(shape, "float32"), …]'
                found = f"{self.types!r:.60}"
                self._fail("GX-106", "results is a list of types", found=found, expected=expected)
            types = [_declared(t) for t in self.types]
        if types is None and self.table.outputs and not infers(self.cls):
            self._fail(
                "GX-228",
                f"the types of the results of {self.op_type} do not follow from its inputs",
                hint='say results=[(shape, "float32"), …]',
            )
        control = self.scope.waited(self.after)
        op: GeOp = self._explained(
            node,
            lambda: build(
                self.op_type,
                operands,
                attrs,
                result_types=types,
                control=control,
                name=node,
                regions=regions,
            ),
        )
        try:
            self._settle(op, node)
        except BaseException:
            op.drop_all_references()  # it must not count as a reader of its inputs
            raise
        self.scope.block.add_op(op)
        return op

    def _settle(self, op: GeOp, node: str) -> None:
        """Types of results that follow from sub-graphs, the place, and the checks of one node."""
        if self.table.graphs:
            inferred = self._explained(node, lambda: infer_op(op))
            for result, type_ in zip(op.ge_data_results, inferred, strict=True):
                set_type(result, type_)
        file, line = caller()
        place: FileLineColLoc = raw_file_loc(raw_string(file), raw_int(line), raw_int(1))
        op.location = make_location(node, (), place)
        problems = [*type_problems(op), *class_problems(op)]
        if not problems and self.types is not None and infers(self.cls):
            problems = Inference(op).problems
        if problems:
            raise GeError(
                [
                    diagnostic(
                        p.code,
                        p.message,
                        node=node,
                        found=p.found,
                        expected=p.expected,
                        hint=p.hint,
                    )
                    for p in problems
                ]
            )

    def _explained(self, node: str, make: Callable[[], Any]) -> Any:
        """`make()`; what building and inference refuse is a diagnostic at the caller's line."""
        try:
            return make()
        except InferError as error:
            code = getattr(error, "code", "GX-221")
            self._fail_at(node, code, error.message, found=error.found, expected=error.expected)
        except (ValueError, TypeError, KeyError) as error:
            text = str(error.args[0] if error.args else error).removeprefix(f"ge.{self.op_type}: ")
            self._fail_at(node, "GX-108", f"{self.op_type}: {text}")

    def _fail_at(self, node: str, code: str, message: str, **fields: Any) -> NoReturn:
        text = message if self.op_type in message else f"{self.op_type}: {message}"
        fail(code, text, node=node, **fields)

    def _tensors(self, node: str) -> tuple[dict[str, Any], list[Attribute] | None]:
        """Attributes with arrays as tensors, and the result types that those decide."""
        attrs = dict(self.attrs)
        types: list[Attribute] | None = None
        for name, value in attrs.items():
            if self.table.attrs[name].kind is not kinds.TENSOR or isinstance(value, Attribute):
                continue
            array, elem = as_array(value, None)
            attrs[name] = tensor_attr(self.scope, array, elem, node)
            if self.op_type in ("Const", "Constant", "Variable"):
                made = tensor_type(array.shape, elem)
                types = [ref_type(made) if self.op_type == "Variable" else made]
        return attrs, types

    def _bodies(self, operands: dict[str, Any]) -> list[Region]:
        """The sub-graphs, all with the same captured values as last inputs."""
        given = [v for slot in self.table.inputs for v in _listed(operands.get(slot.name))]
        kinds_ = [v.type for v in given]
        functions: list[tuple[str, Callable[..., Any]]] = []
        for name, fn in self.functions.items():
            many = fn if isinstance(fn, list | tuple) else [fn]
            if not many:
                self._fail("GX-106", f"{self.op_type} needs one of its {name} at least")
            functions += [(name, f) for f in many]
        bodies = [
            Body(self.scope, self.cls.ge_body_types(kinds_, i), fn, f"{self.op_type}'s {name}")
            for i, (name, fn) in enumerate(functions)
        ]
        captured = list(dict.fromkeys(v for b in bodies for v in b.scope.captured))
        last = next(s.name for s in reversed(self.table.inputs) if s.kind == DYNAMIC)
        operands[last] = [*operands.get(last, ()), *captured]
        for (name, _), body in zip(functions, bodies, strict=True):
            body.finish(captured, self.op_type in LOOPS and name == "body")
        self.hidden = len(captured) if self.op_type in LOOPS else 0
        ends = bodies[-1].block.last_op
        assert isinstance(ends, GeOp)
        self.provisional = [v.type for v in ends.ge_data_operands]
        return [Region(b.block) for b in bodies]

    def _wrapped(self, op: GeOp) -> Any:
        if not self.table.outputs:
            return Node(self.graph, op)
        groups = [tuple(wrap(self.graph, r) for r in g) for g in op.ge_result_groups()]
        if self.hidden:
            groups[-1] = groups[-1][: len(groups[-1]) - self.hidden]
        fields = [
            g if s.kind == DYNAMIC else (g[0] if g else None)
            for s, g in zip(self.table.outputs, groups, strict=True)
        ]
        if len(fields) > 1:
            return result_class(self.cls)(*fields)
        return fields[0]


def _listed(value: Any) -> list[SSAValue]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def infers(cls: type[GeOp]) -> bool:
    """Whether result types follow from the inputs by a rule of the operator."""
    own = getattr(cls.ge_infer, "__func__", None)
    return own is not GeOp.ge_infer.__func__


def _declared(given: Any) -> Attribute:
    """A result type from (shape, dtype) or from a tensor it is like."""
    if isinstance(given, Tensor):
        return given.ssa.type
    if isinstance(given, tuple | list) and len(given) == 2:
        shape, dtype = given
        dims = None if shape is None else [-1 if d is None else int(d) for d in shape]
        return tensor_type(dims, element_type(dtype))
    fail("GX-106", f"{given!r} is no type of a result", expected='(shape, "float32") or a tensor')


__all__ = ["COMMON", "call", "python_name", "result_class", "result_field"]
