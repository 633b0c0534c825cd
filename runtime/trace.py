"""Chrome trace JSON of a run, as msprof writes it; opens in Perfetto.

Everything is integer nanoseconds until it is printed as microseconds with three decimals, so the
bytes are the same on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from runtime.timeline import (
    COMPUTE_TYPES,
    EVENT_RECORD,
    EVENT_WAIT,
    MEMCPY,
    HostSpan,
    TaskRecord,
    Timeline,
    union_length,
)

# A process id holds (os pid, layer, device) as msprof packs them; the os pid is made up.
_OS_PID = 1
_HOST_DEVICE = 31
_LAYERS = {"CANN": 7, "Ascend Hardware": 14, "Overlap Analysis": 29}
_NO_SUBTASK = 4294967295
#: msprof's name of the software layer that a host slice's name begins with.
_LEVELS = {"AscendCL": "acl", "Model": "model", "Node": "node", "Runtime": "runtime"}


def us(ns: int) -> str:
    """Nanoseconds as microseconds with three decimals."""
    sign = "-" if ns < 0 else ""
    return f"{sign}{abs(ns) // 1000}.{abs(ns) % 1000:03d}"


def pid(layer: str, device: int = 0) -> int:
    """msprof's process id of a layer."""
    return _OS_PID << 10 | _LAYERS[layer] << 5 | device


def trace_events(line: Timeline) -> list[dict[str, Any]]:
    """The events of a timeline: names first, then slices and flows in order of time.

    Times are microseconds as text, here also the durations, which are numbers in the file.
    """
    events = _names(line)
    host_pid = pid("CANN", _HOST_DEVICE)
    kernels = line.tasks
    started = {t.launch: t.name for t in reversed(kernels)}
    events += [_host_slice(h, host_pid, started.get(h.launch, "")) for h in line.host]
    events += [_device_slice(t, line) for t in kernels]
    events += _flows(line.host, kernels, host_pid)
    events += _overlap(line)
    return events


def trace_json(line: Timeline) -> str:
    """The trace as text: a JSON array with one event per line."""
    rows = [_encode(e) for e in trace_events(line)]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _encode(event: dict[str, Any]) -> str:
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    duration = event.get("dur")
    if duration is None:
        return text
    # Durations are numbers with exactly three decimals, which json does not write by itself.
    return text.replace(f'"dur":"{duration}"', f'"dur":{duration}', 1)


def _meta(process: int, kind: str, tid: int, **args: Any) -> dict[str, Any]:
    return {"name": kind, "pid": process, "tid": tid, "args": args, "ph": "M"}


def _names(line: Timeline) -> list[dict[str, Any]]:
    host, device, overlap = (
        pid("CANN", _HOST_DEVICE),
        pid("Ascend Hardware"),
        pid("Overlap Analysis"),
    )
    events: list[dict[str, Any]] = []
    for process, name, label in (
        (host, "CANN", "CPU"),
        (device, "Ascend Hardware", "NPU 0"),
        (overlap, "Overlap Analysis", "NPU 0"),
    ):
        layer = (process >> 5) & 31
        events.append(_meta(process, "process_name", 0, name=name))
        events.append(_meta(process, "process_labels", 0, labels=label))
        events.append(_meta(process, "process_sort_index", 0, sort_index=layer))
    for tid, name in enumerate(line.threads):
        events.append(_meta(host, "thread_name", tid, name=f"Thread {tid} ({name})"))
        events.append(_meta(host, "thread_sort_index", tid, sort_index=tid))
    for stream in sorted(line.streams):
        label = f"Stream {stream} ({line.streams[stream]})"
        events.append(_meta(device, "thread_name", stream, name=label))
        events.append(_meta(device, "thread_sort_index", stream, sort_index=stream))
    for tid, name in enumerate(_OVERLAP_ROWS):
        events.append(_meta(overlap, "thread_name", tid, name=name))
    return events


def _host_slice(span: HostSpan, process: int, item: str) -> dict[str, Any]:
    """A slice of a host thread; its name is `layer@call`, `item` the task that the call starts."""
    layer, _, call = span.name.partition("@")
    args: dict[str, Any] = {
        "Thread Id": span.thread,
        "Mode": "launch",
        "level": _LEVELS.get(layer, layer.lower()),
        "id": call,
        "item_id": item,
    }
    if span.launch >= 0:
        args["connection_id"] = _connection(span.launch)
    return {
        "name": span.name,
        "pid": process,
        "tid": span.thread,
        "ts": us(span.start),
        "dur": us(span.end - span.start),
        "args": args,
        "ph": "X",
    }


def _connection(launch: int) -> int:
    """Number of a host launch, from 1; its flow has it in the upper 32 bits of the id."""
    return launch + 1


def _device_slice(task: TaskRecord, line: Timeline) -> dict[str, Any]:
    args: dict[str, Any] = {
        "Model Id": line.model_id,
        "Task Type": line.core_type(task),
        "Physic Stream Id": task.stream,
        "Task Id": task.task_id,
        "Batch Id": 0,
        "Subtask Id": _NO_SUBTASK,
    }
    if task.launch >= 0:
        args["connection_id"] = _connection(task.launch)
    if task.event >= 0:
        args["Event Id"] = task.event
    if task.task_type == MEMCPY:
        args["size(B)"] = task.nbytes
        # bytes per ns are GB/s
        args["bandwidth(GB/s)"] = task.nbytes * 1000 // max(task.duration, 1) / 1000
        args["operation"] = "device to device"
    bound = getattr(task.cost, "bound", None)
    if bound:
        args["Bound"] = bound
    return {
        "name": task.name,
        "pid": pid("Ascend Hardware"),
        "tid": task.stream,
        "ts": us(task.start),
        "dur": us(task.duration),
        "args": args,
        "ph": "X",
    }


def _flows(
    host: Sequence[HostSpan], tasks: Sequence[TaskRecord], host_pid: int
) -> list[dict[str, Any]]:
    """An arrow from each host launch to the first task it starts."""
    first: dict[int, TaskRecord] = {}
    for task in tasks:
        if task.launch >= 0 and task.launch not in first:
            first[task.launch] = task
    events: list[dict[str, Any]] = []
    for span in host:
        task = first.get(span.launch)
        if task is None:
            continue
        number = str(_connection(span.launch) << 32)
        head = {"name": f"HostToDevice{number}", "cat": "HostToDevice", "id": number}
        events.append(
            {**head, "ph": "s", "pid": host_pid, "tid": span.thread, "ts": us(span.start)}
        )
        device = {"pid": pid("Ascend Hardware"), "tid": task.stream, "ts": us(task.start)}
        events.append({**head, "ph": "f", "bp": "e", **device})
    return events


_OVERLAP_ROWS = ("Computing", "Communication", "Communication(Not Overlapped)", "Free")


def _overlap(line: Timeline) -> list[dict[str, Any]]:
    """Msprof's analysis rows: when the device computed and when it was free."""
    spans = sorted((t.start, t.end) for t in line.tasks if t.task_type not in _SYNC)
    events: list[dict[str, Any]] = []
    previous: int | None = None
    for start, end in _merge(spans):
        if previous is not None:
            events.append(_row(3, previous, start))
        events.append(_row(0, start, end))
        previous = end
    return events


_SYNC = (EVENT_RECORD, EVENT_WAIT)


def _merge(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _row(tid: int, start: int, end: int) -> dict[str, Any]:
    return {
        "name": _OVERLAP_ROWS[tid],
        "pid": pid("Overlap Analysis"),
        "tid": tid,
        "ts": us(start),
        "dur": us(end - start),
        "args": {},
        "ph": "X",
    }


def free_time(line: Timeline) -> int:
    """How long the device did nothing between its first and last kernel, in ns."""
    kernels = [t for t in line.tasks if t.task_type in COMPUTE_TYPES]
    if not kernels:
        return 0
    span = max(t.end for t in kernels) - min(t.start for t in kernels)
    return span - union_length((t.start, t.end) for t in kernels)
