"""CSV tables of a run with msprof's columns: op_summary, op_statistic and task_time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime.timeline import AI_CORE, CUBE_CLASSES, TaskRecord, TensorDesc, Timeline
from runtime.trace import us

OP_SUMMARY: tuple[str, ...] = (
    "Device_id",
    "Model ID",
    "Task ID",
    "Stream ID",
    "Op Name",
    "OP Type",
    "OP State",
    "Task Type",
    "Task Start Time(us)",
    "Task Duration(us)",
    "Task Wait Time(us)",
    "Block Num",
    "Mix Block Num",
    "HF32 Eligible",
    "Input Shapes",
    "Input Data Types",
    "Input Formats",
    "Output Shapes",
    "Output Data Types",
    "Output Formats",
    "Context ID",
)

#: Columns of the metric group PipeUtilization on chips with separate cube and vector cores.
PIPE_UTILIZATION: tuple[str, ...] = (
    "aicore_time(us)",
    "aic_total_cycles",
    "aic_mac_time(us)",
    "aic_mac_ratio",
    "aic_scalar_time(us)",
    "aic_scalar_ratio",
    "aic_mte1_time(us)",
    "aic_mte1_ratio",
    "aic_mte2_time(us)",
    "aic_mte2_ratio",
    "aic_fixpipe_time(us)",
    "aic_fixpipe_ratio",
    "aic_icache_miss_rate",
    "aiv_time(us)",
    "aiv_total_cycles",
    "aiv_vec_time(us)",
    "aiv_vec_ratio",
    "aiv_scalar_time(us)",
    "aiv_scalar_ratio",
    "aiv_mte2_time(us)",
    "aiv_mte2_ratio",
    "aiv_mte3_time(us)",
    "aiv_mte3_ratio",
    "aiv_icache_miss_rate",
    "cube_utilization(%)",
)

OP_STATISTIC: tuple[str, ...] = (
    "Device_id",
    "OP Type",
    "Core Type",
    "Count",
    "Total Time(us)",
    "Min Time(us)",
    "Avg Time(us)",
    "Max Time(us)",
    "Ratio(%)",
)

TASK_TIME: tuple[str, ...] = (
    "Device_id",
    "kernel_name",
    "kernel_type",
    "stream_id",
    "task_id",
    "task_time(us)",
    "task_start(us)",
    "task_stop(us)",
)


def op_summary_csv(line: Timeline) -> str:
    """One row per kernel in order of start; the wait is since the previous task on the device."""
    rows: list[Sequence[str]] = [(*OP_SUMMARY, *PIPE_UTILIZATION)]
    previous: int | None = None
    for task in line.kernels():
        wait = 0 if previous is None else max(task.start - previous, 0)
        rows.append((*_operator(task, line, wait), *_pipes(task, line)))
        previous = task.end if previous is None else max(previous, task.end)
    return _csv(rows)


def op_statistic_csv(line: Timeline) -> str:
    """Count and times by operator type, largest total first."""
    groups: dict[tuple[str, str], list[int]] = {}
    for task in line.kernels():
        groups.setdefault((task.op_type, line.core_type(task)), []).append(task.duration)
    total = sum(sum(v) for v in groups.values())
    rows: list[Sequence[str]] = [OP_STATISTIC]
    for (op_type, core), times in sorted(groups.items(), key=lambda g: (-sum(g[1]), g[0])):
        mean = sum(times) // len(times)
        share = sum(times) * 100_000 // total if total else 0
        figures = (us(sum(times)), us(min(times)), us(mean), us(max(times)))
        rows.append(("0", op_type, core, str(len(times)), *figures, _milli(share)))
    return _csv(rows)


def task_time_csv(line: Timeline) -> str:
    """One row per task of any kind, in order of start."""
    rows: list[Sequence[str]] = [TASK_TIME]
    rows += [
        (
            "0",
            task.name,
            line.core_type(task),
            str(task.stream),
            str(task.task_id),
            us(task.duration),
            us(task.start) + "\t",
            us(task.end) + "\t",
        )
        for task in line.tasks
    ]
    return _csv(rows)


def _operator(task: TaskRecord, line: Timeline, wait: int) -> tuple[str, ...]:
    return (
        "0",
        str(line.model_id),
        str(task.task_id),
        str(task.stream),
        task.name,
        task.op_type,
        line.op_state,
        line.core_type(task),
        us(task.start) + "\t",
        us(task.duration),
        us(wait),
        str(task.block_dim),
        "0",
        "NO",
        *_descs(task.inputs),
        *_descs(task.outputs),
        "N/A",
    )


def _descs(descs: Sequence[TensorDesc]) -> tuple[str, str, str]:
    if not descs:
        return "N/A", "N/A", "N/A"
    shapes = ";".join(",".join(map(str, d.shape)) for d in descs)
    names = ";".join(_PRINTED.get(d.dtype, d.dtype.upper()) for d in descs)
    return f'"{shapes}"', names, ";".join(d.format for d in descs)


_PRINTED = {"float32": "FLOAT", "float64": "DOUBLE", "bfloat16": "DT_BF16"}


def _pipes(task: TaskRecord, line: Timeline) -> tuple[str, ...]:
    """Pipe columns from the cost estimate: which unit was busy for how long.

    The model knows the time of the cube, of the vector unit and of memory, each as if it ran alone;
    pipes it does not model are 0.
    """
    if task.task_type != AI_CORE or task.cost is None:
        return ("N/A",) * len(PIPE_UTILIZATION)
    cost: Any = task.cost
    on_cube = cost.cost_class in CUBE_CLASSES
    compute, memory = int(cost.compute_ns), int(cost.memory_ns)
    total = task.duration
    cycles = total * line.clock_hz // 1_000_000_000
    none = us(0)
    aic = (
        none,
        "0",
        none,
        "0.000",
        none,
        "0.000",
        none,
        "0.000",
        none,
        "0.000",
        none,
        "0.000",
        "0.000",
    )
    aiv = (none, "0", none, "0.000", none, "0.000", none, "0.000", none, "0.000", "0.000")
    used = min(task.block_dim, line.cores) if line.cores else task.block_dim
    if on_cube:
        aic = (
            us(total),
            str(cycles * max(used, 1)),
            *_pair(compute, total),
            *_pair(0, total),
            *_pair(0, total),
            *_pair(memory, total),
            *_pair(0, total),
            "0.000",
        )
    else:
        aiv = (
            us(total),
            str(cycles * max(used, 1)),
            *_pair(compute, total),
            *_pair(0, total),
            *_pair(memory, total),
            *_pair(0, total),
            "0.000",
        )
    share = used * 100_000 // line.cores if on_cube and line.cores else 0
    return (*aic, *aiv, _milli(share))


def _pair(part: int, total: int) -> tuple[str, str]:
    part = min(part, total)
    return us(part), _milli(part * 1000 // total if total else 0)


def _milli(thousandths: int) -> str:
    return f"{thousandths // 1000}.{thousandths % 1000:03d}"


def _csv(rows: Iterable[Sequence[str]]) -> str:
    return "".join(",".join(_field(f) for f in row) + "\n" for row in rows)


def _field(text: str) -> str:
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        return text
    if any(c in text for c in ',"\n'):
        return '"' + text.replace('"', '""') + '"'
    return text
