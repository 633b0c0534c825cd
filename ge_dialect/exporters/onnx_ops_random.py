"""ONNX exports: random numbers. The numbers differ with whoever draws them; their kind does not.

A seed becomes the float of its bits, which is how the importer reads one.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from ge_dialect.dtypes import to_xdsl
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_tensor import onnx_number
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of


def _seed(n: Out) -> dict[str, Any]:
    seed = n.attrs["seed"]
    if not seed:
        return {}
    if not 0 <= seed < 2**32:
        raise NoCounterpart("the seed has more than 32 bits")
    value = struct.unpack("<f", struct.pack("<I", seed))[0]
    if not math.isfinite(value):
        raise NoCounterpart("the seed's bits are no number")
    return {"seed": value}


def _draw(n: Out, onnx_type: str) -> Val:
    dims, elem = n.ints(0), elem_of(n.result())
    attrs = {"dtype": onnx_number(elem), **_seed(n)}
    if dims is not None:
        return n.emit(onnx_type, [], elem=elem, shape=dims, **attrs)
    blank = n.emit("Expand", [n.constant(0.0, "blank"), n.int64(0)])
    return n.emit(f"{onnx_type}Like", [blank], elem=elem, **attrs)


@export("RandomUniform")
def random_uniform(n: Out) -> Results:
    """RandomUniform, or RandomUniformLike of a computed shape."""
    return _draw(n, "RandomUniform")


@export("RandomStandardNormal")
def random_normal(n: Out) -> Results:
    """RandomNormal, or RandomNormalLike of a computed shape."""
    return _draw(n, "RandomNormal")


@export("Multinomial")
def multinomial(n: Out) -> Results:
    """Multinomial of a constant number of samples."""
    elem = elem_of(n.result())
    count = n.need_ints(1, "num_samples")[0]
    attrs = {"dtype": onnx_number(elem), "sample_size": count, **_seed(n)}
    return n.emit("Multinomial", [n.x(0)], elem=elem, **attrs)


@export("Dropout", "DropOut")
def drop_out(n: Out) -> Results:
    """Dropout in training, which always scales: a product takes that back where it is not meant."""
    ratio = n.attrs["dropout_ratio"]
    if ratio >= 1:
        raise NoCounterpart("a ratio of 1 has no scale")
    training = n.constant(True, "training", to_xdsl("bool"))
    y = n.emit("Dropout", [n.x(0), n.constant(ratio, "ratio"), training])
    return y if n.attrs["scale_train"] else n.emit("Mul", [y, n.constant(1 - ratio, "rest")])
