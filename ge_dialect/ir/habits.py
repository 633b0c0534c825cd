"""What other frameworks' rewriters call their methods, for the error behind an unknown one."""

from __future__ import annotations

from ge_dialect.spelling import nearest

#: How a new node is made.
BUILD = "ge_dialect.ir.build(op_type, inputs, attrs)"
#: Name elsewhere (MLIR, xDSL) to what does it here.
HABITS = {
    "build": BUILD,
    "create": BUILD,
    "insert": "insert_before",
    "erase_op": "erase",
    "eraseOp": "erase",
    "erase_matched_op": "erase",
    "replace_op": "replace",
    "replace_matched_op": "replace",
    "replaceOp": "replace",
    "replaceOpWithNewOp": "replace",
    "replaceAllUsesWith": "replace_by_value",
    "replace_all_uses_with": "replace_by_value",
    "notify_match_failure": "when(condition, reason)",
    "notifyMatchFailure": "when(condition, reason)",
}


def unknown_method(cls: type, name: str) -> AttributeError:
    """The error for a method that a rewriter has not, with the one that was probably meant."""
    near = HABITS.get(name) or nearest(name, [n for n in dir(cls) if not n.startswith("_")])
    hint = f"; did you mean {near}?" if near else ""
    return AttributeError(f"a rewriter has no {name!r}{hint}")
