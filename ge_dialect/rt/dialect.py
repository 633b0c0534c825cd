"""The xDSL dialect object of `rt`."""

from __future__ import annotations

from xdsl.ir import Dialect

from ge_dialect.rt.attributes import BufferAttr
from ge_dialect.rt.ops import RT_OPS

RT = Dialect("rt", list(RT_OPS), [BufferAttr])
