"""A run as a short readable table."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.result import RunResult
from runtime.timeline import TaskRecord
from runtime.trace import free_time, us


def nbytes(count: int) -> str:
    """A byte count with a binary unit, at most one decimal."""
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= scale:
            tenths = count * 10 // scale
            return f"{tenths // 10}.{tenths % 10} {unit}"
    return f"{count} B"


def summary(result: RunResult, *, top: int = 5) -> str:
    """Latency, engines, memory and the costliest operator types of a run."""
    line, memory = result.timeline, result.memory
    rows: list[tuple[str, str]] = [
        ("model", f"{result.name} ({_mode(result.mode)}) on {line.device}"),
        ("latency", f"{us(line.latency)} us, of which {us(line.device_span())} us on the device"),
        ("device idle", f"{us(free_time(line))} us between kernels"),
    ]
    for engine, tasks in _engines(line.kernels()):
        busy = us(line.busy(engine))
        rows.append((engine, f"{len(tasks)} tasks, busy {busy} us"))
    types = [name for name, _ in _engines(line.kernels())]
    if len(types) > 1:
        both = sum(line.overlap(a, b) for i, a in enumerate(types) for b in types[i + 1 :])
        rows.append(("engines overlap", f"{us(both)} us"))
    rows.append(("peak memory", _memory(memory.peak, memory.lower_bound)))
    if memory.reserved:
        rows.append(("reserved", nbytes(memory.reserved)))
    rows.append(("weights", nbytes(memory.weights)))
    width = max(len(name) for name, _ in rows)
    text = [f"{name:<{width}}  {value}" for name, value in rows]
    return "\n".join([*text, "", *_top(line.kernels(), top)]) + "\n"


def _mode(mode: str) -> str:
    return {"graph": "loaded graph", "eager": "op by op"}.get(mode, mode)


def _memory(peak: int, bound: int) -> str:
    if not bound:
        return nbytes(peak)
    return f"{nbytes(peak)}, {peak * 100 // bound - 100} % above the lower bound {nbytes(bound)}"


def _engines(tasks: Sequence[TaskRecord]) -> list[tuple[str, list[TaskRecord]]]:
    groups: dict[str, list[TaskRecord]] = {}
    for task in tasks:
        groups.setdefault(task.task_type, []).append(task)
    return sorted(groups.items())


def _top(tasks: Sequence[TaskRecord], count: int) -> list[str]:
    groups: dict[str, list[int]] = {}
    for task in tasks:
        groups.setdefault(task.op_type, []).append(task.duration)
    total = sum(t.duration for t in tasks) or 1
    ranked = sorted(groups.items(), key=lambda g: (-sum(g[1]), g[0]))[:count]
    if not ranked:
        return []
    width = max(len(name) for name, _ in ranked)
    lines = [f"{'operator':<{max(width, 8)}}  tasks  time (us)   share"]
    for name, times in ranked:
        share = sum(times) * 1000 // total
        lines.append(
            f"{name:<{max(width, 8)}}  {len(times):>5}  {us(sum(times)):>9}  "
            f"{share // 10:>3}.{share % 10} %"
        )
    return lines
