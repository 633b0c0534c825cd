"""Constants as ONNX tensors: inside the model, or in a file beside it.

Bytes of a weight that lies in a file are copied from there piece by piece, so that a model of any
size is written in little memory. Runs of zeros become holes of the file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from ge_dialect.diagnostics import user_error
from ge_dialect.dtypes import ge_name
from ge_dialect.exporters.onnx_values import Held, NoCounterpart
from ge_dialect.importers.onnx_reader import ELEMENT_TYPES
from ge_dialect.weights.shards import storage_of, to_bytes
from ge_dialect.weights.store import WeightStore

if TYPE_CHECKING:
    from onnx import TensorProto
    from xdsl.ir import Attribute

#: A protobuf cannot be larger.
LARGEST_FILE = (1 << 31) - (1 << 20)
#: Data in a file of their own begin at multiples of this, so that they can be mapped.
ALIGNMENT = 4096
_CHUNK = 1 << 22
_NUMBERS = {name: number for number, name in ELEMENT_TYPES.items()}


def onnx_number(elem: Attribute) -> int:
    """ONNX's number of an element type; NoCounterpart where it has none."""
    number = _NUMBERS.get(ge_name(elem))
    if number is None:
        raise NoCounterpart(f"ONNX has no element type {ge_name(elem)}")
    return number


@dataclass
class Tensors:
    """Makes the tensors of a model.

    store: where weights are. threshold: tensors of more bytes go to the file `location` (None: no
    such file); what goes there is collected in `pieces` as (offset, constant).
    """

    store: WeightStore
    location: str | None = None
    threshold: int = 1024
    size: int = 0
    inside: int = 0
    pieces: list[tuple[int, Held]] = field(default_factory=list)

    def proto(self, held: Held) -> TensorProto:
        """The tensor of a constant. Raises `GeError` GX-363 where one file cannot hold them."""
        import onnx

        out = onnx.TensorProto()
        out.name = held.name or ""
        out.data_type = onnx_number(held.elem)
        out.dims.extend(held.shape)
        dtype = ge_name(held.elem)
        nbytes = storage_of(dtype, held.shape).nbytes
        if self.location is not None and nbytes > self.threshold:
            self.size += -self.size % ALIGNMENT
            fields = {"location": self.location, "offset": self.size, "length": nbytes}
            out.data_location = onnx.TensorProto.EXTERNAL
            for key, value in fields.items():
                out.external_data.add(key=key, value=str(value))
            self.pieces.append((self.size, held))
            self.size += nbytes
            return out
        self.inside += nbytes
        if self.inside > LARGEST_FILE:
            raise user_error(
                "GX-363",
                "its constants do not fit into one ONNX file",
                found="more than 2 GiB",
                hint="write them to a file of their own: --external-data",
            )
        out.raw_data = bytes(to_bytes(held.array(), dtype))
        return out

    def write(self, stream: BinaryIO) -> None:
        """The contents of the data file."""
        for offset, held in self.pieces:
            stream.seek(offset)
            place = None if held.weight is None else self.store.place_of(held.weight)
            if place is None:
                data = to_bytes(held.array(), ge_name(held.elem))
                for start in range(0, len(data), _CHUNK):
                    _write(stream, bytes(data[start : start + _CHUNK]))
                continue
            path, begin, length = place
            with open(path, "rb") as source:
                source.seek(begin)
                while length:
                    chunk = source.read(min(_CHUNK, length))
                    if not chunk:
                        raise user_error("GX-303", f"{os.fspath(path)!r} was cut short")
                    _write(stream, chunk)
                    length -= len(chunk)
        stream.truncate(self.size)


def _write(stream: BinaryIO, chunk: bytes) -> None:
    if chunk.count(0) == len(chunk):
        stream.seek(len(chunk), os.SEEK_CUR)
    else:
        stream.write(chunk)
