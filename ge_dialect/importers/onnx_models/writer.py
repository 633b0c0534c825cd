"""Writes ONNX graphs in the manner of PyTorch's exporter: its names, idioms and constant nodes.

Sizes that are known at export become constants; with dynamic dims they become chains of Shape,
Gather, Unsqueeze and Concat, as tracing leaves them.
"""

from __future__ import annotations

import contextlib
import math
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto

#: A size: a number, or the name of an int64 scalar that holds it at run time.
Size = int | str
#: Weights of so many elements have bytes in any case.
_INLINE = 64
#: Bytes of all weights together that a model may draw: what fits in the memory of any machine.
_MOST_BYTES = 4 << 30
#: End of a slice that goes on to the end.
TO_END = 2**63 - 1


class ModelWriter:
    """A graph under construction. Values are names; weights depend only on seed and name."""

    def __init__(
        self,
        name: str,
        opset: int,
        *,
        seed: int = 0,
        dynamic: bool = False,
        half: bool = False,
        weights: bool = True,
    ) -> None:
        """dynamic: sizes given by name are unknown at export. half: weights, inputs and outputs are
        float16. weights: False leaves the bytes of all but small ones out, as external data."""
        self.name = name
        self.opset = opset
        self.seed = seed
        self.dynamic = dynamic
        self.half = half
        self.weights = weights
        self._scope: list[str] = []
        self._count: Counter[str] = Counter()
        self._nodes: list[Any] = []
        self._held: dict[str, Any] = {}
        self._bytes = 0
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    # --------------------------------------------------------------------------- names, nodes

    @contextlib.contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Nodes and weights made inside belong to the sub-module `name`."""
        parts = name.split(".") if name else []
        self._scope += parts
        try:
            yield
        finally:
            del self._scope[len(self._scope) - len(parts) :]

    def path(self, name: str) -> str:
        """Name of a parameter of the present sub-module: "layer.0.attention.weight"."""
        return ".".join([*self._scope, name])

    def op(self, op_type: str, *inputs: str, **attrs: Any) -> str:
        """Add a node with one output, and return its value."""
        return self.ops(op_type, 1, *inputs, **attrs)[0]

    def ops(self, op_type: str, count: int, *inputs: str, **attrs: Any) -> list[str]:
        """Add a node with `count` outputs, and return its values."""
        from onnx import helper

        base = "/" + "/".join([*self._scope, op_type])
        number = self._count[base]
        self._count[base] += 1
        name = f"{base}_{number}" if number else base
        outputs = [f"{name}_output_{i}" for i in range(count)]
        self._nodes.append(helper.make_node(op_type, list(inputs), outputs, name=name, **attrs))
        return outputs

    def constant(self, value: Any, dtype: str = "int64") -> str:
        """A Constant node; dtype "real" is that of the model."""
        import numpy as np
        from onnx import numpy_helper

        array = np.asarray(value, self._dtype(dtype))
        return self.op("Constant", value=numpy_helper.from_array(array))

    def scalar(self, value: float) -> str:
        """A float constant of rank 0, of the model's dtype."""
        return self.constant(value, "real")

    def _dtype(self, name: str) -> str:
        if name != "real":
            return name
        return "float16" if self.half else "float32"

    @property
    def lowest(self) -> float:
        """The lowest number of the model's dtype, which masked scores get."""
        return -65504.0 if self.half else -3.4028234663852886e38

    def cast(self, value: str, dtype: str = "real") -> str:
        """A Cast node, by default to the model's dtype."""
        return self.op("Cast", value, to=_element_type(self._dtype(dtype)))

    def widened(self, value: str) -> str:
        """A value of the model's dtype in float32."""
        return self.cast(value, "float32") if self.half else value

    def narrowed(self, value: str) -> str:
        """A float32 value in the model's dtype."""
        return self.cast(value) if self.half else value

    # -------------------------------------------------------------------- inputs and parameters

    def input(self, name: str, dtype: str, dims: Sequence[int | str]) -> str:
        """An input of the graph; a dim is a number or a name."""
        self._inputs.append(_value_info(name, self._dtype(dtype), dims))
        return name

    def output(self, name: str, value: str, dtype: str, dims: Sequence[int | str]) -> None:
        """Make a value an output of the graph, by another name."""
        for node in reversed(self._nodes):
            if value in node.output:
                node.output[list(node.output).index(value)] = name
                break
        else:
            raise ValueError(f"no node computes {value}")
        for node in self._nodes:
            for i, used in enumerate(node.input):
                if used == value:
                    node.input[i] = name
        self._outputs.append(_value_info(name, self._dtype(dtype), dims))

    def held(self, name: str, array: np.ndarray[Any, Any]) -> str:
        """An initialiser with given bytes; the name is taken as it is."""
        from onnx import numpy_helper

        if name not in self._held:
            self._held[name] = numpy_helper.from_array(array, name)
        return name

    def weight(self, name: str, shape: Sequence[int], fan_in: int, gain: float = 1.0) -> str:
        """Normal weights of variance gain / fan_in, a parameter of the present sub-module."""
        return self._drawn(name, shape, lambda g: g * (gain / fan_in) ** 0.5)

    def vector(self, name: str, size: int, mean: float = 0.0, spread: float = 0.1) -> str:
        """A parameter of one axis: biases around 0, factors around 1."""
        return self._drawn(name, (size,), lambda g: mean + spread * g)

    def positive(self, name: str, size: int) -> str:
        """A parameter of one axis with values from 0.7 to 1.4: variances."""
        import numpy as np

        return self._drawn(name, (size,), lambda g: np.exp2(np.clip(0.25 * g, -0.5, 0.5)))

    def _drawn(self, name: str, shape: Sequence[int], make: Any) -> str:
        import numpy as np

        full = self.path(name)
        if full in self._held:
            return full
        self._bytes += math.prod(shape) * (2 if self.half else 4)
        if not self.weights and math.prod(shape) > _INLINE:
            self._held[full] = _absent(full, self._dtype("real"), shape)
            return full
        rng = np.random.default_rng([self.seed, zlib.crc32(full.encode())])
        array = make(rng.standard_normal(tuple(shape), np.float32))
        return self.held(full, np.asarray(array, self._dtype("real")))

    def need_room(self) -> None:
        """Raise `GeError` GX-012 where the bytes of the weights would be too many."""
        if self._bytes > _MOST_BYTES:
            from ge_dialect.diagnostics import user_error

            raise user_error(
                "GX-012",
                f"the weights of {self.name} would be larger than an example may have",
                found=f"{self._bytes / 2**30:.1f} GiB",
                expected=f"at most {_MOST_BYTES >> 30} GiB",
                hint="ge-translate --abstract-weights makes the model without their bytes",
            )

    # ------------------------------------------------------------------------------------ sizes

    def size(self, value: str, axis: int, known: int) -> Size:
        """Size of an axis: `known`, or with dynamic dims a scalar read from the shape."""
        if not self.dynamic:
            return known
        return self.op("Gather", self.op("Shape", value), self.constant(axis), axis=0)

    def dims(self, sizes: Sequence[Size]) -> str:
        """A vector of sizes."""
        if all(isinstance(s, int) for s in sizes):
            return self.constant(list(sizes))
        parts = [
            self.constant([s])
            if isinstance(s, int)
            else self.op("Unsqueeze", s, self.constant([0]))
            for s in sizes
        ]
        return self.op("Concat", *parts, axis=0)

    def reshape(self, value: str, *sizes: Size) -> str:
        """`view` and `reshape` of PyTorch."""
        return self.op("Reshape", value, self.dims(sizes))

    def filled(self, sizes: Sequence[Size], value: float) -> str:
        """A tensor of the model's dtype with one value everywhere."""
        import numpy as np
        from onnx import numpy_helper

        tensor = numpy_helper.from_array(np.asarray([value], self._dtype("real")))
        return self.op("ConstantOfShape", self.dims(sizes), value=tensor)

    def add_sizes(self, a: Size, b: Size) -> Size:
        """Sum of two sizes."""
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        return self.op("Add", self._as_scalar(a), self._as_scalar(b))

    def _as_scalar(self, size: Size) -> str:
        return self.constant(size) if isinstance(size, int) else size

    def arange(self, start: Size, end: Size) -> str:
        """Integers from start to end."""
        if isinstance(start, int) and isinstance(end, int):
            return self.constant(list(range(start, end)))
        return self.op("Range", self._as_scalar(start), self._as_scalar(end), self.constant(1))

    def cut(self, value: str, axis: int, start: Size, end: Size) -> str:
        """Slice along one axis."""
        return self.op(
            "Slice",
            value,
            self.dims([start]),
            self.dims([end]),
            self.constant([axis]),
            self.constant([1]),
        )

    def expand(self, value: str, *sizes: Size) -> str:
        """`expand` of PyTorch, where -1 keeps a size; its exporter replaces each -1 at run time."""
        if all(isinstance(s, int) for s in sizes):
            return self.op("Expand", value, self.constant([1 if s == -1 else s for s in sizes]))
        shape = self.dims(sizes)
        ones = self.op("ConstantOfShape", self.constant([len(sizes)]), value=_int_tensor(1))
        kept = self.op("Equal", shape, self.op("Mul", ones, self.constant(-1)))
        return self.op("Expand", value, self.op("Where", kept, ones, shape))

    def unsqueeze(self, value: str, *axes: int) -> str:
        """A new axis of one element at each place, one node each."""
        for axis in axes:
            value = self.op("Unsqueeze", value, self.constant([axis]))
        return value

    def flatten(self, value: str, first: int, tail: int) -> str:
        """All axes from `first` on as one, of `tail` elements; the sizes before it stay."""
        if not self.dynamic:
            return self.op("Flatten", value, axis=first)
        head = self.cut(self.op("Shape", value), 0, 0, first)
        shape = self.op("Concat", head, self.constant([tail]), axis=0)
        return self.op("Reshape", value, shape)

    # ------------------------------------------------------------------------------------ model

    def model(self) -> ModelProto:
        """The finished model."""
        from onnx import helper

        graph = helper.make_graph(
            self._nodes, self.name, self._inputs, self._outputs, list(self._held.values())
        )
        made = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", self.opset)], producer_name="ge-opt"
        )
        made.ir_version = 8
        return made


def _int_tensor(value: int) -> Any:
    import numpy as np
    from onnx import numpy_helper

    return numpy_helper.from_array(np.asarray([value], np.int64))


def _element_type(dtype: str) -> int:
    import numpy as np
    from onnx import helper

    return int(helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


def _value_info(name: str, dtype: str, dims: Sequence[int | str]) -> Any:
    from onnx import helper

    return helper.make_tensor_value_info(name, _element_type(dtype), list(dims))


def _absent(name: str, dtype: str, shape: Sequence[int]) -> Any:
    """An initialiser whose bytes are said to be in a file."""
    from onnx import TensorProto

    tensor = TensorProto(name=name, data_type=_element_type(dtype), dims=list(shape))
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="weights.bin")
    return tensor
