"""Kernels of strings: for hosts, as strings have no size in a device's memory."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store


@kernel("StringLength")
def string_length(call: Call) -> None:
    """Bytes of UTF-8; characters are those bytes that continue no other."""
    x, out = logical(call.arg(0)), call.outs[0]
    lengths = np.zeros(x.size, np.int32)
    for i, text in enumerate(x.reshape(-1)):
        raw = np.frombuffer(text if isinstance(text, bytes) else text.encode(), np.uint8)
        whole = call.attrs.get("unit", "BYTE") == "BYTE"
        lengths[i] = raw.size if whole else int(np.count_nonzero((raw & 0xC0) != 0x80))
    store(out, lengths.reshape(x.shape))


@kernel("PrintV2")
def print_v2(call: Call) -> None:
    """Hand the text to the host."""
    (text,) = logical(call.arg(0)).reshape(-1)
    raw = text if isinstance(text, bytes) else text.encode()
    call.printed.append((call.node_id, raw.decode("utf-8", "replace")))
