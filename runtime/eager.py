"""Eager mode: a `ge.graph` node by node, each on its engine, as a framework without a compiler.

Nothing is planned: memory comes from a caching allocator, weights lie as the model has them, and a
kernel that wants another layout gets TransData kernels around it, as single-operator calls do on
the device. Data-dependent control flow reads the condition back to the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ge_dialect.diagnostics import Diagnostic, GeError, op_place
from ge_dialect.ir.base import GeOp, get_str
from ge_dialect.ir.names import STABLE_ID, node_name
from ge_dialect.ir.outputs import output_names
from ge_dialect.ir.types import RefType, is_static, layout_of, shape_of, tensor_under, with_layout
from ge_dialect.keep import Keep, checked, is_kept, node_names
from ge_dialect.rt.view import KernelView
from ge_dialect.target.cost import block_dim
from ge_dialect.target.engines import AICORE, AICPU, BODY_OPS, RTS, claiming_engine, refusals
from ge_dialect.target.layout_rules import plan_layouts
from ge_dialect.target.oplib import aicore_entry
from ge_dialect.target.soc_file import SoC, load_soc
from passes.build.places import ref_results
from runtime.allocator import CachingAllocator
from runtime.device import Device
from runtime.eager_control import run_bodies
from runtime.eager_tensor import (
    Storage,
    Tensor,
    buffer_of,
    is_flat,
    map_slot,
    same_layout,
    view_of,
)
from runtime.executor import run_kernel
from runtime.host import EagerHost
from runtime.inputs import Inputs, InputSpec, check_inputs, graph_specs
from runtime.kernels.registry import Call, View, find_kernel
from runtime.kernels.views import logical, store
from runtime.loaded import constant_array, missing_kernels
from runtime.memory import LayoutCache, TensorLayout, allocate, bind
from runtime.result import MemoryUse, RunResult
from runtime.scheduler import COPY, Job
from runtime.timeline import MEMCPY, TaskRecord
from runtime.value_rules import check_values, rule_of

if TYPE_CHECKING:
    from xdsl.ir import Block as IrBlock
    from xdsl.ir import Operation, SSAValue

    from ge_dialect.infer.values import ValueRule
    from ge_dialect.ir.graph import GraphOp
    from ge_dialect.weights import WeightStore

#: What profiles show as the model of single operators.
NO_MODEL = 4294967295
_PASS_THROUGH = frozenset({"Data", "Identity", "RefData"})
_SAME_ELEMENTS = frozenset(
    "Reshape Flatten Squeeze SqueezeV3 Unsqueeze UnsqueezeV3 ExpandDims".split()
)
_CONSTANTS = frozenset({"Const", "Constant"})
#: What gives no value of its own: memory that is there, and results of bodies.
_NOT_KEPT = _CONSTANTS | {"Variable"} | BODY_OPS


@dataclass
class EagerExecutor:
    """Runs graphs of one module. `level` is the host pipeline's (0, 1 or 2).

    most_rounds: of a loop; None for the usual number, 0 for no limit. Raises `GeError`: GX-601 (no
    engine or kernel), GX-604 (weights), GX-609 (unknown sizes), GX-613 (control flow without
    values), GX-249 (a loop of too many rounds).
    """

    weights: WeightStore | None = None
    soc: SoC | None = None
    values: bool = True
    level: int = 1
    seed: int = 0
    most_rounds: int | None = None
    variables: dict[str, Tensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.device = Device(self.soc or load_soc())
        self.layouts = LayoutCache()
        self._constants: dict[Operation, Tensor] = {}
        self._rules: dict[Operation, ValueRule | None] = {}
        self._constant_bytes = 0

    def run(self, graph: GraphOp, inputs: Inputs | None = None, *, keep: Keep = None) -> RunResult:
        """One run of a graph; arguments as for `LoadedModel.run`."""
        names = node_names(graph.region.block, without=_NOT_KEPT)
        keep = checked(keep, lambda: dict.fromkeys(names, ()))
        self._check_kernels(graph)
        result = RunResult(graph.sym_name.data, "eager")
        result.timeline = self.device.timeline()
        result.timeline.model_id = NO_MODEL
        result.timeline.op_state = "dynamic"
        self.host = EagerHost(self.device, result.timeline, self.level)
        self.allocator = CachingAllocator()
        self.segments: list[np.ndarray] = []
        self.draws: dict[str, int] = {}
        self.printed = result.printed
        self.kept, self.keep = result.values, keep
        arguments = [self.argument(*v) for v in self._input_arrays(graph, inputs)]
        given = sum(self.layouts(a.type).nbytes for a in arguments)
        with np.errstate(all="ignore"):
            outputs = self.block(graph.region.block, arguments, "")
        self.host.finish()
        if self.values:
            result.outputs = [logical(t.view).copy() for t in outputs if t.view is not None]
        result.output_names = output_names(graph)
        result.memory = MemoryUse(
            peak=self.allocator.peak,
            reserved=self.allocator.reserved,
            weights=self._constant_bytes,
            inputs=given,
            variables=sum(self.layouts(v.type).nbytes for v in self.variables.values()),
        )
        return result

    # --- inputs ---

    def input_specs(self, graph: GraphOp) -> list[InputSpec]:
        """Names, shapes and dtypes of a graph's inputs."""
        return graph_specs(graph, self.layouts)

    def _input_arrays(self, graph: GraphOp, inputs: Inputs | None) -> list[tuple[Any, Any]]:
        types = [tensor_under(a.type) for a in graph.args]
        if not self.values:
            return [(t, None) for t in types]
        return list(zip(types, check_inputs(self.input_specs(graph), inputs), strict=True))

    def argument(self, type_: Any, array: np.ndarray | None) -> Tensor:
        """A tensor with memory of its own, outside the allocator; without an array just a type."""
        view = None
        if array is not None:
            view = self._place(self.layouts(type_))
            store(view, array.reshape(view.shape))
        return Tensor(type_, Storage(None), view)

    def _check_kernels(self, graph: GraphOp) -> None:
        """Refuse nodes that no engine takes, all at once."""
        problems: list[Diagnostic] = []
        for op in graph.walk():
            if op is graph:
                continue
            if not isinstance(op, GeOp):
                where, node = op_place(op)
                text = f"no engine takes {op.name}, which is no operator of GE"
                problems.append(Diagnostic("GX-601", text, location=where, node=node))
                continue
            if op.ge_type == "NetOutput" or get_str(op, "ge.engine"):
                continue
            if claiming_engine(op, layouts=False) is None:
                where, node = op_place(op)
                reasons = "; ".join(f"{e}: {r}" for e, r in refusals(op, layouts=False).items())
                problems.append(
                    Diagnostic(
                        "GX-601",
                        f"no engine takes {op.ge_type}",
                        location=where,
                        node=node,
                        found=reasons,
                    )
                )
        if problems:
            raise GeError(problems)

    # --- blocks ---

    def block(self, block: IrBlock, arguments: Sequence[Tensor], prefix: str) -> list[Tensor]:
        """Run a graph or body; the tensors it returns belong to the caller."""
        env: dict[SSAValue, Tensor] = {}
        left: dict[SSAValue, int] = {}
        for arg, tensor in zip(block.args, arguments, strict=True):
            self._define(env, left, arg, self.share(tensor))
        for op in block.ops:
            if op.name == "ge.NetOutput":
                return [self.share(env[v]) for v in op.ge_data_operands]  # type: ignore[attr-defined]
            try:
                made = self._node(op, env, prefix)
            except GeError as error:
                raise _placed(error, op) from None
            for value, tensor in zip(op.ge_data_results, made, strict=True):  # type: ignore[attr-defined]
                self._define(env, left, value, tensor)
            for value in op.ge_data_operands:  # type: ignore[attr-defined]
                left[value] -= 1
                if not left[value]:
                    self.release(env.pop(value))
        return []

    def _define(
        self,
        env: dict[SSAValue, Tensor],
        left: dict[SSAValue, int],
        value: SSAValue,
        tensor: Tensor,
    ) -> None:
        uses = sum(1 for u in value.uses)
        if uses:
            env[value], left[value] = tensor, uses
        else:
            self.release(tensor)

    def share(self, tensor: Tensor) -> Tensor:
        """The same memory once more; `release` it, too."""
        tensor.storage.users += 1
        return Tensor(tensor.type, tensor.storage, tensor.view, tensor.constant)

    def release(self, tensor: Tensor) -> None:
        """Give a tensor up; its memory is free once nobody shares it."""
        storage = tensor.storage
        storage.users -= 1
        if not storage.users and storage.block is not None:
            self.allocator.free(storage.block)
            storage.block = None

    def _new(self, type_: Any) -> Tensor:
        """An uninitialised tensor from the allocator."""
        layout = self.layouts(type_)
        block = self.allocator.alloc(layout.nbytes)
        if not self.values:
            return Tensor(type_, Storage(block), None)
        while len(self.segments) < len(self.allocator.segments):
            self.segments.append(allocate(self.allocator.segments[len(self.segments)]))
        data = bind(self.segments[block.segment], block.offset, layout)
        return Tensor(type_, Storage(block), View(data, layout.shape, layout.layout))

    # --- nodes ---

    def _node(self, op: Any, env: dict[SSAValue, Tensor], prefix: str) -> list[Tensor]:
        kind = op.ge_type
        name = prefix + (node_name(op) or op.name)
        if kind in _CONSTANTS:
            return [self.share(self._constant(op))]
        if kind == "Variable":
            return [self.share(self._variable(op))]
        operands = [env[v] for v in op.ge_data_operands]
        if self.values:
            self._check_values(op, operands, name)
        if kind in _PASS_THROUGH:
            results = [self.share(operands[0])]
        elif kind in _SAME_ELEMENTS and is_flat(operands[0]):
            results = [self._reshaped(operands[0], op.ge_data_results[0].type)]
        elif kind == "Reinterpret":
            results = [self._reinterpreted(operands[0], op.ge_data_results[0].type)]
        elif kind in BODY_OPS:
            results = run_bodies(self, op, operands, name + "/")
        elif kind == "NoOp":
            results = []
        elif kind == "Read":
            results = [self._copy(name, operands[0])]
        else:
            results = self._kernel(op, operands, name)
        if kind not in BODY_OPS and is_kept(self.keep, name):
            views = [t.view for t in results if t.view is not None]
            self.kept[name] = [logical(v).copy() for v in views]
        return results

    def _check_values(self, op: Any, operands: list[Tensor], name: str) -> None:
        """Ask the rule of a node whose sizes or axes follow from its operands."""
        slots = _slots(op, operands)
        types = [map_slot(s, lambda t: t.type) for s in slots]

        def constant(index: int) -> Any:
            slot = slots[index]
            view = slot.view if isinstance(slot, Tensor) and slot.constant else None
            return None if view is None else logical(view)

        if op not in self._rules:
            out_types = [r.type for r in op.ge_data_results]
            self._rules[op] = rule_of(op.ge_type, types, op.ge_attrs(), out_types, constant)
        rule = self._rules[op]
        if rule is not None:
            check_values(rule, [map_slot(s, view_of) for s in slots], types, name)

    def _constant(self, op: Any) -> Tensor:
        found = self._constants.get(op)
        if found is None:
            type_ = op.ge_data_results[0].type
            view = None
            layout = self.layouts(type_)
            if self.values:
                view = self._place(layout)
                store(view, constant_array(op.properties["value"], self.weights, view))
            self._constant_bytes += layout.nbytes
            found = self._constants[op] = Tensor(type_, Storage(None), view, constant=True)
        return found

    def _place(self, layout: TensorLayout) -> View:
        """Memory of its own, outside the allocator."""
        data = bind(allocate(layout.nbytes), 0, layout)
        return View(data, layout.shape, layout.layout)

    def _variable(self, op: Any) -> Tensor:
        name = node_name(op) or op.name
        found = self.variables.get(name)
        if found is None:
            type_ = tensor_under(op.ge_data_results[0].type)
            view = None
            if self.values:
                view = self._place(self.layouts(type_))
                value = op.properties.get("value")
                view.data[...] = 0
                if value is not None:
                    store(view, constant_array(value, self.weights, view))
            found = self.variables[name] = Tensor(type_, Storage(None), view)
        return found

    def _reshaped(self, source: Tensor, type_: Any) -> Tensor:
        shared = self.share(source)
        layout = self.layouts(type_)
        if shared.view is not None:
            data = shared.view.data.reshape(layout.storage)
            shared.view = View(data, layout.shape, layout.layout)
        shared.type = type_
        return shared

    def _reinterpreted(self, source: Tensor, type_: Any) -> Tensor:
        """The same bytes under the declared type; as they are where its size is unknown."""
        if source.type == type_ or not is_static(type_) or not is_flat(source):
            return self.share(source)
        shared, layout = self.share(source), self.layouts(type_)
        if shared.view is not None:
            data = shared.view.data.reshape(-1).view(layout.dtype).reshape(layout.storage)
            shared.view = View(data, layout.shape, layout.layout)
        shared.type = type_
        return shared

    def _copy(self, name: str, source: Tensor) -> Tensor:
        target = self._new(source.type)
        nbytes = self.layouts(source.type).nbytes
        job = Job(COPY, name, self.device.copy_ns(nbytes), "copy")
        record = TaskRecord(0, 0, name, MEMCPY, MEMCPY, 0, 0, 0, nbytes=nbytes)
        self.host.dispatch("MemcpyAsync", [(job, record)])
        if target.view is not None and source.view is not None:
            target.view.data[...] = source.view.data
        return target

    # --- kernels ---

    def _kernel(self, op: Any, operands: list[Tensor], name: str) -> list[Tensor]:
        engine = get_str(op, "ge.engine") or claiming_engine(op, layouts=False) or AICPU
        if engine not in (AICORE, AICPU):
            engine = AICPU if engine != RTS else AICORE
        wanted, made = self._layouts_of(op, engine)
        tasks: list[tuple[Job, TaskRecord]] = []
        temporary: list[Tensor] = []
        ready: list[Tensor] = []
        for i, (tensor, layout) in enumerate(zip(operands, wanted, strict=True)):
            if same_layout(layout_of(tensor.type), layout):
                ready.append(tensor)
                continue
            moved = self._trans(f"{name}_input{i}", tensor, layout, tasks)
            temporary.append(moved)
            ready.append(moved)
        results = [
            self._result(value, layout, operands)
            for value, layout in zip(op.ge_data_results, made, strict=True)
        ]
        final = list(results)
        self._launch(op, engine, name, ready, results, tasks)
        for i, value in enumerate(op.ge_data_results):
            declared = layout_of(value.type)
            if isinstance(value.type, RefType) or same_layout(made[i], declared):
                continue
            final[i] = self._trans(f"{name}_output{i}", results[i], declared, tasks)
            temporary.append(results[i])
        for tensor in temporary:
            self.release(tensor)
        self.host.dispatch(op.ge_type, tasks)
        return final

    def _result(self, value: Any, layout: Any, operands: list[Tensor]) -> Tensor:
        if isinstance(value.type, RefType):
            # A ref output is the variable itself: the input of its name, else the first one.
            op = value.owner
            source = next((s for r, s in ref_results(op) if r is value), None)
            values = list(op.ge_data_operands)
            return self.share(operands[0 if source is None else values.index(source)])
        if shape_of(value.type) is None:
            return self._new(value.type)  # which says that it has no size
        return self._new(with_layout(value.type, layout))

    def _layouts_of(self, op: Any, engine: str) -> tuple[list[Any], list[Any]]:
        """Layout of each operand and result as the kernel on that engine wants them."""
        operands, results = op.ge_data_operands, op.ge_data_results
        entry = aicore_entry(op.ge_type) if engine == AICORE else None
        if entry is not None and entry.rule != "transdata":
            flow = layout_of(results[0].type) if results else None
            plan = plan_layouts(op, entry, flow)
            if not isinstance(plan, str):
                return list(plan.operands), list(plan.results)
        return [layout_of(v.type) for v in operands], [layout_of(v.type) for v in results]

    def _trans(
        self, name: str, source: Tensor, layout: Any, tasks: list[tuple[Job, TaskRecord]]
    ) -> Tensor:
        """A copy in another layout by a TransData kernel of its own."""
        target = self._new(with_layout(source.type, layout))
        before = layout_of(source.type)
        groups = max(getattr(layout, "groups", 1), getattr(before, "groups", 1))
        attrs = {
            "src_format": "ND" if before is None else before.format,
            "dst_format": "ND" if layout is None else layout.format,
            "groups": groups,
        }
        engine = AICPU if groups > 1 else AICORE
        self._run("TransData", engine, name, [source], [target], attrs, tasks)
        return target

    def _launch(
        self,
        op: Any,
        engine: str,
        name: str,
        operands: list[Tensor],
        results: list[Tensor],
        tasks: list[tuple[Job, TaskRecord]],
    ) -> None:
        slots = _slots(op, operands)
        attrs = op.ge_attrs()
        if (stable := get_str(op, STABLE_ID)) is not None:
            attrs[STABLE_ID] = stable
        self._run(op.ge_type, engine, name, slots, results, attrs, tasks)

    def _run(
        self,
        op_type: str,
        engine: str,
        name: str,
        slots: list[Any],
        results: list[Tensor],
        attrs: dict[str, Any],
        tasks: list[tuple[Job, TaskRecord]],
    ) -> None:
        view = KernelView(
            name,
            op_type,
            tuple(map_slot(s, buffer_of) for s in slots),
            tuple(buffer_of(t) for t in results),
            attrs,
            engine,
            block_dim(op_type, [t.type for t in results], engine, self.device.soc),
            None,
            (),
        )
        tasks.append(self.device.kernel(0, view))
        if not self.values:
            return
        flat = [t for s in slots for t in (s if isinstance(s, list) else [s]) if t is not None]
        formats = [t.view.format for t in (*flat, *results) if t.view is not None]
        kernel = find_kernel(op_type, engine, formats)
        if kernel is None:
            key = (op_type, engine, ", ".join(formats))
            raise GeError(missing_kernels({key: (name, None)}))
        constant = frozenset(i for i, s in enumerate(slots) if isinstance(s, Tensor) and s.constant)
        call = Call(
            [map_slot(s, view_of) for s in slots],
            [t.view for t in results if t.view is not None],
            attrs,
            constant=constant,
            node_id=str(attrs.get(STABLE_ID) or name),
            seed=self.seed,
            draw=self.draws.get(name, 0),
            printed=self.printed,
        )
        self.draws[name] = call.draw + 1
        run_kernel(kernel.function, call, op_type, name)

    def on_host(self, tensor: Tensor) -> np.ndarray:
        """The value of a tensor, read back."""
        assert tensor.view is not None
        self.host.read_back(self.layouts(tensor.type).nbytes)
        return logical(tensor.view)


def _placed(error: GeError, op: Any) -> GeError:
    """The error, with the place of a node in what names none."""
    where, node = op_place(op)
    found = [
        d if d.node or d.location else replace(d, node=node, location=where)
        for d in error.diagnostics
    ]
    return GeError(found, error.exit_code)


def _slots(op: Any, operands: list[Tensor]) -> list[Any]:
    """Tensors by declared input: None where absent, a list for a dynamic one."""
    slots: list[Any] = []
    position = 0
    for arg in op.ge_args():
        if arg is None:
            slots.append(None)
        elif isinstance(arg, list):
            slots.append(operands[position : position + len(arg)])
            position += len(arg)
        else:
            slots.append(operands[position])
            position += 1
    return slots
