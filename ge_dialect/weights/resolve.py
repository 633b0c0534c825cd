"""Making recipes and giving them types and bytes, through the operators' own rules and meanings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntAttr, IntegerType, StringAttr
from xdsl.ir import Attribute, Block, SSAValue

from ge_dialect.diagnostics import GeError, user_error
from ge_dialect.dtypes import BY_NAME, dtype_of, from_numpy, numpy_dtype, to_xdsl
from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.dense import INLINE_LIMIT
from ge_dialect.ir.types import tensor_type
from ge_dialect.weights.forms import SHORT
from ge_dialect.weights.recipe import (
    Call,
    Ref,
    Word,
    parse_recipe,
    post_order,
    term_text,
)

if TYPE_CHECKING:
    import numpy as np

    from ge_dialect.ir.base import GeOp
    from ge_dialect.weights.store import WeightStore

#: Element types by their MLIR text and by GE's name; canonical text prefers MLIR's.
_MLIR_WORDS = {str(row.type): row.type for row in BY_NAME.values() if str(row.type).isalnum()}
_parse = lru_cache(maxsize=4096)(parse_recipe)


# --- making ----------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def _attribute(text: str, abstract: bool) -> WeightAttr:
    return WeightAttr(StringAttr(text), IntAttr(int(abstract)))


def weight(name: str, *, abstract: bool = False) -> WeightAttr:
    """`#ge.weight<"name">`, interned."""
    return _attribute(Ref(name).text, abstract)


def recipe(op: str, *args: Any, **attrs: Any) -> WeightAttr:
    """`#ge.weight<op(args, attrs)>`, abstract where an argument is.

    op: a short form ("cast", "mul", "transpose" …, see `ge_dialect.weights.forms`) or an operator
    type ("BatchMatMulV2"), whose inputs come in declared order (None for an absent one) and whose
    attributes are named. args: weight attributes, names in the store, terms, small arrays, numbers,
    lists, element types. Nothing is computed. Raises TypeError for an argument of another kind.
    """
    terms = tuple(_term(a) for a in args)
    named = tuple((key, _term(value, attribute=True)) for key, value in attrs.items())
    abstract = any(
        a.abstract
        for arg in args
        for a in (arg if isinstance(arg, list | tuple) else (arg,))
        if isinstance(a, WeightAttr)
    )
    return _attribute(Call(op, terms, named).text, abstract)


def _term(value: Any, *, attribute: bool = False) -> Any:
    if isinstance(value, WeightAttr):
        return _parse(value.expr)
    if isinstance(value, Ref | Word | Call | bool | int | float):
        return value
    if isinstance(value, str):
        return Ref(value)
    if value is None:
        return Word("none")
    if isinstance(value, list | tuple):
        return tuple(_term(v, attribute=attribute) for v in value)
    if isinstance(value, Attribute):
        return type_word(value)
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        return const_term(value)
    raise TypeError(f"{type(value).__name__} is no argument of a recipe")


def type_word(elem: Attribute) -> Word:
    """An element type as a word: MLIR's keyword where it is one, else GE's name."""
    text = str(elem)
    if text in _MLIR_WORDS:
        return Word(text)
    row = dtype_of(elem)
    if row is None:
        raise TypeError(f"{elem} is no element type of a recipe")
    return Word(row.name)


def word_type(word: Any) -> Attribute:
    """Element type of a word; ValueError for another term."""
    if isinstance(word, Word):
        found = _MLIR_WORDS.get(word.text)
        if found is not None:
            return found
        if word.text in BY_NAME:
            return to_xdsl(word.text)
    raise ValueError(f"{term_text(word)} is no element type")


def const_term(array: Any, elem: Attribute | None = None) -> Call:
    """A literal leaf that reads back bit for bit: decimals where they suffice, else bytes.

    More elements than stand inline elsewhere are bytes, or `splat` where all are the same.
    """
    import numpy as np

    array = np.asarray(array)
    word = type_word(elem if elem is not None else from_numpy(array.dtype))
    if array.size > INLINE_LIMIT:
        if not is_uniform(array):
            return _bits(array, word)
        return _splat(array, word)
    if array.size:
        shown = _decimals(array)
        if shown is not None:
            return Call("const", (_nested(shown), word))
    return _bits(array, word)


def is_uniform(array: np.ndarray) -> bool:
    """Whether all elements of an array have the same bytes."""
    import numpy as np

    rows = np.ascontiguousarray(array).view(np.uint8).reshape(array.size, array.dtype.itemsize)
    return bool((rows == rows[:1]).all())


def _splat(array: np.ndarray, word: Word) -> Call:
    """One value everywhere; a value without a decimal is broadcast from its bytes."""
    one = array.reshape(-1)[:1]
    shown = _decimals(one)
    shape = tuple(array.shape)
    if shown is not None:
        return Call("splat", (shown[0], shape, word))
    return Call("broadcast", (_bits(one, word), shape))


def _bits(array: np.ndarray, word: Word) -> Call:
    import numpy as np

    raw = "0x" + np.ascontiguousarray(array).tobytes().hex().upper()
    return Call("bits", (Ref(raw), tuple(array.shape), word))


def _decimals(array: np.ndarray) -> Any:
    """The elements as nested lists of numbers, None where those would not read back bit for bit."""
    import numpy as np

    if array.dtype.kind in "iub":
        return array.tolist()
    values = array.astype(np.float64) if array.dtype.kind != "c" else None
    if values is None or not np.isfinite(values).all() or array.ndim > 32:
        return None
    narrow = {2: np.float16, 4: np.float32}.get(array.dtype.itemsize, np.float64)
    shortest = array.dtype == narrow  # numpy writes the shortest decimal of its own types
    shown = np.vectorize(
        lambda v: float(str(narrow(v)) if shortest else f"{v:.9g}"), otypes=[np.float64]
    )(values)
    return shown.tolist() if shown.astype(array.dtype).tobytes() == array.tobytes() else None


def _nested(value: Any) -> Any:
    return tuple(_nested(v) for v in value) if isinstance(value, list) else value


# --- types -----------------------------------------------------------------------------------


def describe(attr: WeightAttr | str, store: WeightStore | None) -> Attribute:
    """Tensor type of a weight or recipe, by inference: no bytes are touched.

    Raises `GeError`: GX-304 (unknown name), GX-308 (text), GX-309 (does not fit an operator).
    """
    term = _parse(attr if isinstance(attr, str) else attr.expr)
    types: dict[str, Attribute] = {}
    for call in post_order(term):
        results = _Step(call, types, store).result_types()
        types[call.text] = results
    return _type_of(term, types, store)


def _type_of(term: Any, types: Mapping[str, Any], store: WeightStore | None) -> Any:
    if isinstance(term, Ref):
        if store is None:
            raise user_error("GX-304", f"no weight store to look {term.name!r} up in")
        dtype, shape = store.dtype_shape(term.name)
        return tensor_type(shape, to_xdsl(dtype))
    if isinstance(term, Call):
        found = types[term.text]
        return found[0] if isinstance(found, list) else found
    raise user_error("GX-309", f"{term_text(term)[:80]} is no tensor")


class _Step:
    """One call of a recipe as a GE node that stands in no graph."""

    def __init__(self, call: Call, types: Mapping[str, Any], store: WeightStore | None) -> None:
        self.call, self.types, self.store = call, types, store

    def fail(self, reason: object) -> GeError:
        text = self.call.text
        return user_error(
            "GX-309",
            f"recipe {text if len(text) <= 120 else text[:117] + '...'} cannot be evaluated",
            found=str(reason),
        )

    def result_types(self) -> Any:
        name = self.call.name
        try:
            if name in ("const", "bits", "splat"):
                elem, shape = leaf_type(self.call)
                return tensor_type(shape, elem)
            if name == "result":
                inner, index = self.picked()
                return self.types[inner.text][index]
            return [r.type for r in self.node().ge_data_results]
        except GeError:
            raise
        except Exception as error:  # whatever an operator's rule has against its inputs
            raise self.fail(error) from None

    def picked(self) -> tuple[Call, int]:
        inner, index = self.call.args
        if not isinstance(inner, Call) or not isinstance(index, int):
            raise ValueError("result(call, index) expected")
        return inner, index

    def node(self) -> GeOp:
        """The operator; its operands are constants where literal, else values of the type."""
        from ge_dialect.ir.build import build

        call = self.call
        form = SHORT.get(call.name)
        if form is not None:
            op_type, args, attrs = form(list(call.args), word_type)
        elif call.name[:1].isupper():
            op_type, args = call.name, list(call.args)
            attrs = {key: _attr_value(value) for key, value in call.attrs}
        else:
            raise ValueError(f"{call.name} is neither a short form nor an operator")
        inputs = [self.operand(a) for a in args]
        try:
            return build(op_type, inputs, attrs)
        except KeyError:
            raise ValueError(f"there is no operator {op_type}") from None

    def operand(self, arg: Any) -> Any:
        if isinstance(arg, Word) and arg.text == "none":
            return None
        if isinstance(arg, tuple):
            return [self.operand(a) for a in arg]
        if isinstance(arg, Call) and arg.name in ("const", "bits"):
            from ge_dialect.ir.build import const

            return const(leaf_value(arg), elem=leaf_type(arg)[0]).results[0]
        if isinstance(arg, Ref | Call):
            return _value_of_type(_type_of(arg, self.types, self.store))
        raise ValueError(f"{term_text(arg)[:60]} is no tensor")


def _value_of_type(type_: Attribute) -> SSAValue:
    return Block(arg_types=[type_]).args[0]


def _attr_value(term: Any) -> Any:
    if isinstance(term, Ref):
        return term.name
    if isinstance(term, tuple):
        return [_attr_value(t) for t in term]
    if isinstance(term, Word):
        special = {"inf": float("inf"), "ninf": float("-inf"), "nan": float("nan")}
        return special[term.text] if term.text in special else word_type(term)
    return term


# --- leaves ----------------------------------------------------------------------------------


def leaf_type(call: Call) -> tuple[Attribute, tuple[int, ...]]:
    """Element type and shape of `const`, `bits` and `splat`."""
    if call.name == "const":
        values, word = call.args
        return word_type(word), _shape(values)
    _, shape, word = call.args
    if not isinstance(shape, tuple) or not all(isinstance(d, int) and d >= 0 for d in shape):
        raise ValueError("a shape expected")
    return word_type(word), shape


def _shape(values: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(values, tuple):
        shape.append(len(values))
        values = values[0] if values else None
    return tuple(shape)


def leaf_value(call: Call) -> np.ndarray:
    """Array of `const`, `bits` or `splat`; ValueError where the literal is not one."""
    import numpy as np

    elem, shape = leaf_type(call)
    kind = numpy_dtype(elem)
    if call.name == "bits":
        if not isinstance(call.args[0], Ref) or not call.args[0].name.startswith("0x"):
            raise ValueError('bits("0x...", shape, type) expected')
        raw = bytes.fromhex(call.args[0].name[2:])
        return np.frombuffer(raw, kind).reshape(shape).copy()
    if call.name == "splat":
        return np.full(shape, _attr_value(call.args[0]), dtype=kind)
    wide = np.array(call.args[0], dtype=object).reshape(shape)
    whole = np.uint64 if kind == np.uint64 else np.int64
    via = whole if isinstance(elem, IntegerType) else np.float64
    return wide.astype(via).astype(kind)


# --- bytes -----------------------------------------------------------------------------------


def resolve(attr: WeightAttr | str, store: WeightStore | None) -> np.ndarray:
    """Read-only array of a weight or recipe; recipes are evaluated once and cached by the store.

    Raises `GeError`: GX-305 (abstract), GX-304, GX-308, GX-309 as `describe`.
    """
    if isinstance(attr, WeightAttr) and attr.abstract:
        raise user_error(
            "GX-305",
            f"weight {attr.expr} is abstract: it has a type and no bytes",
            hint="only timing and memory can be asked of it; values need real weights",
        )
    text = attr if isinstance(attr, str) else attr.expr
    term = _parse(text)
    if isinstance(term, Ref):
        if store is None:
            raise user_error("GX-304", f"no weight store to look {term.name!r} up in")
        return store.get(term.name)
    if store is None:
        return _evaluate(term, None)
    return store.derived(text, lambda: _evaluate(term, store))


def _evaluate(term: Any, store: WeightStore | None) -> np.ndarray:
    from ge_dialect.semantics.evaluator import fold_op

    if not isinstance(term, Call):
        raise user_error("GX-309", f"{term_text(term)[:80]} is no tensor")
    types: dict[str, Any] = {}
    values: dict[str, list[np.ndarray]] = {}
    calls = post_order(term)
    last_use = _last_uses(calls)

    def value(arg: Any) -> Any:
        if isinstance(arg, Ref):
            if store is None:
                raise user_error("GX-304", f"no weight store to look {arg.name!r} up in")
            return store.get(arg.name)
        if isinstance(arg, Call) and arg.name in ("const", "bits", "splat"):
            return leaf_value(arg)
        return values[arg.text][0]

    for i, call in enumerate(calls):
        step = _Step(call, types, store)
        types[call.text] = step.result_types()
        try:
            if call.name in ("const", "bits", "splat"):
                values[call.text] = [leaf_value(call)]
            elif call.name == "result":
                inner, index = step.picked()
                values[call.text] = [values[inner.text][index]]
            else:
                op = step.node()
                args = _arguments(call, value)
                args += [None] * (len(type(op).ge_table().inputs) - len(args))
                values[call.text] = list(fold_op(op, args))
        except GeError:
            raise
        except Exception as error:  # whatever a golden function has against its values
            raise step.fail(error) from None
        for text in last_use.get(i, ()):
            values.pop(text, None)
    return values[term.text][0]


def _arguments(call: Call, value: Any) -> list[Any]:
    form = SHORT.get(call.name)
    args: Sequence[Any] = form(list(call.args), word_type)[1] if form else call.args
    out: list[Any] = []
    for arg in args:
        if isinstance(arg, tuple):
            out.append([value(a) for a in arg])
        elif isinstance(arg, Word):
            out.append(None)
        else:
            out.append(value(arg))
    return out


def _last_uses(calls: Sequence[Call]) -> dict[int, list[str]]:
    """Step -> texts whose value nothing reads after it."""
    from ge_dialect.weights.recipe import operands

    last: dict[str, int] = {}
    for i, call in enumerate(calls):
        for term in operands(call):
            if isinstance(term, Call):
                last[term.text] = i
    out: dict[int, list[str]] = {}
    for text, i in last.items():
        out.setdefault(i, []).append(text)
    return out
