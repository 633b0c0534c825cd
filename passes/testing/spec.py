"""`GraphSpec`: a graph as plain data, which generators return and reducers shrink.

A spec holds strings, numbers, bytes and tuples only, never a module: it is cheap to print, hash,
compare, pickle and write as JSON. `build()` makes a new `Model` each time it is called.

Values are numbered per graph: first the inputs, then the results of the steps in order. A type is
written as in the text form without the brackets: "2x?xf32", "f32", "*xf32",
"1x16x4x4xf16, #ge.layout<NC1HWC0>"; "&2xf32" is a ref.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ge_dialect.containers import is_list, is_object, is_tuple

if TYPE_CHECKING:
    from ge_dialect.api import Model

#: One declared input of a step: a value, None for an absent one, a tuple for a dynamic one.
Arg = int | tuple[int, ...] | None

#: What the values of an input must be, so that the graph can be evaluated: ("any",),
#: ("positive",): above 0, ("index", n): integers from 0 to n - 1, ("fixed", v…): exactly these.
Domain = tuple[Any, ...]
ANY: Domain = ("any",)

#: Operators whose result types cannot be inferred: a retyped spec keeps those recorded.
DECLARED = frozenset({"Variable", "Const", "Constant", "Reinterpret", "TransData", "Opaque"})
#: Operators whose results an attribute counts.
COUNTED_BY = {
    "DynamicPartition": "num_partitions",
    "Split": "num_split",
    "SplitD": "num_split",
    "SplitV": "num_split",
    "SplitVD": "num_split",
    "Unpack": "num",
}
#: Operators whose results only their rule counts, so that they keep their types.
COUNTED_BY_RULE = frozenset({"GroupedMatmul", "PhonySplit", "SwitchN"})
_KEPT = DECLARED | COUNTED_BY_RULE


@dataclass(frozen=True, slots=True)
class Literal:
    """A small tensor. dtype: GE's name; data: its elements as numpy holds them, little endian."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    def array(self) -> Any:
        """The numpy array."""
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype, to_xdsl

        return np.frombuffer(self.data, numpy_dtype(to_xdsl(self.dtype))).reshape(self.shape)

    @classmethod
    def of(cls, array: Any) -> Literal:
        """The literal of a numpy array; ValueError for a dtype GE has not."""
        import numpy as np

        from ge_dialect.dtypes import from_numpy, ge_name

        array = np.asarray(array)
        data = np.ascontiguousarray(array).tobytes()
        return cls(ge_name(from_numpy(array.dtype)), tuple(array.shape), data)

    def __str__(self) -> str:
        values = self.array().reshape(-1).tolist()
        shown = ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values[:8])
        return f"[{shown}{', …' if len(values) > 8 else ''}]"


@dataclass(frozen=True, slots=True)
class Text:
    """An attribute value that only MLIR's text expresses (weights, foreign attributes)."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a graph. dims: the sizes to run with, where the type leaves some open."""

    type: str
    name: str | None = None
    dims: tuple[int, ...] | None = None
    domain: Domain = ANY
    extra: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One node.

    op: GE's operator type. args: per declared input. attrs: those that are not the default, as
    Python values (`Literal` for tensors, a GE dtype name for types). types: result types, None to
    infer them. after: indices of the steps it waits for. bodies: its sub-graphs. name: the node's,
    None for "<op>_<index>". extra: attributes with a dot (`ge.engine`), as MLIR text.
    """

    op: str
    args: tuple[Arg, ...] = ()
    attrs: tuple[tuple[str, Any], ...] = ()
    types: tuple[str, ...] | None = None
    after: tuple[int, ...] = ()
    bodies: tuple[GraphSpec, ...] = ()
    name: str | None = None
    extra: tuple[tuple[str, str], ...] = ()

    def operands(self) -> tuple[int, ...]:
        """All values it reads, in order."""
        out: list[int] = []
        for a in self.args:
            if isinstance(a, tuple):
                out += a
            elif a is not None:
                out.append(a)
        return tuple(out)

    def attr(self, name: str, default: Any = None) -> Any:
        """A recorded attribute."""
        return dict(self.attrs).get(name, default)

    def label(self, index: int) -> str:
        """The node's name at this place."""
        return self.name if self.name is not None else f"{self.op}_{index}"


@dataclass(frozen=True, slots=True, repr=False)
class GraphSpec:
    """A graph.

    outputs: values; after: steps the end waits for; weights: arrays of the store; extra and
    end_extra: attributes of the graph and of its NetOutput, as MLIR text.
    """

    inputs: tuple[Input, ...]
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]
    name: str = "g"
    after: tuple[int, ...] = ()
    weights: tuple[tuple[str, Literal], ...] = ()
    extra: tuple[tuple[str, str], ...] = ()
    end_extra: tuple[tuple[str, str], ...] = ()

    # ------------------------------------------------------------------------------- building

    def build(self) -> Model:
        """A new model; InferError or ValueError where the spec is no graph."""
        from passes.testing.spec_build import build_model

        return build_model(self)

    @classmethod
    def from_model(cls, model: Any, graph: str | None = None) -> GraphSpec:
        """The spec of a model's (or module's, or graph's) only graph, or of the one named.

        Origins and file positions are left out, and the bytes of weights that are abstract.
        Raises GeError where there is no such graph, ValueError for a node that is no `ge` node.
        """
        from passes.testing.spec_build import spec_of_model

        return spec_of_model(model, graph)

    # ------------------------------------------------------------------------------- questions

    @property
    def op_count(self) -> int:
        """Number of steps, those of bodies included."""
        return sum(1 for _ in self.walk())

    def walk(self) -> Iterator[Step]:
        """All steps, those of bodies behind their owner."""
        for step in self.steps:
            yield step
            for body in step.bodies:
                yield from body.walk()

    def op_types(self) -> set[str]:
        """The operator types that occur."""
        return {s.op for s in self.walk()}

    def first_results(self) -> list[int]:
        """Number of the first result of each step; needs recorded types."""
        out: list[int] = []
        n = len(self.inputs)
        for step in self.steps:
            out.append(n)
            n += result_count(step)
        return out

    def value_types(self) -> list[str]:
        """The type of every value; needs recorded types."""
        out = [i.type for i in self.inputs]
        for step in self.steps:
            out += step.types or ()
        return out

    def retyped(self) -> GraphSpec:
        """The same graph with its result types left to inference, also in bodies.

        Types that inference does not give (of variables, with layouts) stay. Needed after an edit
        that changes shapes or dtypes; `build` raises InferError where the edit makes no sense.
        """
        steps = tuple(
            replace(
                s,
                types=s.types if s.op in _KEPT or _has_layout(s) else None,
                bodies=tuple(b.retyped() for b in s.bodies),
            )
            for s in self.steps
        )
        return replace(self, steps=steps)

    def normalized(self) -> GraphSpec:
        """Built and read back: result types recorded, names as nodes have them."""
        return GraphSpec.from_model(self.build())

    # ------------------------------------------------------------------------------ text, JSON

    def __str__(self) -> str:
        return "\n".join(_lines(self, ""))

    def __repr__(self) -> str:
        return f"<GraphSpec\n{self}>"

    def to_json(self, *, indent: int | None = None) -> str:
        """JSON text; `from_json` gives back an equal spec."""
        return json.dumps(_plain(self), indent=indent, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> GraphSpec:
        """The spec of JSON text; ValueError where it is none."""
        try:
            return _graph_from(json.loads(text))
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"this is no graph spec: {error!r}") from None


def _has_layout(step: Step) -> bool:
    return step.types is not None and any("#ge.layout" in t for t in step.types)


def result_count(step: Step) -> int:
    """Number of results of a step: of its types, or what its operator always has.

    Raises ValueError where only inference can tell.
    """
    if step.types is not None:
        return len(step.types)
    from ge_dialect.ir.base import REQUIRED
    from ge_dialect.ops.registry import op_class

    table = op_class(step.op).ge_table()
    outputs = table.outputs
    if all(s.kind == REQUIRED for s in outputs):
        return len(outputs)
    if step.op in COUNTED_BY:
        name = COUNTED_BY[step.op]
        return step.attr(name, table.attrs[name].default)
    if step.bodies:
        return len(step.bodies[-1].outputs)
    lists = [a for a in step.args if isinstance(a, tuple)]
    if len(outputs) == 1 and lists and step.op not in COUNTED_BY_RULE:
        return len(lists[0])  # a result for each value of a list
    raise ValueError(f"the number of results of {step.op} is not recorded")


# ------------------------------------------------------------------------------------------ text


def _lines(graph: GraphSpec, indent: str) -> list[str]:
    heads: list[str] = []
    for i, given in enumerate(graph.inputs):
        head = f"%{i}: {given.type}"
        if given.dims is not None and "?" in given.type:
            head += f" [{'x'.join(map(str, given.dims))}]"
        if given.domain != ANY:
            head += f" {given.domain[0]}({', '.join(map(str, given.domain[1:]))})"
        heads.append(head)
    out = [f"{indent}graph({', '.join(heads)})"]
    n = len(graph.inputs)
    for i, step in enumerate(graph.steps):
        count = len(step.types) if step.types is not None else None
        names = [f"%{n + k}" for k in range(count if count is not None else 1)]
        n += count if count is not None else result_count(step)
        text = f"{', '.join(names)} = {step.op}" if names else step.op
        text = f"{text}({', '.join(map(_arg_text, step.args))})"
        if step.after:
            text += f" after({', '.join(f'#{a}' for a in step.after)})"
        attrs = [*step.attrs, *step.extra]
        if attrs:
            text += " {" + ", ".join(f"{k} = {_value_text(v)}" for k, v in attrs) + "}"
        if step.types:
            text += " : " + ", ".join(step.types)
        out.append(f"{indent}  #{i} {text}")
        for body in step.bodies:
            out += _lines(body, indent + "    ")
    end = f" after({', '.join(f'#{a}' for a in graph.after)})" if graph.after else ""
    out.append(f"{indent}  return({', '.join(f'%{o}' for o in graph.outputs)}){end}")
    return out


def _arg_text(arg: Arg) -> str:
    if arg is None:
        return "-"
    if isinstance(arg, tuple):
        return "[" + ", ".join(f"%{a}" for a in arg) + "]"
    return f"%{arg}"


def _value_text(value: Any) -> str:
    if is_tuple(value):
        return "[" + ", ".join(map(_value_text, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


# ------------------------------------------------------------------------------------------ JSON


_GRAPH_REST = ("name", "after", "weights", "extra", "end_extra")


def _plain(value: Any) -> Any:
    """JSON values; what JSON lacks becomes an object with one capital key."""
    if isinstance(value, GraphSpec):
        return {
            "inputs": [_plain(i) for i in value.inputs],
            "steps": [_plain(s) for s in value.steps],
            "outputs": list(value.outputs),
            **_set(value, _GRAPH_REST, GraphSpec),
        }
    if isinstance(value, Input):
        return {"type": value.type, **_set(value, ("name", "dims", "domain", "extra"), Input)}
    if isinstance(value, Step):
        names = ("args", "attrs", "types", "after", "bodies", "name", "extra")
        return {"op": value.op, **_set(value, names, Step)}
    if isinstance(value, Literal):
        return {"Literal": [value.dtype, list(value.shape), value.data.hex()]}
    if isinstance(value, Text):
        return {"Text": value.text}
    if isinstance(value, float) and value - value != 0:
        return {"Float": str(value)}
    if is_tuple(value):
        return [_plain(v) for v in value]
    return value


@lru_cache(maxsize=8)
def _defaults(cls: type[GraphSpec | Input | Step]) -> dict[str, Any]:
    return {f.name: f.default for f in fields(cls)}


def _set(value: Any, names: tuple[str, ...], cls: type[GraphSpec | Input | Step]) -> dict[str, Any]:
    """The fields that differ from their defaults."""
    defaults = _defaults(cls)
    return {n: _plain(getattr(value, n)) for n in names if getattr(value, n) != defaults[n]}


def _back(value: Any) -> Any:
    if is_list(value):
        return tuple(map(_back, value))
    if not is_object(value):
        return value
    if "Literal" in value:
        dtype, shape, data = value["Literal"]
        return Literal(dtype, tuple(shape), bytes.fromhex(data))
    if "Text" in value:
        return Text(value["Text"])
    if "Float" in value:
        return float(value["Float"])
    return _graph_from(value)


def _graph_from(data: dict[str, Any]) -> GraphSpec:
    rest = {k: _back(data[k]) for k in _GRAPH_REST if k in data}
    return GraphSpec(
        tuple(Input(**{k: _back(v) for k, v in i.items()}) for i in data["inputs"]),
        tuple(Step(**{k: _back(v) for k, v in s.items()}) for s in data["steps"]),
        tuple(data["outputs"]),
        **rest,
    )
