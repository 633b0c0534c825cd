"""Constants of GE's dumps: with their bytes, with a part of them, or without."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Block

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import ge_name, numpy_dtype
from ge_dialect.importers.ge_attrs import META, message_attr
from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_nodes import RECORD, Draft, Shared, origins_of, own_name
from ge_dialect.ir import kinds
from ge_dialect.ir.build import build
from ge_dialect.ir.dense import INLINE_LIMIT
from ge_dialect.ir.types import elem_of, is_static, layout_of, num_elements, shape_of

TYPES = frozenset({"Const", "Constant"})


def add_value(shared: Shared, draft: Draft, block: Block) -> bool:
    """Add a constant to the block; False for any other node, and for a constant with inputs."""
    node = draft.node
    if node.type not in TYPES or draft.entries or len(draft.outputs) != 1:
        return False
    (type_,) = draft.outputs
    record = dict(draft.record)
    attrs = node.msg.attrs
    held = attrs.get("value")
    tensor = held.f.get("t") if held is not None else None
    data = b""
    if isinstance(tensor, Msg):
        rest = {k: v for k, v in tensor.f.items() if k not in ("desc", "data")}
        desc = tensor.get("desc")
        record["value"] = kinds.int_to_attr(-1 if desc is None else shared.desc(desc)[0])
        if rest:
            record["tensor"] = message_attr(Msg("TensorDef", -1, rest))
        data = tensor.get("data", b"")
        if "data" in tensor.f and not data:
            record["data"] = StringAttr("")
    value, whole = _value(shared, node.name, type_, data)
    if not whole and data:
        record["data"] = StringAttr(data.decode("latin-1"))
        shared.partial.append(node.name)
    attributes: dict[str, Attribute] = {
        own_name(name): shared.attribute(given)
        for name, given in sorted(attrs.items())
        if name not in META and not (name == "value" and isinstance(tensor, Msg))
    }
    attributes[RECORD] = DictionaryAttr(record)
    block.add_op(
        build(
            node.type,
            [],
            {"value": value},
            result_types=[type_],
            control=draft.controls,
            name=node.name,
            origins=origins_of(node.msg),
            attributes=attributes,
        )
    )
    return True


def _value(shared: Shared, name: str, type_: Attribute, data: bytes) -> tuple[Attribute, bool]:
    """The constant, and whether the bytes are all in it; without bytes an abstract weight."""
    from ge_dialect.weights.resolve import weight

    count = num_elements(type_)
    if data or count == 0:
        array = decode(type_, data)
        if array is not None:
            if count is not None and count <= INLINE_LIMIT:
                from ge_dialect.ir.dense import dense_from_numpy

                return dense_from_numpy(array, elem_of(type_)), True
            key = shared.store.unique_name(name)
            shared.store.put(key, array, dtype=ge_name(elem_of(type_)))
            return weight(key), True
    key = shared.store.unique_name(name)
    shape = shape_of(type_) if is_static(type_) else ()
    try:
        shared.store.declare(key, ge_name(elem_of(type_)), shape or ())
    except GeError:
        pass  # a weight of this dtype has no form in a store; the type says all there is
    return weight(key, abstract=True), False


def decode(type_: Attribute, data: bytes) -> Any:
    """The logical array behind the bytes of storage; None where they are not exactly its bytes."""
    import numpy as np

    from ge_dialect.layouts import LayoutError, from_storage, storage_shape

    if not is_static(type_):
        return None
    elem, shape, held = elem_of(type_), shape_of(type_) or (), layout_of(type_)
    try:
        dtype = numpy_dtype(elem)
        stored = storage_shape(shape, elem, held) if held is not None else shape
    except (ValueError, LayoutError):
        return None
    from ge_dialect.dtypes import bits

    count = 1
    for d in stored:
        count *= d
    if dtype.hasobject or bits(elem) % 8 or count * dtype.itemsize != len(data):
        return None
    array = np.frombuffer(data, dtype=dtype).reshape(stored)
    if (
        elem == kinds.type_to_attr("bool")
        and not np.isin(np.frombuffer(data, np.uint8), (0, 1)).all()
    ):
        return None
    if held is None:
        return array
    try:
        logical = np.ascontiguousarray(from_storage(array, shape, held))
    except (LayoutError, ValueError, NotImplementedError):
        return None
    return logical if encode(type_, logical) == data else None


def encode(type_: Attribute, array: Any) -> bytes:
    """The bytes of storage of a logical array."""
    import numpy as np

    held = layout_of(type_)
    if held is not None:
        from ge_dialect.layouts import to_storage

        array = to_storage(array, held, elem_of(type_))
    return np.ascontiguousarray(array).tobytes()
