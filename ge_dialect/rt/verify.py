"""Structural checks of an `rt.model`. Races and overlaps are the sanitizer's business.

Every problem says where it is, what was found and what is expected. A loader asks the same before
it looks at any part of a model, so whatever passes here can be read without a further check.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ge_dialect.diagnostics import Diagnostic
from ge_dialect.rt.attributes import ALIGNMENT, SPACES, BufferAttr
from ge_dialect.rt.declared import operator_problems
from ge_dialect.rt.parts import COUNT, at, is_integer, part_problems, shown, value_problems

_MEMBERS = ("rt.input", "rt.output", "rt.weight", "rt.variable", "rt.stream")
_TASKS = ("rt.kernel", "rt.memcpy", "rt.event_record", "rt.event_wait")


class RtProblems(VerifyException):
    """What xDSL's verifier says of a model: all problems in one sentence."""

    def __init__(self, problems: list[Diagnostic]) -> None:
        super().__init__("; ".join(map(_sentence, problems)))


def _sentence(problem: Diagnostic) -> str:
    tail = "".join(
        f", {label} {text}"
        for label, text in (("found", problem.found), ("expected", problem.expected))
        if text
    )
    return problem.message + tail


def check_alone(op: Operation) -> list[Diagnostic]:
    """What is wrong with an operation that stands in no model: its place, before all else."""
    return [
        at(
            op,
            "GX-217",
            f"{op.name} stands outside of its place",
            expected="a stream of an rt.model" if op.name in _TASKS else "an rt.model",
        )
    ]


def check_model(model: Any, *, lone_records: bool = False) -> list[Diagnostic]:
    """All problems of a model: attributes, sizes, members, numbering, event pairing, places.

    lone_records: let events pass that are recorded and never awaited. Such a model runs; what it
    lacks is an order, and races are there to be seen.
    """
    problems = list(part_problems(model))
    if problems:
        return problems
    run = _Check(model)
    run.config()
    for op in model.body.block.ops:
        run.member(op)
    if run.whole:  # else a number or an event may be missing for another reason, which is said
        run.numbering()
        run.pairing(lone_records)
    return run.problems


class _Check:
    """One walk over a model. Operations whose own attributes are wrong are not looked into."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.problems: list[Diagnostic] = []
        self.whole = True
        self.sizes: dict[str, int] = {}
        self.bytes: dict[Any, int] = {}
        self.numbered: dict[str, list[Any]] = {"rt.input": [], "rt.output": [], "rt.stream": []}
        self.records: dict[int, list[Operation]] = {}
        self.waits: dict[int, list[Operation]] = {}
        self.nodes: set[str] = set()
        self.named: set[tuple[str, str]] = set()
        self.operators: dict[Any, list[Diagnostic]] = {}

    def say(self, op: Operation, code: str, message: str, **fields: Any) -> None:
        """Record a problem of an operation."""
        self.problems.append(at(op, code, message, **fields))

    def config(self) -> None:
        """The header: SoC, version of the text, sizes of the memory classes, counts."""
        model, config = self.model, self.model.config.data
        soc = config.get("soc")
        if not isinstance(soc, StringAttr):
            found = "nothing" if soc is None else shown(soc)
            self.say(model, "GX-217", "config has no 'soc' string", found=found)
        version = config.get("format")
        if version is not None and getattr(getattr(version, "value", None), "data", None) != 1:
            self.say(model, "GX-217", f"format is {version}; this version of ge-opt reads format 1")
        for space in SPACES:
            self._size(f"{space}_bytes", space)
        for name in ("arena_lower_bound", "events"):
            if name in config:
                self._size(name)

    def _size(self, name: str, space: str | None = None) -> None:
        value = self.model.config.data.get(name)
        if value is None or not is_integer(value):
            self.say(
                self.model,
                "GX-217",
                f"config has no integer '{name}'",
                found="nothing" if value is None else shown(value),
                expected=COUNT.words,
            )
            return
        wrong = list(value_problems(self.model, f"'{name}' of the config", value, COUNT))
        self.problems += wrong
        if not wrong and space is not None:
            self.sizes[space] = value.value.data

    # --- members and tasks

    def _is_sound(self, op: Operation) -> bool:
        """Whether an operation can be looked into; else it is said why not."""
        own = list(part_problems(op))
        self.problems += own
        self.whole &= not own
        return not own

    def member(self, op: Any) -> None:
        """One operation of the model's body."""
        if op.name not in _MEMBERS:
            expected = ", ".join(_MEMBERS)
            self.say(op, "GX-217", f"'{op.name}' cannot stand in an rt.model", expected=expected)
            return
        if not self._is_sound(op):
            return
        if op.name in self.numbered:
            self.numbered[op.name].append(op)
        if op.name != "rt.stream":
            if op.name != "rt.weight":
                self._own_name(op)
            self.place(op, op.buffer)
            return
        for task in op.body.block.ops:
            self.task(task)

    def _own_name(self, op: Any) -> None:
        """Inputs, outputs and variables are known by their names."""
        kind, name = op.name.removeprefix("rt."), op.node.data
        if (kind, name) in self.named:
            self.say(
                op,
                "GX-215",
                f"two {kind}s of the model are called {name!r}",
                hint="a name stands for one of them",
            )
        self.named.add((kind, name))

    def task(self, task: Any) -> None:
        """One task of a stream."""
        if task.name not in _TASKS:
            expected = ", ".join(_TASKS)
            self.say(task, "GX-217", f"'{task.name}' is no task of a stream", expected=expected)
            return
        if not self._is_sound(task):
            return
        if task.name == "rt.event_record":
            self.records.setdefault(task.event.value.data, []).append(task)
        elif task.name == "rt.event_wait":
            self.waits.setdefault(task.event.value.data, []).append(task)
        elif task.name == "rt.memcpy":
            self._copy(task)
        else:
            self._kernel(task)

    def _copy(self, task: Any) -> None:
        good = self.place(task, task.source) and self.place(task, task.target)
        source, target = (self.bytes.get(b.type, 0) for b in (task.source, task.target))
        if good and source != target:
            self.say(
                task,
                "GX-217",
                "a copy has ends of different sizes",
                found=f"{source} bytes at the source, {target} at the target",
            )

    def _kernel(self, task: Any) -> None:
        held = task.properties
        good = True
        for slot in held["inputs"].data:
            if isinstance(slot, BufferAttr):
                good &= self.place(task, slot)
            else:
                for buffer in getattr(slot, "data", ()):
                    good &= self.place(task, buffer)
        for buffer in held["outputs"].data:
            good &= self.place(task, buffer)
        if "workspace" in held:
            self.place(task, held["workspace"])
        node = held["node"].data
        if node in self.nodes:
            self.say(
                task,
                "GX-215",
                f"two kernels of the model are called {node!r}",
                hint="a kernel's name is unique in its model",
            )
        self.nodes.add(node)
        if good:
            self.problems += operator_problems(task, self.operators)

    def place(self, op: Operation, buffer: BufferAttr) -> bool:
        """Whether a buffer is a tensor of known size within its memory class; else it is said."""
        limit = self.sizes.get(buffer.space)
        if buffer.space not in SPACES:
            self.say(
                op,
                "GX-605",
                f"{op.name} uses a memory class that does not exist",
                found=repr(buffer.space),
                expected="one of " + ", ".join(SPACES),
            )
            return False
        size = self.bytes.get(buffer.type)
        if size is None:
            size = self._bytes(op, buffer.type)
            if size is None:
                return False
            self.bytes[buffer.type] = size
        if buffer.offset % ALIGNMENT:
            self.say(
                op,
                "GX-605",
                f"a place of {op.name} is not aligned: {buffer.space}[{buffer.offset}]",
                found=f"offset {buffer.offset}",
                expected=f"a multiple of {ALIGNMENT}",
            )
            return False
        if limit is None or (buffer.offset >= 0 and buffer.offset + size <= limit):
            return True
        self.say(
            op,
            "GX-605",
            f"a place of {op.name} lies outside of its memory class: "
            f"{buffer.space}[{buffer.offset}] with {size} bytes "
            f"exceeds {buffer.space}_bytes = {limit}",
            found=f"bytes {buffer.offset} to {buffer.offset + size}",
            expected=f"bytes within 0 to {limit}",
            hint=f"the place and '{buffer.space}_bytes' of the model's config disagree",
        )
        return False

    def _bytes(self, op: Operation, type_: Any) -> int | None:
        if not isinstance(type_, TensorType):
            found = shown(type_)
            self.say(
                op, "GX-204", f"{op.name} has a place without a tensor", found=found,
                expected="a tensor type",
            )  # fmt: skip
            return None
        from ge_dialect.layouts import LayoutError, storage_bytes

        try:
            size = storage_bytes(type_)
        except (LayoutError, ValueError, TypeError) as error:
            message = f"{op.name}: no memory holds such a tensor: {error}"
            self.say(op, "GX-204", message, found=shown(type_))
            return None
        if size < 0:
            self.say(
                op, "GX-609", f"{op.name} has a tensor of unknown size", found=shown(type_),
                expected="a static shape",
            )  # fmt: skip
            return None
        return size

    # --- the whole

    def numbering(self) -> None:
        """Bindings and streams are numbered from 0, each number once."""
        for name, ops in self.numbered.items():
            found = [op.index.value.data for op in ops]
            if sorted(found) == list(range(len(found))):
                continue
            seen: set[int] = set()
            odd = ops[0]
            for op, number in zip(ops, found, strict=True):
                if number in seen or number >= len(found):
                    odd = op
                    break
                seen.add(number)
            self.say(
                odd,
                "GX-223",
                f"{name} numbers must be 0 to {len(found) - 1}",
                found=shown(found),
                expected="each of these numbers once",
            )

    def pairing(self, lone_records: bool) -> None:
        """An event is recorded once and awaited once, and there are as many as the config says."""
        limit = self.model.config.data.get("events")
        count = limit.value.data if is_integer(limit) else None
        for event in sorted({*self.records, *self.waits}):
            made, awaited = self.records.get(event, []), self.waits.get(event, [])
            if len(made) != 1 or len(awaited) > 1 or not (awaited or lone_records):
                odd = (made[1:] or awaited[1:] or awaited or made)[0]
                self.say(
                    odd,
                    "GX-606",
                    f"event {event} is recorded {len(made)} and awaited {len(awaited)} times",
                    node=_near(odd),
                    found=f"{len(made)} rt.event_record, {len(awaited)} rt.event_wait",
                    expected="once each",
                )
            elif count is not None and event >= count:
                self.say(
                    made[0],
                    "GX-223",
                    f"event {event} does not exist",
                    node=_near(made[0]),
                    found=f"events = {count} in the config",
                    expected=f"an event below {count}",
                )


def _near(event: Operation) -> str | None:
    """The task that a wait holds up, or that a record tells of: an event has no name."""
    waits = event.name == "rt.event_wait"
    near = event.next_op if waits else event.prev_op
    while near is not None:
        node = near.properties.get("node")
        if isinstance(node, StringAttr):
            return node.data
        near = near.next_op if waits else near.prev_op
    return None
