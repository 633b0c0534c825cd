"""The `rt` dialect: the compiled model as text. What runs is what is printed."""

from __future__ import annotations

from ge_dialect.rt.attributes import SPACES, BufferAttr
from ge_dialect.rt.ops import (
    FORMAT_VERSION,
    MODEL_SIZES,
    NONE,
    RT_OPS,
    TASK_OPS,
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
from ge_dialect.rt.view import (
    BindingView,
    Buffer,
    ConstantView,
    KernelView,
    MemcpyView,
    ModelView,
    RecordView,
    StreamView,
    WaitView,
    read_model,
)

__all__ = [
    "FORMAT_VERSION",
    "MODEL_SIZES",
    "NONE",
    "RT_OPS",
    "SPACES",
    "TASK_OPS",
    "BindingView",
    "Buffer",
    "BufferAttr",
    "ConstantView",
    "EventRecord",
    "EventWait",
    "Input",
    "Kernel",
    "KernelView",
    "Memcpy",
    "MemcpyView",
    "Model",
    "ModelView",
    "Output",
    "RecordView",
    "Stream",
    "StreamView",
    "Variable",
    "WaitView",
    "Weight",
    "read_model",
]
