"""What a simulated run returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from runtime.timeline import Timeline

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Device memory of a run in bytes.

    `peak` is what intermediate values and workspaces occupy (the planned arena, or the peak of the
    eager allocator), `lower_bound` the largest sum of live tensors at any step of the given order.
    """

    peak: int = 0
    lower_bound: int = 0
    weights: int = 0
    inputs: int = 0
    outputs: int = 0
    variables: int = 0
    reserved: int = 0

    @property
    def total(self) -> int:
        """All device memory the run needs."""
        parts = (max(self.peak, self.reserved), self.weights, self.inputs, self.outputs)
        return sum(parts) + self.variables


@dataclass(slots=True)
class RunResult:
    """Values and times of one run.

    `outputs` are logical arrays in order of the model's results, `values` maps a node name to the
    arrays it produced where they were asked for, `printed` holds (node, text) of Print. Times are
    in ns of simulated time.
    """

    name: str
    mode: str
    outputs: list[np.ndarray] = field(default_factory=list)
    output_names: list[str] = field(default_factory=list)
    values: dict[str, list[np.ndarray]] = field(default_factory=dict)
    printed: list[tuple[str, str]] = field(default_factory=list)
    timeline: Timeline = field(default_factory=Timeline)
    memory: MemoryUse = field(default_factory=MemoryUse)

    @property
    def latency_ns(self) -> int:
        """From the call on the host to its return."""
        return self.timeline.latency

    @property
    def device_ns(self) -> int:
        """From the first task's start to the last one's end on the device."""
        return self.timeline.device_span()

    @property
    def peak_bytes(self) -> int:
        """Peak of memory for intermediate values."""
        return self.memory.peak
