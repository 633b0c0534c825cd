"""What the builder hands out: tensors, refs and nodes, with Python's operators."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, Union

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ge_dialect.builder.failing import fail
from ge_dialect.dtypes import ge_enum, ge_name
from ge_dialect.ir.types import elem_of, shape_of, tensor_under

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ge_dialect.builder.graph import Graph

#: What stands for a tensor: one, or what becomes a constant.
Value: TypeAlias = Union[
    "Tensor", "npt.NDArray[Any]", "np.generic", bool, int, float, complex, Sequence[Any]
]
#: What names an element type: GE's name, MLIR's ("f16"), a dtype of numpy or ml_dtypes.
DTypeLike: TypeAlias = Union[str, "npt.DTypeLike", Attribute]
#: What a node may wait for.
After: TypeAlias = Union["Handle", Sequence["Handle"]]


class Handle:
    """Something of a graph that a node can wait for."""

    __slots__ = ("graph", "op")

    def __init__(self, graph: Graph, op: Operation | None) -> None:
        self.graph = graph
        self.op = op

    @property
    def name(self) -> str:
        """Name of the node."""
        from ge_dialect.ir.names import node_name

        return (node_name(self.op) if self.op is not None else None) or ""


class Node(Handle):
    """A node without results (NoOp, Print …)."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<node {self.name!r}>"


class _Valued(Handle):
    __slots__ = ("ssa",)

    def __init__(self, graph: Graph, ssa: SSAValue) -> None:
        super().__init__(graph, ssa.op if isinstance(ssa, OpResult) else None)
        self.ssa = ssa

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Shape, -1 for unknown dims; None for unknown rank."""
        return shape_of(tensor_under(self.ssa.type) or self.ssa.type)

    @property
    def dtype(self) -> str:
        """GE's name of the element type ("float16")."""
        return ge_name(elem_of(tensor_under(self.ssa.type) or self.ssa.type))

    @property
    def name(self) -> str:
        """Name of the node, or of the input."""
        return super().name or self.ssa.name_hint or ""

    def _described(self) -> str:
        shape = self.shape
        dims = "*" if shape is None else "x".join("?" if d < 0 else str(d) for d in shape)
        return f"{self.name!r} {self.dtype}[{dims}]"


class Ref(_Valued):
    """A variable of a graph: read it, or write it. Reads and writes stay in program order."""

    __slots__ = ()

    def read(self, *, name: str | None = None) -> Tensor:
        """Its value now."""
        return _call("Read", self, name=name)

    def assign(self, value: Value, *, name: str | None = None) -> Ref:
        """Write it."""
        return _call("Assign", self, value, name=name)

    def assign_add(self, value: Value, *, name: str | None = None) -> Ref:
        """Add to it."""
        return _call("AssignAdd", self, value, name=name)

    def __repr__(self) -> str:
        return f"<ref {self._described()}>"


class Tensor(_Valued):
    """A value of a graph. Operators make nodes: + - * / // % ** @ < <= > >= & | ^ ~ and [].

    == and != compare the handles, so that tensors can be keys; ge.Equal compares values.
    """

    __slots__ = ()
    #: numpy leaves `array + tensor` to us.
    __array_ufunc__ = None

    @property
    def rank(self) -> int | None:
        """Number of dims, None where unknown."""
        shape = self.shape
        return None if shape is None else len(shape)

    def cast(self, dtype: DTypeLike, *, name: str | None = None) -> Tensor:
        """As another element type; itself where it has that type."""
        elem = element_type(dtype)
        if ge_name(elem) == self.dtype:
            return self
        return _call("Cast", self, dst_type=ge_enum(elem), name=name)

    def reshape(self, *shape: int | Sequence[int], name: str | None = None) -> Tensor:
        """In another shape; one dim may be -1."""
        dims = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return _call("Reshape", self, dims, name=name)

    def transpose(self, *perm: int | Sequence[int], name: str | None = None) -> Tensor:
        """With its axes in another order, by default reversed."""
        order = perm[0] if len(perm) == 1 and not isinstance(perm[0], int) else perm
        if not order:
            order = list(reversed(range(self._rank())))
        return _call("TransposeD", self, perm=order, name=name)

    def _rank(self) -> int:
        rank = self.rank
        if rank is None:
            fail("GX-106", "the rank of the tensor must be known", node=self.name)
        return rank

    # --- arithmetic ---

    def __add__(self, other: Value) -> Tensor:
        return _call("Add", self, other)

    def __radd__(self, other: Value) -> Tensor:
        return _call("Add", other, self)

    def __sub__(self, other: Value) -> Tensor:
        return _call("Sub", self, other)

    def __rsub__(self, other: Value) -> Tensor:
        return _call("Sub", other, self)

    def __mul__(self, other: Value) -> Tensor:
        return _call("Mul", self, other)

    def __rmul__(self, other: Value) -> Tensor:
        return _call("Mul", other, self)

    def __truediv__(self, other: Value) -> Tensor:
        return _call("RealDiv", self, other)

    def __rtruediv__(self, other: Value) -> Tensor:
        return _call("RealDiv", other, self)

    def __floordiv__(self, other: Value) -> Tensor:
        return _call("FloorDiv", self, other)

    def __rfloordiv__(self, other: Value) -> Tensor:
        return _call("FloorDiv", other, self)

    def __mod__(self, other: Value) -> Tensor:
        return _call("FloorMod", self, other)

    def __rmod__(self, other: Value) -> Tensor:
        return _call("FloorMod", other, self)

    def __pow__(self, other: Value) -> Tensor:
        return _call("Pow", self, other)

    def __rpow__(self, other: Value) -> Tensor:
        return _call("Pow", other, self)

    def __neg__(self) -> Tensor:
        return _call("Neg", self)

    def __abs__(self) -> Tensor:
        return _call("Abs", self)

    def __matmul__(self, other: Value) -> Tensor:
        return _product(self, other)

    def __rmatmul__(self, other: Value) -> Tensor:
        return _product(other, self)

    # --- comparisons and logic ---

    def __lt__(self, other: Value) -> Tensor:
        return _call("Less", self, other)

    def __le__(self, other: Value) -> Tensor:
        return _call("LessEqual", self, other)

    def __gt__(self, other: Value) -> Tensor:
        return _call("Greater", self, other)

    def __ge__(self, other: Value) -> Tensor:
        return _call("GreaterEqual", self, other)

    def __and__(self, other: Value) -> Tensor:
        return _call("LogicalAnd" if self.dtype == "bool" else "BitwiseAnd", self, other)

    def __or__(self, other: Value) -> Tensor:
        return _call("LogicalOr" if self.dtype == "bool" else "BitwiseOr", self, other)

    def __xor__(self, other: Value) -> Tensor:
        return _call("NotEqual" if self.dtype == "bool" else "BitwiseXor", self, other)

    def __invert__(self) -> Tensor:
        return _call("LogicalNot" if self.dtype == "bool" else "Invert", self)

    # --- parts ---

    def __getitem__(self, index: Any) -> Tensor:
        """A part, as numpy has it: whole numbers, slices, `None`, `...`, or a tensor of indices."""
        if isinstance(index, Tensor):
            if index.dtype == "bool":
                fail("GX-106", "a mask is no index", node=self.name, hint="use ge.MaskedSelect")
            return _call("GatherV2", self, index, 0, negative_index_support=True)
        items = index if isinstance(index, tuple) else (index,)
        begin: list[int] = []
        end: list[int] = []
        strides: list[int] = []
        masks = dict.fromkeys(("begin", "end", "ellipsis", "new_axis", "shrink_axis"), 0)
        for i, item in enumerate(items):
            first, last, step = 0, 0, 1
            if item is None:
                masks["new_axis"] |= 1 << i
            elif item is Ellipsis:
                masks["ellipsis"] |= 1 << i
            elif isinstance(item, slice):
                bounds = (item.start, item.stop, item.step)
                if not all(b is None or is_whole(b) for b in bounds):
                    fail("GX-106", "bounds of a slice must be whole numbers", node=self.name,
                         hint="use ge.StridedSliceV2 for computed ones")  # fmt: skip
                step = 1 if item.step is None else int(item.step)
                masks["begin"] |= (item.start is None) << i
                masks["end"] |= (item.stop is None) << i
                first, last = int(item.start or 0), int(item.stop or 0)
            elif is_whole(item):
                first = int(item)
                last = first + 1
                masks["shrink_axis"] |= 1 << i
            else:
                hint = None if isinstance(item, bool) else "use ge.GatherV2 for several indices"
                fail("GX-106", f"{item!r:.60} is no index of a tensor", node=self.name, hint=hint)
            begin.append(first)
            end.append(last)
            strides.append(step)
        named = {f"{m}_mask": bits for m, bits in masks.items()}
        return _call("StridedSliceD", self, begin=begin, end=end, strides=strides, **named)

    def __iter__(self) -> Iterator[Tensor]:
        fail("GX-106", "a tensor cannot be iterated", node=self.name, hint="use ge.Unpack or [i]")

    def __bool__(self) -> NoReturn:
        fail("GX-106", "a tensor has no truth value while the graph is built", node=self.name,
             hint="use ge.If, ge.SelectV2 or & and |")  # fmt: skip

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> NoReturn:
        """Functions of numpy work on values; there are none while the graph is built."""
        from ge_dialect.builder.foreign import written_here

        told = written_here(func.__name__)
        hint = f"; here it is {told}" if told else ""
        raise TypeError(f"numpy.{func.__name__} takes no tensor of a graph{hint}")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            """Say how what numpy and torch have as a method is written here."""
            from ge_dialect.builder.foreign import written_here

            told = None if name.startswith("__") else written_here(name)
            hint = f"; here it is {told}" if told else ""
            raise AttributeError(f"a tensor has no {name!r}{hint}")

    def __repr__(self) -> str:
        return f"<tensor {self._described()}>"


def is_whole(item: Any) -> bool:
    """Whether it stands for one whole number; a bool does not."""
    if isinstance(item, bool):
        return False
    try:
        operator.index(item)
    except TypeError:
        return False
    return True


def element_type(dtype: DTypeLike) -> Attribute:
    """The element type of what names one: GE's or MLIR's name, a dtype of numpy or ml_dtypes.

    Raises `GeError` GX-108 for anything else.
    """
    from ge_dialect.builder.failing import nearest
    from ge_dialect.dtypes import BY_NAME, element_type_of

    try:
        return element_type_of(dtype)
    except ValueError:
        word = getattr(dtype, "__name__", str(dtype)).removeprefix("torch.")
        widths = {float: "'float32' or 'float64'", int: "'int32' or 'int64'"}
        named = isinstance(dtype, type) and dtype in widths
        near = f"say {widths[dtype]}" if named else nearest(word, list(BY_NAME))
        expected = None if near else "a name like 'float16', or a dtype of numpy"
        fail("GX-108", f"there is no dtype {dtype!r:.60}", expected=expected, hint=near)


def _call(op_type: str, *args: Any, **kwargs: Any) -> Any:
    from ge_dialect.builder.calls import call

    return call(op_type, args, kwargs)


def _product(a: Value, b: Value) -> Tensor:
    ranks = []
    for value in (a, b):
        shape = value.shape if isinstance(value, Tensor) else getattr(value, "shape", ())
        ranks.append(None if shape is None else len(shape))
    if any(r is not None and r < 2 for r in ranks):
        fail("GX-106", "@ multiplies matrices and stacks of them", found=f"ranks {ranks}",
             expected="at least 2", hint="add a dim by v[None, :]")  # fmt: skip
    return _call("MatMulV2" if ranks == [2, 2] else "BatchMatMulV2", a, b)
