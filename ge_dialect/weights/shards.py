"""One shard: a safetensors file, read as a memory map and written as a whole.

Layout: 8 bytes little-endian header length, a JSON header `{name: {dtype, shape, data_offsets}}`,
then the tensors back to back. The header is read here and not by the safetensors package, because
its numpy interface has no bf16, fp8 or int4 and copies what it reads.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import user_error
from ge_dialect.dtypes import BY_NAME, numpy_dtype
from ge_dialect.weights.index import check_regular

if TYPE_CHECKING:
    import numpy as np

#: GE dtype name -> safetensors tag. Types without a tag of their own are stored as bytes.
TAGS: dict[str, str] = {
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "float64": "F64",
    "int8": "I8",
    "int16": "I16",
    "int32": "I32",
    "int64": "I64",
    "uint8": "U8",
    "uint16": "U16",
    "uint32": "U32",
    "uint64": "U64",
    "bool": "BOOL",
    "float8_e5m2": "F8_E5M2",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e8m0": "F8_E8M0",
    "complex64": "F32",
    "complex128": "F64",
}
#: Bytes of one element of each tag.
TAG_BYTES: dict[str, int] = {
    "BOOL": 1,
    "U8": 1,
    "I8": 1,
    "F8_E5M2": 1,
    "F8_E4M3": 1,
    "F8_E8M0": 1,
    "I16": 2,
    "U16": 2,
    "F16": 2,
    "BF16": 2,
    "I32": 4,
    "U32": 4,
    "F32": 4,
    "I64": 8,
    "U64": 8,
    "F64": 8,
}
#: A longer header is taken for garbage (the limit of the safetensors format).
MAX_HEADER = 100_000_000


@dataclass(frozen=True)
class Stored:
    """How a tensor lies in a shard: tag, storage shape, bytes."""

    tag: str
    shape: tuple[int, ...]
    nbytes: int


@cache
def _packed_bits(dtype: str) -> int:
    """Bits of a dtype stored several elements to the byte, 0 for the others."""
    row = BY_NAME[dtype]
    return row.bits if row.bits in (2, 4) else 0


def storage_of(dtype: str, shape: Sequence[int]) -> Stored:
    """Storage of a tensor of GE dtype `dtype`. 4- and 2-bit types are packed, low bits first.

    Raises `GeError` GX-307 for a dtype that has no bytes of its own (string, resource).
    """
    row = BY_NAME.get(dtype)
    if row is None or row.numpy in (None, "object"):
        raise user_error("GX-307", f"weights of dtype {dtype} cannot be stored")
    count = math.prod(shape)
    if bits := _packed_bits(dtype):
        nbytes = (count * bits + 7) // 8
        return Stored("U8", (nbytes,), nbytes)
    tag = TAGS.get(dtype, "U8")
    if dtype.startswith("complex"):
        stored = (*shape, 2)
    elif tag == "U8" and (size := numpy_dtype(row.type).itemsize) > 1:
        stored = (*shape, size)  # qint16 and the like
    else:
        stored = tuple(shape)
    return Stored(tag, stored, math.prod(stored) * TAG_BYTES[tag])


def to_bytes(array: np.ndarray, dtype: str) -> memoryview:
    """Storage bytes of an array (little-endian, row-major)."""
    import numpy as np

    flat: Any = np.ascontiguousarray(array).reshape(-1)
    if bits := _packed_bits(dtype):
        per_byte = 8 // bits
        codes = flat.view(np.uint8) & ((1 << bits) - 1)
        codes = np.pad(codes, (0, -len(codes) % per_byte)).reshape(-1, per_byte)
        shifts = np.arange(per_byte, dtype=np.uint8) * bits
        flat = np.bitwise_or.reduce(codes << shifts, axis=1).astype(np.uint8)
    elif flat.dtype.byteorder == ">":
        flat = flat.astype(flat.dtype.newbyteorder("<"))
    return memoryview(flat.view(np.uint8))


def from_bytes(raw: Any, dtype: str, shape: Sequence[int]) -> np.ndarray:
    """Array over storage bytes: a read-only view, or a new array for packed dtypes."""
    import numpy as np

    kind = numpy_dtype(BY_NAME[dtype].type)
    bits = _packed_bits(dtype)
    if not bits:
        return np.frombuffer(raw, dtype=kind).reshape(shape)
    per_byte = 8 // bits
    shifts = np.arange(per_byte, dtype=np.uint8) * bits
    packed = np.frombuffer(raw, dtype=np.uint8)
    codes = ((packed[:, None] >> shifts) & ((1 << bits) - 1)).reshape(-1)[: math.prod(shape)]
    if BY_NAME[dtype].name.startswith("int"):  # sign-extend; ml_dtypes reads the whole byte
        sign = 1 << (bits - 1)
        codes = ((codes.astype(np.int8) ^ sign) - sign).view(np.uint8)
    return np.ascontiguousarray(codes).view(kind).reshape(shape)


class Shard:
    """A safetensors file, checked when opened and mapped on first access to its bytes."""

    def __init__(self, path: Path) -> None:
        """Read and check the header. Raises `GeError` GX-303 naming what is wrong."""
        self.path = path
        self.tensors: dict[str, tuple[Stored, int]] = {}
        self._map: mmap.mmap | None = None
        try:
            check_regular(path)
            with path.open("rb") as stream:
                size = os.fstat(stream.fileno()).st_size
                self._read_header(stream, size)
        except OSError as error:
            reason = error.strerror or str(error)
            raise self._bad(f"cannot be read: {reason}") from None

    def _bad(self, what: str, **fields: Any) -> Exception:
        return user_error("GX-303", f"weight shard {self.path.name!r} {what}", **fields)

    def _read_header(self, stream: Any, size: int) -> None:
        head = stream.read(8)
        if len(head) < 8:
            raise self._bad("is truncated", found=f"{size} bytes", expected="at least 8")
        length = int.from_bytes(head, "little")
        if length > min(MAX_HEADER, size - 8):
            raise self._bad(
                "is truncated or not a safetensors file",
                found=f"{size} bytes",
                expected=f"a header of {length} bytes",
            )
        try:
            header = json.loads(stream.read(length))
        except (ValueError, RecursionError):
            raise self._bad("has a header that is not JSON") from None
        if not isinstance(header, dict):
            raise self._bad("has a header that is not an object")
        header.pop("__metadata__", None)
        end = 0
        for name, fields in header.items():
            end = max(end, self._read_tensor(name, fields, 8 + length))
        if 8 + length + end != size:
            raise self._bad(
                "is truncated" if size < 8 + length + end else "has bytes that belong to nothing",
                found=f"{size} bytes",
                expected=f"{8 + length + end} bytes",
            )

    def _read_tensor(self, name: str, fields: Any, base: int) -> int:
        try:
            tag, shape = fields["dtype"], fields["shape"]
            begin, end = fields["data_offsets"]
            sizes = [*shape, begin, end]
            ok = all(type(n) is int and n >= 0 for n in sizes)
            nbytes = math.prod(shape) * TAG_BYTES[tag]
        except (KeyError, TypeError, ValueError):
            ok, tag, shape, begin, end, nbytes = False, "", (), 0, 0, 0
        if not ok or end - begin != nbytes:
            raise self._bad(f"describes tensor {name!r} wrongly", found=str(fields)[:120])
        self.tensors[name] = (Stored(tag, tuple(shape), nbytes), base + begin)
        return end

    def bytes_of(self, key: str) -> memoryview:
        """Read-only bytes of a tensor, memory-mapped."""
        stored, offset = self.tensors[key]
        if stored.nbytes == 0:
            return memoryview(b"")
        if self._map is None:
            try:
                with self.path.open("rb") as stream:
                    self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            except (OSError, ValueError) as error:
                raise self._bad(f"cannot be mapped: {error}") from None
        raw = memoryview(self._map)[offset : offset + stored.nbytes]
        if len(raw) != stored.nbytes:
            raise self._bad("was cut short after it was opened")
        return raw


def write_shard(
    path: Path, tensors: Iterable[tuple[str, str, Sequence[int], Callable[[], np.ndarray]]]
) -> None:
    """Write `(key, dtype, shape, array maker)` tensors, one array in memory at a time."""
    rows = list(tensors)
    header: dict[str, Any] = {}
    offset = 0
    for key, dtype, shape, _ in rows:
        stored = storage_of(dtype, shape)
        header[key] = {
            "dtype": stored.tag,
            "shape": list(stored.shape),
            "data_offsets": [offset, offset + stored.nbytes],
        }
        offset += stored.nbytes
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode()
    text += b" " * (-len(text) % 8)
    with path.open("xb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for key, dtype, shape, make in rows:
            array = make()
            if tuple(array.shape) != tuple(shape):
                raise user_error(
                    "GX-303",
                    f"weight {key!r} has another shape than announced",
                    found=str(tuple(array.shape)),
                    expected=str(tuple(shape)),
                )
            stream.write(to_bytes(array, dtype))
