"""Reading ONNX files safely: the protobuf, element types, tensors and external data.

Whatever is in a file, the outcome is a model or a `GeError`; a traceback would be a fault here.
"""

from __future__ import annotations

import math
import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import user_error
from ge_dialect.dtypes import BY_NAME, numpy_dtype
from ge_dialect.weights.index import check_regular

if TYPE_CHECKING:
    import numpy as np
    from onnx import GraphProto, ModelProto, NodeProto, TensorProto

#: ONNX's TensorProto.DataType -> dtype name; the host-only ones are not GE's.
ELEMENT_TYPES: dict[int, str] = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    8: "string",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    14: "complex64",
    15: "complex128",
    16: "bfloat16",
    17: "float8_e4m3fn",
    18: "float8_e4m3fnuz",
    19: "float8_e5m2",
    20: "float8_e5m2fnuz",
    21: "uint4",
    22: "int4",
    23: "float4_e2m1",
    24: "float8_e8m0",
    25: "uint2",
    26: "int2",
}
_ELEMENT_TEXT = {0: "UNDEFINED"}


def dtype_name(number: int) -> str:
    """GE dtype name of an ONNX element type. Raises `GeError` GX-335."""
    name = ELEMENT_TYPES.get(number)
    if name is None:
        shown = _ELEMENT_TEXT.get(number, f"number {number}")
        raise user_error("GX-335", f"ONNX element type {shown} has no counterpart in GE")
    return name


def read_model(data: bytes, name: str) -> ModelProto:
    """The model in `data`; `name` is what to call the file. Raises `GeError` GX-330."""
    import onnx

    def bad(what: str, **fields: Any) -> Exception:
        return user_error("GX-330", f"not a readable ONNX model: {what}", location=name, **fields)

    if not data:
        raise bad("it is empty")
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except Exception as error:  # DecodeError of whichever protobuf is installed
        text = " ".join(str(error).split()) or type(error).__name__
        raise bad(
            "truncated or not a protobuf", found=f"{len(data)} bytes", hint=text[:160]
        ) from None
    check_model(model, name)
    return model


def check_model(model: ModelProto, name: str) -> None:
    """What must hold before the graph is looked at. Raises `GeError` GX-330."""
    what = None
    if not model.HasField("graph"):
        what = "it has no graph"
    elif not model.opset_import:
        what = "it names no opset"
    elif not (model.graph.node or model.graph.output or model.graph.name):
        # ONNX wants a name; bytes that only happen to be a protobuf have none
        what = "its graph has no name and nothing in it"
    elif not all(type(text) is str for text in _names(model)):
        what = "a name in it is not UTF-8"
    if what is not None:
        raise user_error("GX-330", f"not a readable ONNX model: {what}", location=name)


def _names(model: ModelProto) -> Iterator[object]:
    """All names in a model. Broken UTF-8 comes out of protobuf as bytes or as an error."""
    try:
        for opset in model.opset_import:
            yield opset.domain
        nodes = [f for function in model.functions for f in function.node]
        yield from _graph_names(model.graph)
        yield from _node_names(nodes)
    except UnicodeDecodeError:
        yield None


def _graph_names(graph: GraphProto) -> Iterator[object]:
    yield graph.name
    for tensor in graph.initializer:
        yield tensor.name
        for entry in tensor.external_data:
            yield from (entry.key, entry.value)
    for info in (*graph.input, *graph.output, *graph.value_info):
        yield info.name
        for dim in info.type.tensor_type.shape.dim:
            yield dim.dim_param
    yield from _node_names(graph.node)


def _node_names(nodes: Iterable[NodeProto]) -> Iterator[object]:
    for node in nodes:
        yield from (node.name, node.op_type, node.domain, *node.input, *node.output)
        for attribute in node.attribute:
            yield attribute.name
            if attribute.type == 5:
                yield from _graph_names(attribute.g)
            for graph in attribute.graphs:
                yield from _graph_names(graph)


class TensorSource:
    """Type and bytes of one ONNX tensor; the bytes are decoded when asked for."""

    def __init__(self, proto: TensorProto, folders: Sequence[Path], abstract: bool = False) -> None:
        """`folders` are where external data may be, in order; none refuses them. With `abstract`
        they need not exist, and asking for their bytes is the error GX-305.

        Raises `GeError`: GX-333 (wrong number of elements), GX-334 (external data), GX-335.
        """
        self.name: str = proto.name
        self.dtype = dtype_name(proto.data_type)
        self.shape: tuple[int, ...] = tuple(proto.dims)
        if any(d < 0 for d in self.shape):
            raise user_error("GX-333", f"tensor {self.name!r} has a negative dim {self.shape}")
        self.count = math.prod(self.shape)
        self._proto = proto
        self.array: Callable[[], np.ndarray]
        #: File and offset of external data.
        self.place: tuple[str, int] | None = None
        if proto.data_location == 1 and abstract:
            self.array = self._no_bytes
        elif proto.data_location == 1:
            self.array, self.place = _external(proto, self, folders)
        else:
            self._check_length()
            self.array = self._decode

    def _no_bytes(self) -> np.ndarray:
        raise user_error("GX-305", f"tensor {self.name!r} is external and was imported as abstract")

    def _check_length(self) -> None:
        proto = self._proto
        bits = BY_NAME[self.dtype].bits
        if proto.HasField("raw_data"):
            found, expected = len(proto.raw_data), (self.count * bits + 7) // 8
            unit = "bytes"
        else:
            fields = (
                proto.float_data,
                proto.int32_data,
                proto.int64_data,
                proto.double_data,
                proto.uint64_data,
                proto.string_data,
            )
            found, unit = max(len(f) for f in fields), "elements"
            expected = self.count
            if bits < 8 and self.dtype != "bool":
                expected = (self.count * bits + 7) // 8
            elif self.dtype.startswith("complex"):
                expected = 2 * self.count
        if found != expected:
            raise user_error(
                "GX-333",
                f"tensor {self.name!r} of shape {list(self.shape)} has the wrong amount of data",
                found=f"{found} {unit}",
                expected=f"{expected} {unit}",
            )

    def _decode(self) -> np.ndarray:
        from onnx import numpy_helper

        try:
            array = numpy_helper.to_array(self._proto)
        except Exception as error:  # whatever the decoder makes of a broken tensor
            text = " ".join(str(error).split())
            raise user_error("GX-333", f"tensor {self.name!r} cannot be decoded: {text}") from None
        if self.dtype == "string":
            return array
        wanted = numpy_dtype(BY_NAME[self.dtype].type)
        return array if array.dtype == wanted else array.astype(wanted)


def _external(
    proto: TensorProto, source: TensorSource, folders: Sequence[Path]
) -> tuple[Callable[[], np.ndarray], tuple[str, int]]:
    """A reader of external data, checked now (place and size), mapped when called; their place."""
    fields = {entry.key: entry.value for entry in proto.external_data}
    location = fields.get("location", "")

    def bad(what: str, **kw: Any) -> Exception:
        return user_error("GX-334", f"external data of tensor {source.name!r}: {what}", **kw)

    if not folders:
        raise bad("the model was not read from a file, so there is no folder to look in")
    if not location or os.path.isabs(location) or "\0" in location or "\\" in location:
        raise bad("the location must be a relative path", found=repr(location[:120]))
    path = ""
    for folder in folders:
        path, root = os.path.realpath(folder / location), os.path.realpath(folder)
        if os.path.commonpath([path, root]) != root:
            raise bad("the location is outside the folder of the model", found=repr(location[:120]))
        if os.path.lexists(path):
            break
    try:
        check_regular(Path(path))
        size = os.stat(path).st_size
        offset = int(fields.get("offset", "0") or 0)
        bits = BY_NAME[source.dtype].bits
        needed = (source.count * bits + 7) // 8
        length = int(fields.get("length", needed) or needed)
    except OSError as error:
        raise bad(f"cannot be read: {error.strerror}", found=repr(location[:120])) from None
    except ValueError:
        raise bad("offset or length is no number", found=str(fields)[:120]) from None
    if source.dtype == "string" or length != needed or offset < 0 or offset + length > size:
        raise bad(
            f"file {location!r} does not hold it",
            found=f"{length} bytes at {offset} in a file of {size}",
            expected=f"{needed} bytes",
        )

    def read() -> np.ndarray:
        from ge_dialect.weights.shards import from_bytes

        if needed == 0:
            return from_bytes(b"", source.dtype, source.shape)
        with open(path, "rb") as stream:
            mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        raw = memoryview(mapped)[offset : offset + needed]
        return from_bytes(raw, source.dtype, source.shape)

    return read, (path, offset)
