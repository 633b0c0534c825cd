"""Carrying out the values of tasks while the scheduler lets simulated time pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ge_dialect.diagnostics import GeError, user_error
from ge_dialect.infer.values import ValueRule
from ge_dialect.keep import Keep, is_kept
from ge_dialect.rt.view import Buffer, KernelView
from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, Kernel, KernelFunction, Slot, View
from runtime.kernels.views import logical
from runtime.packed import load, save
from runtime.scheduler import Job
from runtime.timeline import TaskRecord
from runtime.value_rules import check_values


@dataclass(slots=True)
class BoundKernel:
    """A kernel with its operands in memory."""

    view: KernelView
    kernel: Kernel
    call: Call
    rule: ValueRule | None = None

    def execute(self, call: Call) -> None:
        """Run; a fault inside is reported with the node's name."""
        load(call.args)
        if self.rule is not None:
            check_values(self.rule, call.args, input_types(self.view), self.view.node)
        run_kernel(self.kernel.function, call, self.view.op_type, self.view.node)
        save(call.outs)


def input_types(view: KernelView) -> list[Any]:
    """Per declared input a type, None where absent, a list for a dynamic one."""
    return [
        None if s is None else s.type if isinstance(s, Buffer) else [b.type for b in s]
        for s in view.inputs
    ]


def run_kernel(function: KernelFunction, call: Call, op_type: str, node: str) -> None:
    """Call a kernel; whatever it raises becomes a `GeError` that names the node.

    Of a `Refusal` it has the code, of anything else GX-612.
    """
    if call.outs and not any(v.data.size for v in call.outs):
        return  # nothing to write: no launch, as on the device
    try:
        function(call)
    except GeError:
        raise
    except Refusal as refused:
        raise user_error(
            refused.code,
            f"{op_type}: {refused}",
            node=node,
            found=refused.found,
            expected=refused.expected,
            hint=refused.hint,
        ) from refused
    except (Exception, SystemExit) as error:  # a kernel of others must not end the process
        reason = " ".join(str(error).split()) or "no message"
        raise user_error(
            "GX-612",
            f"the kernel of {op_type} failed: {type(error).__name__}: {reason}",
            node=node,
            found=", ".join(_operand(v) for v in (*call.flat(), *call.outs)),
            hint="its operands or attributes do not fit each other, or the kernel is at fault",
        ) from error


def _operand(view: View) -> str:
    return f"{'x'.join(map(str, view.shape)) or 'scalar'} {view.data.dtype} {view.format}"


@dataclass(slots=True)
class BoundCopy:
    """A copy of storage bytes."""

    source: np.ndarray
    target: np.ndarray


@dataclass(slots=True)
class BoundTask:
    """Everything of one task that does not change from run to run."""

    job: Job
    record: TaskRecord
    work: BoundKernel | BoundCopy | None = None


class Executor:
    """Carries out the values of kernels as simulated time passes.

    A kernel reads its inputs when it starts and its outputs appear when it ends, so that a consumer
    which does not wait sees old bytes, as on the device. While only one stream has work left this
    makes no difference and results are written in place.
    """

    def __init__(
        self,
        streams: list[list[BoundTask]],
        values: dict[str, list[np.ndarray]],
        keep: Keep = None,
    ) -> None:
        self.streams = streams
        self.keep = keep
        self.values = values
        self._left = [sum(b.work is not None for b in s) for s in streams]
        self._active = sum(1 for n in self._left if n)
        self._pending: dict[tuple[int, int], list[tuple[np.ndarray, np.ndarray]]] = {}

    def started(self, stream: int, position: int, time: int) -> None:
        """The task reads its inputs and computes."""
        work = self.streams[stream][position].work
        if work is None:
            return
        staged = self._active > 1
        if isinstance(work, BoundCopy):
            if staged:
                self._pending[stream, position] = [(work.target, work.source.copy())]
            else:
                _copy_bytes(work.target, work.source)
        elif staged:
            call, writes = _staged_call(work.call)
            work.execute(call)
            self._pending[stream, position] = writes
        else:
            work.execute(work.call)

    def ended(self, stream: int, position: int, time: int) -> None:
        """What the task wrote becomes visible."""
        work = self.streams[stream][position].work
        writes = self._pending.pop((stream, position), ())
        for target, value in writes:
            _copy_bytes(target, value)
        if writes and isinstance(work, BoundKernel):
            save(work.call.outs)
        if work is None:
            return
        self._left[stream] -= 1
        if not self._left[stream]:
            self._active -= 1
        if isinstance(work, BoundKernel) and is_kept(self.keep, work.view.node):
            self.values[work.view.node] = [logical(v).copy() for v in work.call.outs]


def _copy_bytes(target: np.ndarray, source: np.ndarray) -> None:
    if target.size:
        flat = np.ascontiguousarray(source).reshape(-1).view(np.uint8)
        target.reshape(-1).view(np.uint8)[...] = flat


def _staged_call(call: Call) -> tuple[Call, list[tuple[np.ndarray, np.ndarray]]]:
    """The call with private memory for what it writes, and what to copy where at its end.

    An input that is also an output (a variable that is updated) moves with it.
    """
    moved: dict[int, View] = {}
    writes: list[tuple[np.ndarray, np.ndarray]] = []
    outs: list[View] = []
    for view in call.outs:
        key = view.data.ctypes.data
        if key not in moved or moved[key].data.shape != view.data.shape:
            private = View(view.data.copy(), view.shape, view.layout)
            moved[key] = private
            writes.append((view.data, private.data))
        outs.append(moved[key])
    args: list[Slot] = []
    for slot in call.args:
        if isinstance(slot, View):
            args.append(_redirect(slot, moved))
        elif slot is None:
            args.append(None)
        else:
            args.append([_redirect(v, moved) for v in slot])
    return replace(call, args=args, outs=outs), writes


def _redirect(view: View, moved: dict[int, View]) -> View:
    private = moved.get(view.data.ctypes.data)
    same = private is not None and private.data.shape == view.data.shape
    return private if same and private is not None else view
