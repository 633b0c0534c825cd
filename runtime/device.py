"""The simulated device: engine pools, fixed overheads and the duration of each task."""

from __future__ import annotations

from functools import cache
from typing import Any

from ge_dialect.dtypes import ge_name
from ge_dialect.ir.types import elem_of, layout_of, shape_of
from ge_dialect.layouts import storage_shape
from ge_dialect.rt.view import KernelView
from ge_dialect.target.cost import Cost, copy_cost, task_cost
from ge_dialect.target.soc_file import SoC
from runtime.scheduler import KERNEL, Job, Overheads
from runtime.timeline import CUBE_CLASSES, TASK_TYPE_OF_ENGINE, TaskRecord, TensorDesc, Timeline

AI_CORE, AICPU, COPY = "AIcoreEngine", "DNN_VM_AICPU", "copy"


class Device:
    """One device of a SoC.

    `pools` are the units kernels compete for: AI Cores, AI CPU cores, one copy engine.
    """

    def __init__(self, soc: SoC) -> None:
        self.soc = soc
        self.pools = {AI_CORE: soc.cube.cores, AICPU: soc.aicpu.cores, COPY: 1}
        self.overheads = Overheads(
            gap=soc.device.task_gap_ns,
            record=soc.device.event_record_ns,
            signal=soc.device.event_signal_ns,
        )

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that run kernels."""
        return tuple(name for name in self.pools if name != COPY)

    def kernel(self, stream: int, task: KernelView) -> tuple[Job, TaskRecord]:
        """The job of a kernel and its record without times."""
        cost = task_cost(task, self.soc)
        job = Job(KERNEL, task.node, cost.ns, task.engine, self._units(task, cost))
        record = TaskRecord(
            0,
            stream,
            task.node,
            task.op_type,
            TASK_TYPE_OF_ENGINE.get(task.engine, task.engine),
            0,
            0,
            0,
            task.block_dim,
            tuple(describe(b.type) for b in task.reads()),
            tuple(describe(b.type) for b in task.outputs),
            cost,
        )
        return job, record

    def _units(self, task: KernelView, cost: Cost) -> int:
        """AI Cores a kernel occupies; two vector cores belong to one AI Core."""
        if task.engine != AI_CORE:
            return 1
        if cost.cost_class in CUBE_CLASSES:
            return min(task.block_dim, self.soc.cube.cores)
        per_core = max(self.soc.vector.cores // self.soc.cube.cores, 1)
        return min(-(-task.block_dim // per_core), self.soc.cube.cores)

    def copy_ns(self, nbytes: int) -> int:
        """Duration of a copy within device memory."""
        return copy_cost(nbytes, self.soc).ns

    def host_copy_ns(self, nbytes: int) -> int:
        """Duration of a copy between host and device."""
        moved = -(-nbytes * 1_000_000_000 // self.soc.host.copy_bytes_per_s)
        return self.soc.host.copy_ns + moved

    def timeline(self) -> Timeline:
        """An empty timeline of this device."""
        return Timeline(
            device=self.soc.name,
            clock_hz=self.soc.cube.clock_hz,
            cores=self.soc.cube.cores,
            split_cores=self.soc.vector.cores != self.soc.cube.cores,
        )


@cache
def describe(type_: Any) -> TensorDesc:
    """An operand as profiles show it: storage shape, GE dtype name, format."""
    layout = layout_of(type_)
    shape = storage_shape(shape_of(type_) or (), elem_of(type_), layout)
    return TensorDesc(shape, ge_name(elem_of(type_)), "ND" if layout is None else layout.format)
