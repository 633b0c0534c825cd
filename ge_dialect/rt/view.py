"""A compiled model as plain Python data, for whoever runs or measures it.

`read_model` turns one `rt.model` into frozen dataclasses. An executor needs these and the weight
store, nothing else: no operator class, no `ge` dialect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.ir import Attribute, Operation

from ge_dialect.diagnostics import ExitCode, GeError, user_error
from ge_dialect.ir.names import file_location
from ge_dialect.rt.attributes import BufferAttr
from ge_dialect.rt.ops import (
    EventRecord,
    EventWait,
    Input,
    Kernel,
    Memcpy,
    Model,
    Output,
    Stream,
    Variable,
    Weight,
)
from ge_dialect.rt.values import to_python
from ge_dialect.rt.verify import check_model
from ge_dialect.spelling import nearest


@dataclass(frozen=True, slots=True)
class Buffer:
    """A tensor in memory: class (`SPACES`), byte offset, tensor type with its storage layout."""

    space: str
    offset: int
    type: Any
    """An xDSL `TensorType`: logical shape, element type, `#ge.layout` as encoding (or none)."""


Slot = Buffer | None | tuple[Buffer, ...]


@dataclass(frozen=True, slots=True)
class KernelView:
    """`rt.kernel`. `inputs`: one entry per input slot (buffer, None, or tuple if dynamic)."""

    node: str
    op_type: str
    inputs: tuple[Slot, ...]
    outputs: tuple[Buffer, ...]
    attrs: dict[str, Any]
    engine: str
    block_dim: int
    workspace: Buffer | None
    origins: tuple[str, ...]
    location: str | None = field(default=None, compare=False)
    """ "file:line:col" of the text it was read from."""

    def reads(self) -> Iterator[Buffer]:
        """All input buffers in order."""
        for slot in self.inputs:
            if isinstance(slot, Buffer):
                yield slot
            elif slot is not None:
                yield from slot


@dataclass(frozen=True, slots=True)
class MemcpyView:
    """`rt.memcpy`: copies storage bytes."""

    node: str
    source: Buffer
    target: Buffer


@dataclass(frozen=True, slots=True)
class RecordView:
    """`rt.event_record`."""

    event: int


@dataclass(frozen=True, slots=True)
class WaitView:
    """`rt.event_wait`."""

    event: int


Task = KernelView | MemcpyView | RecordView | WaitView


@dataclass(frozen=True, slots=True)
class StreamView:
    """`rt.stream`: tasks run one after another, in this order."""

    index: int
    engine: str
    tasks: tuple[Task, ...]
    location: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class BindingView:
    """`rt.input` or `rt.output`."""

    index: int
    node: str
    buffer: Buffer
    zero_copy: bool


@dataclass(frozen=True, slots=True)
class ConstantView:
    """`rt.weight` or `rt.variable`: `value` is a `#ge.weight`, a `dense` attribute, or None."""

    node: str | None
    buffer: Buffer
    value: Attribute | None


@dataclass(frozen=True, slots=True)
class ModelView:
    """`rt.model`. Byte sizes of the memory classes stand in `sizes`, e.g. `sizes["arena"]`."""

    name: str
    soc: str
    sizes: dict[str, int]
    arena_lower_bound: int
    events: int
    inputs: tuple[BindingView, ...]
    outputs: tuple[BindingView, ...]
    weights: tuple[ConstantView, ...]
    variables: tuple[ConstantView, ...]
    streams: tuple[StreamView, ...]
    config: dict[str, Any] = field(default_factory=dict)

    def kernels(self) -> Iterator[KernelView]:
        """All kernels, stream by stream."""
        for stream in self.streams:
            for task in stream.tasks:
                if isinstance(task, KernelView):
                    yield task


def buffer_view(attr: BufferAttr) -> Buffer:
    """The plain form of a `#rt.buffer`."""
    return Buffer(attr.at.data, attr.byte.data, attr.type)


def _slot(attr: Attribute) -> Slot:
    if isinstance(attr, BufferAttr):
        return buffer_view(attr)
    if isinstance(attr, ArrayAttr):
        return tuple(buffer_view(b) for b in attr.data)
    return None


def task_view(op: Operation) -> Task:
    """The plain form of one task operation; `TypeError` for any other operation."""
    if isinstance(op, Kernel):
        p: dict[str, Any] = op.properties
        return KernelView(
            node=p["node"].data,
            op_type=p["op_type"].data,
            inputs=tuple(_slot(s) for s in p["inputs"].data),
            outputs=tuple(buffer_view(b) for b in p["outputs"].data),
            attrs={k: to_python(v) for k, v in p["attrs"].data.items()},
            engine=p["engine"].data,
            block_dim=p["block_dim"].value.data,
            workspace=buffer_view(p["workspace"]) if "workspace" in p else None,
            origins=tuple(o.data for o in p["origins"].data) if "origins" in p else (),
            location=file_location(op),
        )
    if isinstance(op, Memcpy):
        return MemcpyView(op.node.data, buffer_view(op.source), buffer_view(op.target))
    if isinstance(op, EventRecord):
        return RecordView(op.event.value.data)
    if isinstance(op, EventWait):
        return WaitView(op.event.value.data)
    raise TypeError(f"{op.name} is no task")


def find_model(module: ModuleOp, name: str | None = None) -> Model:
    """The `rt.model` of that name, or the only one; `GeError` GX-011 for none or no choice."""
    models = [op for op in module.body.block.ops if isinstance(op, Model)]
    names = [m.sym_name.data for m in models]
    chosen = models if name is None else [m for m in models if m.sym_name.data == name]
    if len(chosen) == 1:
        return chosen[0]
    near = nearest(name, names) if name is not None else None
    several = "the module has several compiled models" if models else "the module has no rt.model"
    raise user_error(
        "GX-011",
        several if name is None else f"no compiled model is called {name!r}",
        found=", ".join(names) or "none",
        expected="one rt.model, or the name of one" if name is None else None,
        hint=f"did you mean {near!r}?" if near else None,
    )


def read_model(
    model: ModuleOp | Model, name: str | None = None, *, check: bool = True
) -> ModelView:
    """The plain form of a compiled model (of the one called `name`, if given a module).

    Raises `GeError` with all problems of a model that is not valid. An event that is recorded and
    never awaited is left to the verifier: models that lack an order are loaded to see the race.
    check: False for who judges models, and can read only those whose attributes are right.
    """
    op = model if isinstance(model, Model) else find_model(model, name)
    if check and (problems := check_model(op, lone_records=True)):
        raise GeError(problems, ExitCode.VERIFY)
    config = {k: to_python(v) for k, v in op.config.data.items()}
    bindings: dict[str, list[BindingView]] = {"rt.input": [], "rt.output": []}
    constants: dict[str, list[ConstantView]] = {"rt.weight": [], "rt.variable": []}
    streams = []
    for child in op.body.block.ops:
        if isinstance(child, (Input, Output)):
            buffer = buffer_view(child.buffer)
            bindings[child.name].append(
                BindingView(
                    child.index.value.data, child.node.data, buffer, child.zero_copy is not None
                )
            )
        elif isinstance(child, Weight):
            constants[child.name].append(ConstantView(None, buffer_view(child.buffer), child.value))
        elif isinstance(child, Variable):
            constants[child.name].append(
                ConstantView(child.node.data, buffer_view(child.buffer), child.value)
            )
        elif isinstance(child, Stream):
            tasks = tuple(task_view(t) for t in child.body.block.ops)
            index, engine = child.index.value.data, child.engine.data
            streams.append(StreamView(index, engine, tasks, file_location(child)))
    return ModelView(
        name=op.sym_name.data,
        soc=str(config.get("soc", "")),
        sizes={k[: -len("_bytes")]: v for k, v in config.items() if k.endswith("_bytes")},
        arena_lower_bound=int(config.get("arena_lower_bound", 0)),
        events=int(config.get("events", 0)),
        inputs=tuple(sorted(bindings["rt.input"], key=lambda b: b.index)),
        outputs=tuple(sorted(bindings["rt.output"], key=lambda b: b.index)),
        weights=tuple(constants["rt.weight"]),
        variables=tuple(constants["rt.variable"]),
        streams=tuple(streams),
        config=config,
    )
