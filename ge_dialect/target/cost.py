"""First cost model: a roofline with an overhead per class of kernels, in integer nanoseconds.

    AI Core   launch + max(flops / (peak · compute), bytes / (HBM · memory))
    AI CPU    dispatch + constant + max(flops / rate, bytes / rate)
    copy      launch + bytes / copy rate
    event     fixed

The peak is that of the cube for matmul, conv and attention, else that of the vector units. All
numbers stand in the SoC file with their provenance; see docs/cost_model.md for formulas and errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ge_dialect.layouts import storage_bytes
from ge_dialect.rt.view import Buffer, KernelView, MemcpyView, RecordView, Task, WaitView
from ge_dialect.target.work import Work, cost_class, is_transcendental, work_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from ge_dialect.target.soc_file import SoC

_CUBE = frozenset({"matmul", "conv", "attention"})
_GRAIN_VECTOR = 16_384
"""Bytes of output one vector core takes at least (assumed)."""
_GRAIN_CUBE = 16_384
"""Output elements one cube core takes at least: a 128 x 128 tile (assumed)."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Duration of a task and why.

    ns: total. bound: cube, vector, memory, launch, aicpu, copy or event. launch_ns, compute_ns,
    memory_ns: the parts; total is launch plus the larger of the other two. bytes, flops: the work.
    """

    ns: int
    bound: str
    launch_ns: int = 0
    compute_ns: int = 0
    memory_ns: int = 0
    bytes: int = 0
    flops: int = 0
    cost_class: str = ""


def task_cost(task: Task, soc: SoC) -> Cost:
    """Duration of a task of an `rt` stream once it runs; waiting is not part of it."""
    if isinstance(task, KernelView):
        return kernel_cost(
            task.op_type,
            [_types(slot) for slot in task.inputs],
            [b.type for b in task.outputs],
            task.attrs,
            task.engine,
            soc,
        )
    if isinstance(task, MemcpyView):
        return copy_cost(storage_bytes(task.source.type), soc)
    if isinstance(task, RecordView | WaitView):
        return Cost(soc.device.event_record_ns, "event")
    raise TypeError(f"no cost for {type(task).__name__}")


def _types(slot: Buffer | tuple[Buffer, ...] | None) -> Any:
    if slot is None:
        return None
    return slot.type if isinstance(slot, Buffer) else tuple(b.type for b in slot)


def kernel_cost(
    op_type: str,
    inputs: Sequence[Any],
    outputs: Sequence[Attribute],
    attrs: Mapping[str, Any],
    engine: str,
    soc: SoC,
) -> Cost:
    """Duration of one operator on one engine.

    inputs: per slot a tensor type, None, or a sequence of types. attrs: Python values. engine:
    GE's name; any AI CPU engine contains "AICPU".
    """
    work = work_of(op_type, inputs, outputs, attrs)
    if "AICPU" in engine:
        return aicpu_cost(work, soc)
    return aicore_cost(op_type, work, soc)


def aicore_cost(op_type: str, work: Work, soc: SoC) -> Cost:
    """AI Core kernel: roofline with the launch time and efficiencies of its class."""
    kind = soc.cost[work.cost_class]
    cube = work.cost_class in _CUBE
    if cube:
        peak = cube_flops_per_s(soc, work.dtype_bits, work.integer)
        flops = work.flops
    else:
        peak = vector_ops_per_s(soc, work.dtype_bits)
        slow = soc.vector.cycles_transcendental if is_transcendental(op_type) else 1
        flops = work.flops * slow
    compute = _ns(flops, peak * kind.compute)
    memory = _ns(work.bytes, soc.memory.hbm_bytes_per_s * kind.memory)
    longest = max(compute, memory)
    if kind.launch_ns >= longest:
        bound = "launch"
    elif compute >= memory:
        bound = "cube" if cube else "vector"
    else:
        bound = "memory"
    return Cost(
        kind.launch_ns + longest,
        bound,
        kind.launch_ns,
        compute,
        memory,
        work.bytes,
        work.flops,
        work.cost_class,
    )


def aicpu_cost(work: Work, soc: SoC) -> Cost:
    """AI CPU kernel on one core: a large constant, then slow arithmetic."""
    launch = soc.device.aicpu_dispatch_ns + soc.aicpu.kernel_ns
    compute = _ns(work.flops, soc.aicpu.flops_per_s)
    memory = _ns(work.bytes, soc.aicpu.bytes_per_s)
    return Cost(
        launch + max(compute, memory),
        "aicpu",
        launch,
        compute,
        memory,
        work.bytes,
        work.flops,
        work.cost_class,
    )


def copy_cost(size: int, soc: SoC) -> Cost:
    """Device-to-device copy of `size` bytes."""
    memory = _ns(size, soc.memory.copy_bytes_per_s)
    launch = soc.device.copy_launch_ns
    return Cost(launch + memory, "copy", launch, 0, memory, 2 * size, 0, "copy")


def cube_flops_per_s(soc: SoC, bits: int, integer: bool = False) -> int:
    """Peak of all cube cores; int8 doubles, fp32 is a quarter of the 16-bit rate."""
    cube = soc.cube
    if bits >= 32:
        macs = cube.macs_per_cycle_f32
    elif bits == 8 and integer:
        macs = cube.macs_per_cycle_i8
    else:
        macs = cube.macs_per_cycle_f16
    return 2 * macs * cube.cores * cube.clock_hz


def vector_ops_per_s(soc: SoC, bits: int) -> int:
    """Simple operations per second of all vector cores on elements of that width."""
    vector = soc.vector
    return vector.bytes_per_cycle * 8 // max(8, bits) * vector.cores * vector.clock_hz


def _ns(amount: int, per_second: float) -> int:
    """Whole nanoseconds, rounded up."""
    rate = int(per_second)
    return -(-amount * 1_000_000_000 // rate) if amount else 0


def block_dim(op_type: str, outputs: Sequence[Attribute], engine: str, soc: SoC) -> int:
    """Cores a kernel is spread over: enough work for each, at most what there is."""
    if "AICPU" in engine:
        return 1
    return _block_dim(
        cost_class(op_type) in _CUBE, tuple(outputs), soc.cube.cores, soc.vector.cores
    )


@lru_cache(maxsize=4096)
def _block_dim(cube: bool, outputs: tuple[Attribute, ...], aic: int, aiv: int) -> int:
    from ge_dialect.ir.types import num_elements

    if cube:
        amount, grain, cores = sum(num_elements(t) or 0 for t in outputs), _GRAIN_CUBE, aic
    else:
        amount, grain, cores = sum(storage_bytes(t) for t in outputs), _GRAIN_VECTOR, aiv
    return max(1, min(cores, -(-amount // grain)))
