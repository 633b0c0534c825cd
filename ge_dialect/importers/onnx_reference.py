"""ONNX's own reference evaluator, made to follow ONNX's specification where it does not.

Of what the models here use, three operators differ from it (onnx 1.23): before opset 14
BatchNormalization with one output is inference, yet the given statistics are mixed with those of
the batch; before opset 13 Softmax normalises all axes from `axis` (default 1) on, yet only one axis
is; LRN sums neighbours for as many channels as there are samples in the batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ge_dialect.tools.common import require_package

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnx.reference import ReferenceEvaluator


def reference_evaluator(model: ModelProto) -> ReferenceEvaluator:
    """`onnx.reference.ReferenceEvaluator` of a model of any opset from 7 on.

    Raises `GeError` GX-007 without the onnx package.
    """
    require_package("onnx")
    from onnx.reference import ReferenceEvaluator

    opset = max((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=0)
    return ReferenceEvaluator(model, new_ops=_replacements(opset))


def _replacements(opset: int) -> list[type]:
    from onnx.reference.op_run import OpRun
    from onnx.reference.ops.op_batch_normalization import BatchNormalization_14

    class BatchNormalization(BatchNormalization_14):  # type: ignore[misc]
        op_domain = ""

        def _run(self, *args: Any, epsilon: float | None = None, **_: Any) -> Any:
            eps = 1e-5 if epsilon is None else epsilon
            return super()._run(*args, epsilon=eps, momentum=0.9, training_mode=0)

    class Softmax(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Any, axis: int | None = None) -> Any:
            return (_on_rows(x, _given_axis(self), _softmax),)

    class LogSoftmax(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Any, axis: int | None = None) -> Any:
            return (_on_rows(x, _given_axis(self), _log_softmax),)

    class LRN(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Any, alpha: Any, beta: Any, bias: Any, size: Any) -> Any:
            return (_lrn(x, alpha, beta, bias, size),)

    found: list[type] = [LRN]
    if opset < 14:
        found.append(BatchNormalization)
    if opset < 13:
        found += [Softmax, LogSoftmax]
    return found


def _given_axis(op: Any) -> int | None:
    """The node's own axis; the one passed in is the newest revision's default."""
    return next((int(a.i) for a in op.onnx_node.attribute if a.name == "axis"), None)


def _lrn(x: Any, alpha: float, beta: float, bias: float, size: int) -> Any:
    import numpy as np

    before, after = (size - 1) // 2, size // 2
    total = np.empty_like(x)
    for c in range(x.shape[1]):
        near = x[:, max(0, c - before) : c + after + 1]
        total[:, c] = np.sum(near**2, axis=1)
    return (x / ((bias + (alpha / size) * total) ** beta)).astype(x.dtype)


def _on_rows(x: Any, axis: int | None, fn: Any) -> Any:
    import math

    first = 1 if axis is None else axis + x.ndim if axis < 0 else axis
    rows = x.reshape(math.prod(x.shape[:first]), -1) if x.size else x
    return fn(rows).reshape(x.shape) if x.size else x


def _softmax(rows: Any) -> Any:
    import numpy as np

    e = np.exp(rows - rows.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).astype(rows.dtype)


def _log_softmax(rows: Any) -> Any:
    import numpy as np

    shifted = rows - rows.max(axis=1, keepdims=True)
    return (shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))).astype(rows.dtype)
