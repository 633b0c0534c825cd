"""What happened when: the record of one simulated run, input of every report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

#: Task types as msprof names them.
AI_CORE, AI_CPU, MEMCPY = "AI_CORE", "AI_CPU", "MEMCPY_ASYNC"
EVENT_RECORD, EVENT_WAIT = "EVENT_RECORD", "EVENT_WAIT"
AI_VECTOR_CORE = "AI_VECTOR_CORE"
#: Cost classes whose kernels run on the cube half of an AI Core.
CUBE_CLASSES = frozenset({"matmul", "conv", "attention"})
COMPUTE_TYPES = (AI_CORE, AI_CPU, MEMCPY)

TASK_TYPE_OF_ENGINE = {
    "AIcoreEngine": AI_CORE,
    "VectorEngine": AI_VECTOR_CORE,
    "DNN_VM_AICPU": AI_CPU,
    "DNN_VM_AICPU_ASCEND": AI_CPU,
}


class TensorDesc(NamedTuple):
    """Shape in storage, GE dtype name and format of an operand, as profiles show them."""

    shape: tuple[int, ...]
    dtype: str
    format: str


class TaskRecord(NamedTuple):
    """One task on the device. Times in ns; `queued` is when it reached the head of its stream."""

    task_id: int
    stream: int
    name: str
    op_type: str
    task_type: str
    queued: int
    start: int
    end: int
    block_dim: int = 0
    inputs: tuple[TensorDesc, ...] = ()
    outputs: tuple[TensorDesc, ...] = ()
    cost: Any = None
    launch: int = -1
    event: int = -1
    nbytes: int = 0

    @property
    def duration(self) -> int:
        """Time on its engine, in ns."""
        return self.end - self.start


class HostSpan(NamedTuple):
    """One slice on a host thread, in ns. `launch` numbers the device task it starts, or is -1."""

    thread: int
    name: str
    start: int
    end: int
    launch: int = -1


@dataclass(slots=True)
class Timeline:
    """All of one run. `latency` is from the call to its return on the host, in ns.

    `cores` and `clock_hz` are those of the AI Cores; `split_cores`: cube and vector halves are
    separate. `op_state` is "static" for compiled kernels, "dynamic" for single operators.
    """

    tasks: list[TaskRecord] = field(default_factory=list)
    host: list[HostSpan] = field(default_factory=list)
    latency: int = 0
    threads: tuple[str, ...] = ("main",)
    streams: dict[int, str] = field(default_factory=dict)
    model_id: int = 1
    device: str = ""
    clock_hz: int = 0
    cores: int = 0
    split_cores: bool = False
    op_state: str = "static"

    def core_type(self, task: TaskRecord) -> str:
        """Task type as msprof prints it: on chips whose AI Core is split, vector kernels differ."""
        cost_class = getattr(task.cost, "cost_class", None)
        vector = cost_class is not None and cost_class not in CUBE_CLASSES
        split = self.split_cores and task.task_type == AI_CORE
        return AI_VECTOR_CORE if split and vector else task.task_type

    def kernels(self) -> list[TaskRecord]:
        """Tasks that occupy an engine, in order of start."""
        return [t for t in self.tasks if t.task_type not in (EVENT_RECORD, EVENT_WAIT)]

    def device_span(self) -> int:
        """From the first start to the last end on the device, in ns."""
        if not self.tasks:
            return 0
        return max(t.end for t in self.tasks) - min(t.start for t in self.tasks)

    def busy(self, task_type: str | None = None) -> int:
        """How long at least one kernel (of a type) was running, in ns."""
        chosen = [t for t in self.kernels() if task_type is None or t.task_type == task_type]
        return union_length((t.start, t.end) for t in chosen)

    def overlap(self, first: str, second: str) -> int:
        """How long kernels of two task types ran at the same time, in ns."""
        return self.busy(first) + self.busy(second) - self._busy_of((first, second))

    def _busy_of(self, types: tuple[str, ...]) -> int:
        return union_length((t.start, t.end) for t in self.kernels() if t.task_type in types)


def union_length(intervals: Iterable[tuple[int, int]]) -> int:
    """Length of the union of half-open intervals."""
    total, reach = 0, None
    for start, end in sorted(intervals):
        if reach is None or start > reach:
            total += end - start
            reach = end
        elif end > reach:
            total += end - reach
            reach = end
    return total
