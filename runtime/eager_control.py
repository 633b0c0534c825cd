"""Control flow of eager mode: bodies are run as the condition on the host says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ge_dialect.diagnostics import user_error
from ge_dialect.ir.names import node_name

if TYPE_CHECKING:
    from runtime.eager import EagerExecutor
    from runtime.eager_tensor import Tensor

#: Rounds of a loop, each of whose tasks is recorded, where the run allows no other number.
MOST_ROUNDS = 50_000
#: Operators that are what their only body is.
_CALLS = frozenset(
    {"PartitionedCall", "StatefulPartitionedCall", "AscBackend", "FusedAscBackend", "SuperKernel"}
)


def run_bodies(run: EagerExecutor, op: Any, operands: list[Tensor], prefix: str) -> list[Tensor]:
    """Run the bodies of a node; the tensors it returns belong to the caller.

    Raises `GeError` GX-613 where the way depends on values and the run computes none, GX-240 for a
    For that does not advance, GX-249 for a loop of too many rounds.
    """
    bodies = [r.block for r in op.regions]
    if op.ge_type in _CALLS:
        return run.block(bodies[0], operands, prefix)
    if not run.values:
        raise user_error(
            "GX-613",
            f"{op.ge_type} depends on values, which this run does not compute",
            node=node_name(op),
        )
    if op.ge_type in ("If", "StatelessIf"):
        branch = 0 if _truth(run, operands[0]) else 1
        return run.block(bodies[branch], operands[1:], prefix)
    if op.ge_type in ("Case", "StatelessCase"):
        branch = _number(run, operands[0])
        branch = branch if 0 <= branch < len(bodies) else len(bodies) - 1
        return run.block(bodies[branch], operands[1:], prefix)
    if op.ge_type == "For":
        return _for(run, op, operands, prefix)
    return _while(run, op, operands, prefix)


def _while(run: EagerExecutor, op: Any, operands: list[Tensor], prefix: str) -> list[Tensor]:
    test, body = (r.block for r in op.regions)
    state = [run.share(t) for t in operands]
    rounds = 0
    while True:
        _need_end(run, op, rounds)
        rounds += 1
        (condition,) = run.block(test, state, prefix)
        again = _truth(run, condition)
        run.release(condition)
        if not again:
            return state
        following = run.block(body, state, prefix)
        for tensor in state:
            run.release(tensor)
        state = following


def _need_end(run: EagerExecutor, op: Any, rounds: int) -> None:
    """Refuse a loop that has gone on for so long that it may never end."""
    most = MOST_ROUNDS if run.most_rounds is None else run.most_rounds
    if most and rounds >= most:
        raise user_error(
            "GX-249",
            "the loop goes on for too long; it may not end",
            node=node_name(op),
            found=f"{rounds} rounds",
            expected=f"fewer than {most}",
            hint="more are allowed by ge-run --max-steps N, simulate(..., max_steps=N)",
        )


def _for(run: EagerExecutor, op: Any, operands: list[Tensor], prefix: str) -> list[Tensor]:
    start, limit, delta = (_number(run, t) for t in operands[:3])
    if not delta:
        raise user_error("GX-240", "delta must not be zero", node=node_name(op))
    body, state = op.regions[0].block, [run.share(t) for t in operands[3:]]
    for rounds, number in enumerate(range(start, limit, delta)):
        _need_end(run, op, rounds)
        first = run.argument(body.args[0].type, np.array(number, np.int32))
        following = run.block(body, [first, *state], prefix)
        for tensor in (first, *state):
            run.release(tensor)
        state = following
    return state


def _number(run: EagerExecutor, tensor: Tensor) -> int:
    return int(run.on_host(tensor).reshape(-1)[0])


def _truth(run: EagerExecutor, tensor: Tensor) -> bool:
    """A condition on the host: not zero for one element, not empty for other tensors."""
    value = run.on_host(tensor)
    return bool(value.reshape(-1)[0] != 0) if value.size == 1 else bool(value.size)
