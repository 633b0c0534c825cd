"""What the AI Core takes, and what it costs there."""

from __future__ import annotations

from math import prod
from typing import Any

from ge_dialect.ir.types import shape_of
from ge_dialect.target.registered import OpTarget


def _operations(inputs: Any, outputs: Any, attrs: Any) -> int:
    """Two multiplications and a tanh for each element."""
    return 3 * prod(shape_of(outputs[0]) or ())


SOFT_CAP = OpTarget(
    library="shared T>T T=f16,bf16,f32",
    cost_class="elementwise",
    transcendental=True,
    flops=_operations,
)
