"""A loaded static model: memory is laid out and filled once, then it runs many times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ge_dialect.diagnostics import Diagnostic, GeError, user_error
from ge_dialect.ir.names import STABLE_ID
from ge_dialect.keep import Keep, checked
from ge_dialect.layouts import storage_bytes
from ge_dialect.rt.view import (
    Buffer,
    KernelView,
    MemcpyView,
    ModelView,
    RecordView,
    StreamView,
    read_model,
)
from ge_dialect.spelling import nearest
from ge_dialect.target.engines import ENGINES
from ge_dialect.target.soc_file import SoC, load_soc
from runtime.device import Device
from runtime.executor import (
    BoundCopy,
    BoundKernel,
    BoundTask,
    Executor,
    input_types,
    run_kernel,
)
from runtime.inputs import Inputs, InputSpec, check_inputs, model_specs
from runtime.kernels.registry import Call, Kernel, Slot, View, find_kernel, kernel_names
from runtime.kernels.views import logical, store
from runtime.memory import LayoutCache, Memory
from runtime.packed import load, memory_of, save
from runtime.result import MemoryUse, RunResult
from runtime.scheduler import COPY, RECORD, WAIT, Job, Schedule, Scheduler, Span
from runtime.timeline import (
    EVENT_RECORD,
    EVENT_WAIT,
    MEMCPY,
    HostSpan,
    TaskRecord,
    Timeline,
)
from runtime.value_rules import rule_of

if TYPE_CHECKING:
    from ge_dialect.weights import WeightStore


@dataclass
class LoadedModel:
    """A compiled model in the memory of a simulated device.

    `weights` resolves `#ge.weight` values. With `values=False` nothing is placed and runs give
    times only, which needs neither weight bytes nor kernels. Raises `GeError`: GX-601 (operators
    without a kernel, all at once), GX-604 (weights), GX-605 (places), GX-607 (element types),
    GX-608 (more memory than the device has), GX-620 (engines that it does not have).
    """

    model: ModelView
    weights: WeightStore | None = None
    soc: SoC | None = None
    values: bool = True
    device: Device = field(init=False)
    memory: Memory | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.soc = self.soc or load_soc(self.model.soc or "Ascend910B2")
        self.device = Device(self.soc)
        self._layouts = LayoutCache()
        self._check_size()
        self._check_engines()
        kernels = self._find_kernels() if self.values else {}
        if self.values:
            self.memory = Memory(self.model.sizes)
            self._layouts = self.memory.layouts
            self._place_constants()
        self._streams = [self._bind_stream(s, kernels) for s in self.model.streams]
        self._specs = model_specs(self.model, self._layouts)
        self._inputs = self._bindings(self.model.inputs)
        self._outputs = self._bindings(self.model.outputs)

    # --- loading ---

    def _check_size(self) -> None:
        need = sum(self.model.sizes.values())
        have = self.device.soc.memory.hbm_bytes
        if need > have:
            raise user_error(
                "GX-608",
                "the model does not fit into device memory",
                found=", ".join(f"{k} {v}" for k, v in self.model.sizes.items()) + " bytes",
                expected=f"at most {have} bytes in all on {self.device.soc.name}",
            )

    def _check_engines(self) -> None:
        """Every engine that is named is one of the device, also where only times are asked for."""
        have = self.device.engines
        of_streams = (*ENGINES, *(e for e in have if e not in ENGINES))
        problems = [
            unknown_engine(k.engine, have, f"the kernel of {k.op_type}", k.location, k.node)
            for k in self.model.kernels()
            if k.engine not in have
        ]
        problems += [
            unknown_engine(s.engine, of_streams, f"stream {s.index}", s.location)
            for s in self.model.streams
            if s.engine not in of_streams
        ]
        if problems:
            raise GeError(problems)

    def _find_kernels(self) -> dict[str, Kernel]:
        """The kernel of each node; all missing ones in one error."""
        found: dict[str, Kernel] = {}
        missing: dict[tuple[str, str, str], tuple[str, str | None]] = {}
        for view in self.model.kernels():
            formats = kernel_formats(view)
            kernel = find_kernel(view.op_type, view.engine, formats)
            if kernel is None:
                key = (view.op_type, view.engine, ", ".join(formats))
                missing.setdefault(key, (view.node, view.location))
            else:
                found[view.node] = kernel
        if missing:
            raise GeError(missing_kernels(missing))
        return found

    def _place_constants(self) -> None:
        missing: list[Diagnostic] = []
        for entry in (*self.model.weights, *self.model.variables):
            view = self._view(entry.buffer, entry.node or "weight")
            if entry.value is None:
                memory_of(view)[...] = 0
                continue
            try:
                store(view, constant_array(entry.value, self.weights, view))
                save([view])
            except GeError as error:
                missing.extend(error.diagnostics)
        if missing:
            raise GeError(missing_weights(missing))

    def _view(self, buffer: Buffer, where: str) -> View:
        assert self.memory is not None
        return self.memory.view(buffer.space, buffer.offset, buffer.type, where)

    def _bindings(self, bindings: Any) -> list[View]:
        if self.memory is None:
            return []
        return [self._view(b.buffer, b.node) for b in bindings]

    def _bind_stream(self, stream: StreamView, kernels: dict[str, Kernel]) -> list[BoundTask]:
        return [self._bind(stream, task, kernels) for task in stream.tasks]

    def _bind(self, stream: StreamView, task: Any, kernels: dict[str, Kernel]) -> BoundTask:
        if isinstance(task, KernelView):
            return self._bind_kernel(stream, task, kernels.get(task.node))
        if isinstance(task, MemcpyView):
            return self._bind_copy(stream, task)
        record = isinstance(task, RecordView)
        name = ("event_record_" if record else "event_wait_") + str(task.event)
        kind, type_ = (RECORD, EVENT_RECORD) if record else (WAIT, EVENT_WAIT)
        blank = TaskRecord(0, stream.index, name, type_, type_, 0, 0, 0, event=task.event)
        return BoundTask(Job(kind, name, event=task.event), blank)

    def _bind_kernel(
        self, stream: StreamView, task: KernelView, kernel: Kernel | None
    ) -> BoundTask:
        job, record = self.device.kernel(stream.index, task)
        if kernel is None:
            return BoundTask(job, record)
        args = [self._slot(s, task.node) for s in task.inputs]
        outs = [self._view(b, task.node) for b in task.outputs]
        constant = frozenset(
            i for i, s in enumerate(task.inputs) if isinstance(s, Buffer) and s.space == "weight"
        )
        call = Call(args, outs, task.attrs, constant=constant)
        call.node_id = str(task.attrs.get(STABLE_ID, task.node))
        if kernel.prepare is not None:
            load(args)
            run_kernel(kernel.prepare, call, task.op_type, task.node)
        rule = rule_of(
            task.op_type,
            input_types(task),
            task.attrs,
            [b.type for b in task.outputs],
            lambda i: logical(call.arg(i)) if i in constant else None,
        )
        return BoundTask(job, record, BoundKernel(task, kernel, call, rule))

    def _slot(self, slot: Buffer | tuple[Buffer, ...] | None, node: str) -> Slot:
        if slot is None:
            return None
        if isinstance(slot, Buffer):
            return self._view(slot, node)
        return [self._view(b, node) for b in slot]

    def _bind_copy(self, stream: StreamView, task: MemcpyView) -> BoundTask:
        nbytes = storage_bytes(task.source.type)
        duration = self.device.copy_ns(nbytes)
        job = Job(COPY, task.node, duration, pool="copy")
        record = TaskRecord(0, stream.index, task.node, MEMCPY, MEMCPY, 0, 0, 0, nbytes=nbytes)
        work = None
        if self.memory is not None:
            source, target = (
                memory_of(self._view(b, task.node)) for b in (task.source, task.target)
            )
            work = BoundCopy(source, target)
        return BoundTask(job, record, work)

    # --- running ---

    def run(
        self,
        inputs: Inputs | None = None,
        *,
        schedule: Schedule | None = None,
        keep: Keep = None,
        seed: int = 0,
    ) -> RunResult:
        """One call of the model.

        `inputs` by name or in order (ignored without values); `keep`, "all" or node names, returns
        values of kernels in `RunResult.values`, in logical shape, read when the kernel is done.
        `seed` is that of random operators.
        Raises `GeError` GX-255 (no kernel is called so), GX-602, GX-603 (inputs), GX-606
        (deadlock), GX-612 (a kernel failed) and what a kernel refuses.
        """
        keep = checked(keep, lambda: {k.node: k.origins for k in self.model.kernels()})
        observer = None
        result = RunResult(self.model.name, "graph")
        if self.memory is not None:
            for view, array in zip(self._inputs, check_inputs(self._specs, inputs), strict=True):
                store(view, array)
            save(self._inputs)
            self._new_run(seed, result.printed)
            observer = Executor(self._streams, result.values, keep)
        jobs = [[b.job for b in stream] for stream in self._streams]
        begin = self.device.soc.host.model_execute_ns
        scheduler = Scheduler(jobs, self.device.pools, self.device.overheads, schedule, observer)
        with np.errstate(all="ignore"):
            spans = scheduler.run(begin)
        result.output_names = [b.node for b in self.model.outputs]
        load(self._outputs)
        result.outputs = [logical(v).copy() for v in self._outputs]
        result.timeline = self._timeline(spans)
        result.memory = self._memory_use()
        return result

    def variables(self) -> dict[str, np.ndarray]:
        """What the model's variables hold now, by node name, in logical shape; without values,
        nothing."""
        if self.memory is None:
            return {}
        views = [(v.node or "", self._view(v.buffer, v.node or "")) for v in self.model.variables]
        load([view for _, view in views])
        return {name: logical(view).copy() for name, view in views}

    def _new_run(self, seed: int, printed: list[tuple[str, str]]) -> None:
        for stream in self._streams:
            for bound in stream:
                if isinstance(bound.work, BoundKernel):
                    bound.work.call.seed = seed
                    bound.work.call.printed = printed

    def _timeline(self, spans: list[Span]) -> Timeline:
        line = self.device.timeline()
        line.streams = {s.index: s.engine for s in self.model.streams}
        numbers = _task_numbers(self._streams)
        for span in spans:
            known = self._streams[span.stream][span.position].record
            line.tasks.append(_timed(known, numbers[span.stream] + span.position, span))
        host = self.device.soc.host
        done = max((t.end for t in line.tasks), default=host.model_execute_ns)
        line.latency = done + host.stream_sync_ns
        line.host = [
            HostSpan(0, "AscendCL@aclmdlExecuteAsync", 0, host.model_execute_ns, launch=0),
            HostSpan(0, "AscendCL@aclrtSynchronizeStream", host.model_execute_ns, line.latency),
        ]
        return line

    def _memory_use(self) -> MemoryUse:
        sizes = self.model.sizes
        return MemoryUse(
            peak=sizes.get("arena", 0),
            lower_bound=self.model.arena_lower_bound,
            weights=sizes.get("weight", 0),
            inputs=sizes.get("input", 0),
            outputs=sizes.get("output", 0),
            variables=sizes.get("variable", 0),
        )

    @property
    def input_specs(self) -> list[InputSpec]:
        """Names, shapes and dtypes of the inputs in order."""
        return list(self._specs)


def load_model(
    module: Any,
    weights: WeightStore | None = None,
    *,
    soc: SoC | None = None,
    values: bool = True,
) -> LoadedModel:
    """Load the `rt.model` of a module; arguments and errors as for `LoadedModel`."""
    return LoadedModel(read_model(module), weights, soc, values)


def kernel_formats(view: KernelView) -> list[str]:
    """Formats of all operands of a kernel, inputs first."""
    from ge_dialect.ir.types import layout_of

    layouts = [layout_of(b.type) for b in (*view.reads(), *view.outputs)]
    return ["ND" if layout is None else layout.format for layout in layouts]


def unknown_engine(
    name: str, known: Sequence[str], what: str, location: str | None, node: str | None = None
) -> Diagnostic:
    """The diagnostic of an engine that the device does not have."""
    near = nearest(name, known)
    return Diagnostic(
        "GX-620",
        f"the device has no engine for {what}",
        location=location,
        node=node,
        found=repr(name),
        expected="one of " + ", ".join(known),
        hint=f"did you mean {near!r}?" if near else None,
    )


def missing_kernels(
    missing: Mapping[tuple[str, str, str], tuple[str, str | None]],
) -> list[Diagnostic]:
    """One diagnostic per operator, engine and formats without a kernel; values: node, place."""
    known = kernel_names()
    problems = []
    for (op_type, engine, formats), (node, location) in sorted(missing.items()):
        near = None if op_type in known else nearest(op_type, known)
        meant = "" if near is None else f"did you mean {near!r}? "
        problems.append(
            Diagnostic(
                "GX-601",
                f"the simulated device has no kernel for {op_type}",
                location=location,
                node=node,
                found=f"{engine}, inputs and outputs in {formats}",
                hint=f"{meant}register one with runtime.kernels.kernel, "
                "or run the graph with --golden",
            )
        )
    return problems


def missing_weights(causes: list[Diagnostic]) -> list[Diagnostic]:
    """One GX-604 for weights that are not there; other causes as they are."""
    absent = [d for d in causes if d.code in ("GX-304", "GX-305")]
    others = [d for d in causes if d.code not in ("GX-304", "GX-305")]
    if absent:
        others.insert(
            0,
            Diagnostic(
                "GX-604",
                f"{len(absent)} weights of the model have no values",
                found="; ".join(d.message for d in absent[:3]),
                hint="pass --weights DIR or a WeightStore, or ask for times only (--time-only)",
            ),
        )
    return others


def constant_array(value: Any, weights: WeightStore | None, place: View) -> np.ndarray:
    """The logical array of a `#ge.weight` or `dense` attribute that is to be stored at `place`.

    Raises `GeError`: GX-304, GX-305 (no such weight, no bytes), GX-617 (does not fit the place).
    """
    from ge_dialect.ir.attributes import WeightAttr

    if isinstance(value, WeightAttr):
        from ge_dialect.weights.resolve import resolve

        array = np.asarray(resolve(value, weights))
    else:
        from ge_dialect.ir.dense import dense_to_numpy

        array = np.asarray(dense_to_numpy(value))
    if array.shape != place.shape or array.dtype != place.data.dtype:
        raise user_error(
            "GX-617",
            "a constant does not fit its place",
            found=f"{list(array.shape)} {array.dtype} from {str(value)[:200]}",
            expected=f"{list(place.shape)} {place.data.dtype}",
        )
    return array


def _task_numbers(streams: list[list[BoundTask]]) -> list[int]:
    """Number of the first task of each stream when all are counted stream by stream."""
    numbers, total = [], 0
    for stream in streams:
        numbers.append(total)
        total += len(stream)
    return numbers


def _timed(known: TaskRecord, task_id: int, span: Span) -> TaskRecord:
    """The record of a task with the times of one run; all tasks belong to launch 0."""
    _, stream, name, op_type, kind, _, _, _, blocks, inputs, outputs, cost, _, event, size = known
    _, _, queued, start, end = span
    return TaskRecord(
        task_id, stream, name, op_type, kind, queued, start, end, blocks, inputs, outputs, cost,
        0, event, size,
    )  # fmt: skip
