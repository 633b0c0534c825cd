"""A graph under construction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block

from ge_dialect.builder.constants import constant, converted
from ge_dialect.builder.failing import fail
from ge_dialect.builder.scopes import Scope, wrap
from ge_dialect.builder.values import DTypeLike, Ref, Tensor, Value, element_type, is_whole
from ge_dialect.ir import build as _build
from ge_dialect.ir.graph import SYMBOLS, new_graph
from ge_dialect.ir.names import hint_from_name
from ge_dialect.ir.outputs import OUTPUT_NAMES, output_names
from ge_dialect.ir.private import append_argument, name_hint, set_name_hint
from ge_dialect.ir.types import ref_type, tensor_type
from ge_dialect.weights.store import WeightStore

if TYPE_CHECKING:
    from ge_dialect.api import Model

#: A size: known, unknown (None or -1), or unknown with a name.
Dim = int | str | None

_current: list[Graph] = []


def current_graph() -> Graph | None:
    """The graph of the innermost `with graph:`."""
    return _current[-1] if _current else None


def _text(name: Any, what: str) -> str:
    if not isinstance(name, str) or not name:
        fail("GX-108", f"{what} is a text", found=repr(name))
    return name


def _dims(shape: Any) -> list[int | str | None]:
    """The dims of a shape; those of numpy become Python's."""
    dims: list[Any] | None
    try:
        dims = None if isinstance(shape, str) else list(shape)
    except TypeError:
        dims = None
    if dims is None:
        fail(
            "GX-108", "a shape is a sequence of dims", found=f"{shape!r:.60}", expected="(2, None)"
        )
    out: list[int | str | None] = []
    for dim in dims:
        if dim is None or (isinstance(dim, str) and dim):
            out.append(dim)
        elif is_whole(dim) and int(dim) >= -1:
            out.append(int(dim))
        else:
            expected = "a size, None (unknown) or a name"
            fail("GX-108", "a shape has an impossible dim", found=f"{dim!r:.60}", expected=expected)
    return out


class Graph:
    """A graph that grows with every operator called on its tensors.

    `with graph:` says which graph is meant where no argument is a tensor. `module()` ends it.
    """

    def __init__(self, name: str = "graph") -> None:
        self.name = _text(name, "a graph's name")
        self.weights = WeightStore()
        self._op = new_graph(name, [])
        self._scopes = [Scope(self, self._op.body)]
        self._inputs: set[str] = set()
        #: SSA names of the inputs, and their attributes, which the graph gets at the end.
        self._hints: set[str] = set()
        self._attributes: list[dict[str, Attribute]] = []
        self._outputs: list[tuple[Tensor | Ref, str | None]] = []
        self._module: ModuleOp | None = None

    def __enter__(self) -> Graph:
        _current.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _current.remove(self)

    def __repr__(self) -> str:
        return f"<graph {self.name!r}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            """Operators are no methods of a graph: say where they are."""
            from ge_dialect.builder.failing import nearest
            from ge_dialect.builder.foreign import written_here

            own = [n for n in dir(type(self)) if not n.startswith("_")]
            told = None if name.startswith("_") else written_here(name)
            hint = f"here it is {told}" if told else nearest(name, own)
            raise AttributeError(f"a graph has no {name!r}" + (f"; {hint}" if hint else ""))

    # --- where nodes go ---

    @property
    def scope(self) -> Scope:
        """The block that nodes go to now."""
        return self._scopes[-1]

    def enter(self, scope: Scope) -> None:
        """Begin a sub-graph."""
        self._scopes.append(scope)
        _current.append(self)

    def leave(self, scope: Scope) -> None:
        """End a sub-graph."""
        assert self._scopes[-1] is scope
        self._scopes.pop()
        _current.pop()

    def need_open(self) -> None:
        """Refuse to change a graph that has become a module."""
        if self._module is not None:
            fail("GX-132", f"graph {self.name!r} is finished", hint="module() and model() end it")

    # --- ends ---

    def input(self, name: str, shape: Sequence[Dim] | None, dtype: DTypeLike = "float32") -> Tensor:
        """An input. shape: None where even the rank is unknown; a dim is a size, None (unknown) or
        a name (unknown, and equal to the others of that name).
        """
        sizes = None if shape is None else _dims(shape)
        dims = None if sizes is None else [d if isinstance(d, int) else -1 for d in sizes]
        tensor = self._input(name, tensor_type(dims, element_type(dtype)))
        symbols = [d if isinstance(d, str) else "" for d in sizes or ()]
        if any(symbols):
            self._attributes[-1][SYMBOLS] = ArrayAttr([StringAttr(s) for s in symbols])
        assert isinstance(tensor, Tensor)
        return tensor

    def ref_input(self, name: str, shape: Sequence[Dim], dtype: DTypeLike = "float32") -> Ref:
        """An input that the graph may write to."""
        dims = [d if isinstance(d, int) else -1 for d in _dims(shape)]
        made = self._input(name, ref_type(tensor_type(dims, element_type(dtype))))
        assert isinstance(made, Ref)
        return made

    def _input(self, name: str, type_: Any) -> Tensor | Ref:
        self.need_open()
        _text(name, "an input's name")
        if len(self._scopes) > 1:
            fail("GX-132", "a sub-graph takes its inputs as arguments of its function", node=name)
        if name in self._inputs:
            fail("GX-133", f"the graph has an input {name!r} already")
        self._inputs.add(name)
        block: Block = self._op.body
        arg = append_argument(block, type_)
        hint = hint_from_name(name)
        if hint is not None and hint not in self._hints:
            self._hints.add(hint)
            set_name_hint(arg, hint)
        self._attributes.append({} if name_hint(arg) == name else {"ge.name": StringAttr(name)})
        return wrap(self, arg)

    def const(
        self, value: Value, dtype: DTypeLike | None = None, *, name: str | None = None
    ) -> Tensor:
        """A constant; beyond 64 elements its bytes are a weight. dtype: converts it."""
        self.need_open()
        elem = None if dtype is None else element_type(dtype)
        if elem is not None:
            value = converted(value, elem)
        made = wrap(self, constant(self.scope, value, elem, "Const", name=name))
        assert isinstance(made, Tensor)
        return made

    def variable(
        self,
        name: str,
        value: Value | None = None,
        *,
        shape: Sequence[int] | None = None,
        dtype: DTypeLike = "float32",
    ) -> Ref:
        """A variable with a first value, or with just a shape."""
        from ge_dialect.builder.calls import call

        with self:
            if value is not None:
                return call("Variable", (), {"value": value, "name": name})
            if shape is None:
                fail("GX-106", "a variable needs a value or a shape", node=name)
            sizes = [d if isinstance(d, int) else -1 for d in _dims(shape)]
            held = ref_type(tensor_type(sizes, element_type(dtype)))
            op = _build.build(
                "Variable", [], {}, result_types=[held], name=self.scope.name(name, "")
            )
            self.scope.block.add_op(op)
            made = wrap(self, op.results[0])
            assert isinstance(made, Ref)
            return made

    def output(self, *values: Tensor | Ref, name: str | None = None) -> None:
        """Outputs, in order; may be called several times. name: of a single one."""
        self.need_open()
        if len(self._scopes) > 1:
            fail("GX-132", "a sub-graph returns its outputs from its function")
        if name is not None and len(values) != 1:
            fail("GX-106", "a name is of one output", found=f"{len(values)} values")
        for value in values:
            if not isinstance(value, Tensor | Ref):
                hint = "give its fields one by one" if isinstance(value, tuple) else None
                fail("GX-106", f"an output is a tensor, not {type(value).__name__}", hint=hint)
            self.scope.value(value)
            self._outputs.append((value, name))

    # --- the result ---

    def module(self) -> ModuleOp:
        """The module; the graph takes no more nodes. Raises `GeError` where it does not verify."""
        if self._module is None:
            self._module = self._finished()
        return self._module

    def model(self) -> Model:
        """The module with its weights, as `load` gives it."""
        from ge_dialect.api import Model as ModelClass

        return ModelClass(self.module(), self.weights)

    def _finished(self) -> ModuleOp:
        from ge_dialect.builder.ordering import order_effects
        from ge_dialect.ir.verifier import verify_or_raise

        if not self._outputs:
            fail("GX-132", f"graph {self.name!r} has no output", hint="call output(tensor)")
        self._op.set_all_arg_attributes(self._attributes)
        scope = self._scopes[0]
        values = [scope.value(v) for v, _ in self._outputs]
        end = _build.build("NetOutput", [values], name=scope.name(None, "NetOutput"))
        self._op.body.add_op(end)
        names = [n for _, n in self._outputs]
        if any(names):
            given = [n or d for n, d in zip(names, output_names(self._op), strict=True)]
            self._op.attributes[OUTPUT_NAMES] = ArrayAttr([StringAttr(n) for n in given])
        order_effects(self._op)
        made = ModuleOp([self._op])
        verify_or_raise(made)
        return made
