"""Structural checks of an `rt.model`. Races and overlaps are the sanitizer's business."""

from __future__ import annotations

from collections import Counter
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, StringAttr

_MEMBERS = ("rt.input", "rt.output", "rt.weight", "rt.variable", "rt.stream")
_TASKS = ("rt.kernel", "rt.memcpy", "rt.event_record", "rt.event_wait")


def check_model(model: Any) -> list[str]:
    """All problems of a model: sizes, members, numbering, event pairing, places."""
    config = model.config.data
    problems = []
    if not isinstance(config.get("soc"), StringAttr):
        problems.append("config has no 'soc' string")
    version = model.config.data.get("format")
    if version is not None and getattr(getattr(version, "value", None), "data", None) != 1:
        problems.append(f"format is {version}; this version of ge-opt reads format 1")
    sizes: dict[str, int] = {}
    for space in ("arena", "weight", "input", "output", "variable"):
        size = config.get(f"{space}_bytes")
        if isinstance(size, IntegerAttr):
            sizes[space] = size.value.data
        else:
            problems.append(f"config has no integer '{space}_bytes'")
    checker = _Places(sizes)
    records: Counter[int] = Counter()
    waits: Counter[int] = Counter()
    numbers: dict[str, list[int]] = {"rt.input": [], "rt.output": [], "rt.stream": []}
    for op in model.body.block.ops:
        if op.name not in _MEMBERS:
            problems.append(f"'{op.name}' cannot stand in an rt.model")
            continue
        if op.name in numbers:
            numbers[op.name].append(op.index.value.data)
        if op.name != "rt.stream":
            checker.check(op.buffer, op.name)
            continue
        for task in op.body.block.ops:
            if task.name not in _TASKS:
                problems.append(f"'{task.name}' is no task of a stream")
            elif task.name == "rt.event_record":
                records[task.event.value.data] += 1
            elif task.name == "rt.event_wait":
                waits[task.event.value.data] += 1
            else:
                checker.check_task(task)
    for name, found in numbers.items():
        if sorted(found) != list(range(len(found))):
            problems.append(f"{name} numbers must be 0 to {len(found) - 1}, found {found}")
    for event in sorted(set(records) | set(waits)):
        if records[event] != 1 or waits[event] != 1:
            problems.append(
                f"event {event} is recorded {records[event]} and awaited {waits[event]} times; "
                "once each is expected"
            )
    return problems + checker.problems


class _Places:
    """Checks that buffers lie within their memory class; keeps the sizes of types it has met."""

    def __init__(self, sizes: dict[str, int]) -> None:
        self.sizes = sizes
        self.bytes: dict[Any, int] = {}
        self.problems: list[str] = []

    def check(self, buffer: Any, where: str) -> None:
        space, offset = buffer.space, buffer.offset
        limit = self.sizes.get(space)
        if limit is None:
            return
        size = self.bytes.get(buffer.type)
        if size is None:
            from ge_dialect.layouts import LayoutError, storage_bytes

            try:
                size = storage_bytes(buffer.type)
            except LayoutError as error:
                self.problems.append(f"{where}: {buffer.type}: {error}")
                size = 0
            self.bytes[buffer.type] = size
        if offset + size > limit:
            self.problems.append(
                f"{where}: {space}[{offset}] with {size} bytes exceeds {space}_bytes = {limit}"
            )

    def check_task(self, task: Any) -> None:
        where = f"{task.name} {task.node.data!r}"
        if task.name == "rt.memcpy":
            self.check(task.source, where)
            self.check(task.target, where)
            return
        for slot in task.inputs.data:
            for buffer in getattr(slot, "data", (slot,)) if slot.name != "unit" else ():
                self.check(buffer, where)
        for buffer in task.outputs.data:
            self.check(buffer, where)
        if task.workspace is not None:
            self.check(task.workspace, where)
