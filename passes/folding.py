"""Constant values as data, and operators applied to them at compile time.

A constant is an inline literal or a weight (a name, or a recipe over golden operators). The result
of an operator on constants is written inline when it is small and every step from the stored bytes
to it is exact: moves, integer arithmetic, elementwise + - * / sqrt, comparisons. Anything else
becomes a recipe, which costs nothing until someone needs the bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import bits
from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.dense import INLINE_LIMIT
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ir.types import elem_of, num_elements, shape_of
from passes.values import CONST_OPS, opened

#: Default of the size limit: results above it, and larger than their inputs, are not folded.
MAX_BYTES = 64 << 20
#: Recipes longer than this are not extended: a value used twice doubles the text.
MAX_RECIPE = 8192

#: Results are one of the inputs' values, in another type or layout.
SAME_VALUE = frozenset({"Identity", "TransData"})
_MOVES = (
    "BroadcastTo Concat ConcatD ConcatV2 ExpandDims Fill Flatten FlattenV2 Gather GatherV2 "
    "Identity OnesLike Pack Pad PadD PadV3 Permute Rank Reshape Select SelectV2 Shape Size Slice "
    "SliceD Split SplitD SplitV Squeeze SqueezeV2 SqueezeV3 StridedSlice StridedSliceD Tile TileD "
    "TransData Transpose TransposeD Unpack Unsqueeze UnsqueezeV2 UnsqueezeV3 ZerosLike "
    "ArgMaxV2 ArgMin Bitcast GatherElements GatherNd LeftShift MaskedFill OneHot ReverseSequence "
    "ReverseV2 RightShift Sort StridedSliceV2 TensorScatterUpdate TopK TopKV2 Tril Triu"
)
#: Moves whose results have as many elements as the values say.
_VALUE_SIZED = frozenset("MaskedSelect NonZero Unique UniqueWithCounts Where".split())
_ELEMENTWISE = (
    "Abs Add Adds BiasAdd BitwiseAnd BitwiseOr BitwiseXor Cast Ceil ClipByValue Div Equal Floor "
    "FloorDiv FloorMod Greater GreaterEqual Invert IsFinite IsInf IsNan Less LessEqual LogicalAnd "
    "LogicalNot LogicalOr Maximum Minimum Mod Mul Muls Neg NotEqual RealDiv Reciprocal Relu Rint "
    "Round Sign Sqrt Square SquaredDifference Sub TruncateDiv"
)
_EXACT = frozenset(f"{_MOVES} {_ELEMENTWISE}".split())
#: Exact on integers only: the order of additions shows in floats.
_EXACT_ON_INTEGERS = frozenset(
    "AccumulateNV2 AddN Cumprod Cumsum MatMul MatMulV2 Pow Range ReduceProd ReduceProdD ReduceSum "
    "ReduceSumD ScatterElements ScatterNd".split()
)
_EXACT_REDUCTIONS = frozenset(
    "ReduceAll ReduceAllD ReduceAny ReduceAnyD ReduceMax ReduceMaxD ReduceMin ReduceMinD".split()
)
#: Operators whose short form in recipes takes the same operands.
_SHORT = {
    "Abs": "abs", "Add": "add", "Exp": "exp", "Log": "log", "MatMulV2": "matmul",
    "Maximum": "maximum", "Minimum": "minimum", "Mul": "mul", "Neg": "neg", "Pow": "pow",
    "RealDiv": "div", "Reciprocal": "reciprocal", "Rsqrt": "rsqrt", "Sqrt": "sqrt", "Sub": "sub",
}  # fmt: skip


class _TooLong(Exception):
    """A constant that a recipe would have to spell out."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a node was not folded."""

    reason: str


def constant_op(value: SSAValue | None) -> GeOp | None:
    """The Const that makes a value, None where something else does."""
    if isinstance(value, OpResult) and value.op.name in CONST_OPS:
        return cast("GeOp", value.op)
    return None


@lru_cache(maxsize=1024)
def foldable_class(cls: type[Operation]) -> bool:
    """Whether nodes of a class may be folded at all: pure, with inputs and results, no graphs."""
    if not issubclass(cls, GeOp) or not cls.EFFECTS.is_pure:
        return False
    table = cls.ge_table()
    return bool(table.inputs and table.outputs and not table.graphs)


def is_exact(op_type: str, elem: Attribute) -> bool:
    """Whether an operator gives the same bytes everywhere, judged by its first result's dtype."""
    if op_type in _EXACT or op_type in _EXACT_REDUCTIONS:
        return True
    return op_type in _EXACT_ON_INTEGERS and isinstance(elem, IntegerType)


@lru_cache(maxsize=4096)
def is_exact_recipe(expr: str) -> bool:
    """Whether the text of a weight leads to the same bytes everywhere."""
    from ge_dialect.weights.recipe import Call, parse_recipe, post_order

    term = parse_recipe(expr)
    if not isinstance(term, Call):
        return True
    leaves = {"const", "bits", "splat", "result", "cast", "transpose", "reshape", "broadcast"}
    leaves |= {"concat", "pad", "slice"}
    long_form = {short: op_type for op_type, short in _SHORT.items()}
    return all(
        call.name in leaves or long_form.get(call.name, call.name) in _EXACT
        for call in post_order(term)
    )


class Folder:
    """Applies operators to constants.

    weights: the module's store, None, or a function that gives it when first needed. max_bytes: see
    `MAX_BYTES`.
    """

    def __init__(self, weights: Any = None, max_bytes: int = MAX_BYTES) -> None:
        self._weights = weights
        self._max_bytes = max_bytes

    def fold(self, op: GeOp) -> list[Attribute] | Refusal:
        """What the results of `op` hold, one attribute per data result, or why not.

        All data operands must be constants. The attributes belong to the recorded result types.
        """
        op_type = op.ge_type
        found = [_held(v) for v in op.ge_data_operands]
        held = [h for h in found if h is not None]
        if len(held) != len(found):
            return Refusal("an input is no constant")
        if op_type in SAME_VALUE:
            return [held[0]]
        if op_type == "Reinterpret" and elem_of(op.operands[0].type) != elem_of(op.results[0].type):
            return Refusal("the bytes are read as another dtype")
        from ge_dialect.semantics import has_semantics

        if not has_semantics(op_type):
            return Refusal("the operator has no evaluation rule")
        types = [r.type for r in op.ge_data_results]
        if not types:  # a list of tensors may be empty
            return Refusal("the node has no results")
        counts = [num_elements(t) for t in types]
        if None in counts:
            return self._value_sized(op, held)
        size = sum(_bytes(t) for t in types)
        given = sum(_bytes(v.type) for v in op.ge_data_operands)
        if size > self._max_bytes and size > given:
            return Refusal("the result is larger than max-bytes")
        exact = is_exact(op_type, elem_of(types[0])) and all(
            not isinstance(h, WeightAttr) or is_exact_recipe(h.expr) for h in held
        )
        small = all(n is not None and n <= INLINE_LIMIT for n in counts)
        if exact and small and given <= self._max_bytes and self._all_known(held):
            return self._evaluate(op)
        return self._recipes(op, len(types))

    def _value_sized(self, op: GeOp, held: list[Attribute]) -> list[Attribute] | Refusal:
        """Results whose shape follows from small constants, where they are small themselves."""
        unknown = Refusal("the shape of a result is not known")
        if op.ge_type not in _VALUE_SIZED or not self._all_known(held):
            return unknown
        given = [num_elements(v.type) for v in op.ge_data_operands]
        if any(n is None or n > INLINE_LIMIT for n in given):
            return unknown
        made = self._evaluate(op)
        if isinstance(made, Refusal) or any(
            is_dense(a) and (num_elements(a.type) or 0) > INLINE_LIMIT for a in made
        ):
            return unknown
        return made

    def array(self, held: Attribute | None) -> Any:
        """The array a constant holds; GeError where it has no bytes."""
        if is_dense(held):
            from ge_dialect.ir.dense import dense_to_numpy

            return dense_to_numpy(held)
        from ge_dialect.weights.resolve import resolve

        return resolve(cast("WeightAttr", held), opened(self._weights))

    def _all_known(self, held: Sequence[Attribute | None]) -> bool:
        """Whether every constant has bytes at hand."""
        from ge_dialect.weights.recipe import parse_recipe, recipe_names

        for attr in held:
            if not isinstance(attr, WeightAttr):
                continue
            if attr.abstract:
                return False
            names = recipe_names(parse_recipe(attr.expr))
            if not names:
                continue
            store = opened(self._weights)
            if store is None or any(n not in store or store.is_abstract(n) for n in names):
                return False
        return True

    def _evaluate(self, op: GeOp) -> list[Attribute] | Refusal:
        from ge_dialect.ir.dense import dense_from_numpy
        from ge_dialect.semantics import fold_op

        args: list[Any] = []
        try:
            for arg in op.ge_args():
                if isinstance(arg, list):
                    args.append([self.array(_held(v)) for v in arg])
                else:
                    args.append(None if arg is None else self.array(_held(arg)))
            found = fold_op(op, args)
        except GeError as error:
            return Refusal(f"evaluation fails: {error.diagnostics[0].message}")
        types = [r.type for r in op.ge_data_results]
        return [dense_from_numpy(a, elem_of(t)) for a, t in zip(found, types, strict=True)]

    def _recipes(self, op: GeOp, count: int) -> list[Attribute] | Refusal:
        from ge_dialect.weights.resolve import const_term, is_uniform

        def term(value: SSAValue) -> Any:
            held = _held(value)
            if is_dense(held):
                array = self.array(held)
                if 2 * array.nbytes > MAX_RECIPE and not is_uniform(array):
                    raise _TooLong
                return const_term(array, elem_of(value.type))
            return held

        try:
            return self._recipes_of(op, count, term)
        except _TooLong:
            return Refusal("the recipe would be too long")

    def _recipes_of(self, op: GeOp, count: int, term: Any) -> list[Attribute] | Refusal:
        from ge_dialect.weights.resolve import recipe

        args: list[Any] = []
        for arg in op.ge_args():
            if isinstance(arg, list):
                args.append([term(v) for v in arg])
            else:
                args.append(None if arg is None else term(arg))
        name, args, attrs = self._form(op, args)
        try:
            whole = recipe(name, *args, **attrs)
        except TypeError:
            return Refusal("an attribute cannot be written in a recipe")
        if len(whole.expr) > MAX_RECIPE:
            return Refusal("the recipe would be too long")
        if count == 1:
            return [whole]
        return [recipe("result", whole, i) for i in range(count)]

    def _form(self, op: GeOp, args: list[Any]) -> tuple[str, list[Any], dict[str, Any]]:
        """Name, arguments and attributes of the shortest way to write `op` as a recipe."""
        op_type = op.ge_type
        single = self._one_value(op)
        if single is not None:
            result = op.results[0].type
            return "splat", [single, list(shape_of(result) or ()), elem_of(result)], {}
        table = type(op).ge_table()
        attrs = {
            name: op.ge_attr(name)
            for name in table.attrs
            if name in op.properties and op.properties[name] != table.defaults.get(name)
        }
        while args and args[-1] is None:
            args.pop()
        if op_type == "Cast":
            return "cast", [args[0], elem_of(op.results[0].type)], {}
        if op_type == "TransposeD":
            return "transpose", [args[0], list(op.ge_attr("perm"))], {}
        if op_type in ("Reshape", "Reinterpret") and not attrs:
            shape = shape_of(op.results[0].type)
            if shape:
                return "reshape", [args[0], list(shape)], {}
        if op_type in _SHORT and not attrs and len(args) == len(table.inputs):
            return _SHORT[op_type], args, {}
        return op_type, args, attrs

    def _one_value(self, op: GeOp) -> Any:
        """The value a Fill or BroadcastTo repeats, where it is a literal of one element."""
        name = {"Fill": "value", "BroadcastTo": "x"}.get(op.ge_type)
        if name is None:
            return None
        held = _held(op.ge_input(name))
        if not is_dense(held):
            return None
        array = self.array(held)
        if array.size != 1 or array.dtype.kind not in "fiub":
            return None
        value = array.reshape(-1)[0].item()
        return value if value == value and value not in (float("inf"), float("-inf")) else None


def _held(value: SSAValue | None) -> Attribute | None:
    op = constant_op(value)
    return None if op is None else op.properties.get("value")


def _bytes(type_: Attribute) -> int:
    count = num_elements(type_) or 0
    return (count * bits(elem_of(type_)) + 7) // 8


def make_const(held: Attribute, type_: Attribute, name: str | None = None) -> GeOp:
    """A Const node of a value, not inserted yet."""
    from ge_dialect.ir.build import build

    return build("Const", [], {"value": held}, result_types=[type_], name=name)


class Derivation:
    """Builds derived constants step by step: each step is folded at once, no node is inserted.

    Raises `ValueError` with the reason where a step cannot be folded.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def of(self, value: SSAValue) -> GeOp:
        """A loose Const with what the Const behind `value` holds, without layout."""
        held = _held(value)
        assert held is not None
        from ge_dialect.ir.types import with_layout

        return make_const(held, with_layout(value.type, None))

    def literal(self, values: Sequence[float] | float, elem: Attribute) -> GeOp:
        """A loose Const of a literal, a scalar or a vector."""
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype
        from ge_dialect.ir.build import const

        return const(np.asarray(values, numpy_dtype(elem)), elem=elem)

    def apply(self, op_type: str, *inputs: GeOp, **attrs: Any) -> GeOp:
        """A loose Const with the operator's first result."""
        from ge_dialect.ir.build import build

        op = build(op_type, [i.results[0] for i in inputs], attrs)
        held = self._folder.fold(op)
        if isinstance(held, Refusal):
            raise ValueError(held.reason)
        return make_const(held[0], op.results[0].type)

    def cast(self, value: GeOp, elem: Attribute) -> GeOp:
        """`value` in another element type; itself where it has it already."""
        from ge_dialect.dtypes import ge_enum

        if elem_of(value.results[0].type) == elem:
            return value
        return self.apply("Cast", value, dst_type=ge_enum(elem))
