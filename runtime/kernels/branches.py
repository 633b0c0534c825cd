"""Kernels of what chooses a branch, and of nothing."""

from __future__ import annotations

from runtime.kernels.registry import Call, kernel


@kernel("ControlTrigger")
def control_trigger(call: Call) -> None:
    """Nothing to do."""


@kernel("MapIndex")
def map_index(call: Call) -> None:
    """Row after row until one is equal."""
    wanted, table = call.ints(0), call.ints(1)
    size, found = len(wanted), -1
    for i in range(len(table) // size):
        if table[i * size : (i + 1) * size] == wanted:
            found = i if call.opt(2) is None else call.ints(2)[i]
            break
    call.outs[0].data.reshape(-1)[0] = found


@kernel("GetDynamicDims")
def get_dynamic_dims(call: Call) -> None:
    """Input after input: its rank is skipped, then its dims are looked at."""
    info, found = iter(call.attrs["shape_info"]), []
    for view in call.many(0):
        rank = next(info)
        numbers = view.data.reshape(-1)
        found += [numbers[i] for i in range(rank) if next(info) == -1]
    call.outs[0].data.reshape(-1)[:] = found
