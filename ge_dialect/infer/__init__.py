"""Shape and dtype inference: pure integer helpers, and the view of a node that the rules get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ge_dialect.infer.errors import InferError

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode, check_op, infer_op, infer_parts

__all__ = ["InferError", "InferNode", "check_op", "infer_op", "infer_parts"]


def __getattr__(name: str) -> object:
    # the driver needs the operator base class, which the integer helpers must not pull in
    if name in __all__:
        from ge_dialect.infer import node

        return getattr(node, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
