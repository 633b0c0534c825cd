"""Seeded, well-scaled random weights for models whose own weights are missing or constant.

The models in the onnx package keep their topology but generate constant weights, under which almost
any fault of a compiler would go unseen. `randomize_weights` puts numbers in their place that keep
activations near one: fan-in-scaled filters (He et al. 2015: variance 2 / fan-in behind a Relu,
1 / fan-in elsewhere), positive variances, and damped residual branches.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import user_error

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto, NodeProto

#: The models shipped inside the onnx package, by short name.
LIGHT_MODELS = (
    "bvlc_alexnet",
    "densenet121",
    "inception_v1",
    "inception_v2",
    "resnet50",
    "shufflenet",
    "squeezenet",
    "vgg19",
    "zfnet512",
)
_FLOAT_TYPES = (1, 10, 11)
_KEEPS_SIGN = ("MaxPool", "AveragePool", "Concat", "Dropout", "LRN", "GlobalAveragePool")
_LOOK_THROUGH = ("Unsqueeze", "Squeeze", "Reshape", "Identity", "Transpose", "Cast")


def light_model_path(name: str) -> Path:
    """File of one of `LIGHT_MODELS` ("resnet50" or "light_resnet50") in the onnx package.

    Raises `GeError`: GX-007 without the package, GX-001 for an unknown name.
    """
    from importlib.util import find_spec

    from ge_dialect.tools.common import require_package

    require_package("onnx")
    short = name.removeprefix("light_").removesuffix(".onnx")
    spec = find_spec("onnx")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "backend" / "test" / "data" / "light"
    path = folder / f"light_{short}.onnx"
    if not path.is_file():
        raise user_error(
            "GX-012", f"no light model is called {name!r}", expected=", ".join(LIGHT_MODELS)
        )
    return path


def randomize_weights(model: ModelProto, seed: int) -> ModelProto:
    """A copy of `model` with random weights; the argument is not changed.

    Replaced are float ConstantOfShape nodes of constant shape, and float initialisers in a weight's
    place (filters, matrices, biases, batch statistics). Other initialisers decide behaviour
    (bounds, exponents, scales) and stay. Each tensor depends only on `seed` and its name.
    """
    import onnx
    from onnx import numpy_helper

    out = onnx.ModelProto()
    out.CopyFrom(model)
    graph = out.graph
    held = {i.name: i for i in graph.initializer}
    roles = _Roles(graph.node)
    generated: dict[str, tuple[tuple[int, ...], int]] = {}
    for node in graph.node:
        if node.op_type == "ConstantOfShape" and node.input[0] in held:
            kind = next((a.t.data_type for a in node.attribute if a.name == "value"), 1)
            if kind in _FLOAT_TYPES:
                shape = numpy_helper.to_array(held[node.input[0]]).reshape(-1).tolist()
                generated[node.output[0]] = (tuple(int(d) for d in shape), kind)
    kept = [n for n in graph.node if not (n.output and n.output[0] in generated)]
    del graph.node[:]
    graph.node.extend(kept)
    for name, (shape, kind) in generated.items():
        role = roles.of(name) or ("weight" if len(shape) > 1 else "shift")
        graph.initializer.append(_tensor(name, shape, kind, role, roles, seed))
    for name, tensor in held.items():
        role = roles.of(name)
        if role and tensor.data_type in _FLOAT_TYPES:
            fresh = _tensor(name, tuple(tensor.dims), tensor.data_type, role, roles, seed)
            tensor.CopyFrom(fresh)
    _drop_unused(graph)
    # From IR version 4 on an initialiser need not be listed as an input.
    out.ir_version = max(out.ir_version, 4)
    return out


class _Roles:
    """What a tensor is used for, found by its first telling consumer."""

    def __init__(self, nodes: Sequence[NodeProto]) -> None:
        self._uses: dict[str, list[tuple[NodeProto, int]]] = {}
        self._makers: dict[str, NodeProto] = {}
        for node in nodes:
            for i, name in enumerate(node.input):
                self._uses.setdefault(name, []).append((node, i))
            for name in node.output:
                self._makers[name] = node

    def of(self, name: str, depth: int = 4) -> str | None:
        """Role of a tensor: filter, matrix, matrix_t, shift, scale, mean, variance, or None."""
        for node, i in self._uses.get(name, ()):
            role = self._at(node, i)
            if role is None and node.op_type in _LOOK_THROUGH and i == 0 and depth:
                role = self.of(node.output[0], depth - 1)
            if role is not None:
                return role
        return None

    def _at(self, node: NodeProto, i: int) -> str | None:
        kind = node.op_type
        if kind in ("Conv", "ConvTranspose"):
            return {1: "filter", 2: "shift"}.get(i)
        if kind == "Gemm":
            transposed = any(a.name == "transB" and a.i for a in node.attribute)
            return {1: "matrix_t" if transposed else "matrix", 2: "shift"}.get(i)
        if kind == "MatMul":
            return "matrix" if i == 1 else None
        if kind in ("BatchNormalization", "InstanceNormalization", "LayerNormalization"):
            scale = "damped" if self._feeds_sum(node.output[0]) else "scale"
            return {1: scale, 2: "shift", 3: "mean", 4: "variance"}.get(i)
        if kind == "PRelu":
            return "slope" if i == 1 else None
        if kind in ("Mul", "Add"):  # an affine step behind a normalisation
            other = self._makers.get(node.input[1 - i])
            while other is not None and other.op_type in _LOOK_THROUGH:
                other = self._makers.get(other.input[0])
            if other is not None and other.op_type in ("BatchNormalization", "Mul"):
                return "scale" if kind == "Mul" else "shift"
        return None

    def gain(self, name: str) -> float:
        """Variance times fan-in of a filter or matrix: 2 where its input went through a Relu."""
        for node, i in self._uses.get(name, ()):
            if i == 1 and node.op_type in ("Conv", "Gemm", "MatMul"):
                return 2.0 if self._is_rectified(node.input[0], 12) else 1.0
        return 2.0

    def _is_rectified(self, name: str, depth: int) -> bool:
        maker = self._makers.get(name)
        if maker is None or not depth:
            return False
        if maker.op_type in ("Relu", "Clip"):
            return True
        passing = maker.op_type in _LOOK_THROUGH or maker.op_type in _KEEPS_SIGN
        return passing and self._is_rectified(maker.input[0], depth - 1)

    def _feeds_sum(self, name: str) -> bool:
        return any(node.op_type in ("Sum", "Add") for node, _ in self._uses.get(name, ()))


def _tensor(
    name: str, shape: tuple[int, ...], kind: int, role: str, roles: _Roles, seed: int
) -> Any:
    import numpy as np
    from onnx import helper, numpy_helper

    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    array = _draw(rng, shape, role, roles.gain(name)).astype(helper.tensor_dtype_to_np_dtype(kind))
    return numpy_helper.from_array(array, name)


def _draw(rng: np.random.Generator, shape: tuple[int, ...], role: str, gain: float) -> np.ndarray:
    import numpy as np

    if role in ("variance", "scale"):
        return rng.uniform(0.8, 1.25, shape)
    if role == "damped":  # the end of a residual branch
        return rng.uniform(0.3, 0.6, shape)
    if role in ("shift", "mean"):
        return rng.normal(0.0, 0.1, shape)
    if role == "slope":
        return rng.uniform(0.05, 0.3, shape)
    if role == "matrix" and len(shape) > 1:
        fan_in = shape[-2]
    else:  # (out, in, ...)
        fan_in = int(np.prod(shape[1:])) if len(shape) > 1 else shape[0] if shape else 1
    return rng.normal(0.0, np.sqrt(gain / max(fan_in, 1)), shape)


def _drop_unused(graph: Any) -> None:
    """Remove initialisers nothing reads, and all initialisers from the list of inputs."""
    used = {i for node in graph.node for i in node.input} | {o.name for o in graph.output}
    listed = {i.name for i in graph.initializer}
    for i in reversed(range(len(graph.initializer))):
        if graph.initializer[i].name not in used:
            del graph.initializer[i]
    for i in reversed(range(len(graph.input))):
        if graph.input[i].name in listed:
            del graph.input[i]
