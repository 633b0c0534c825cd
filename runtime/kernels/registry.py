"""Registry of device kernels and the call that a kernel receives.

A kernel reads and writes *storage*: typed views of device memory in the layout its operands have.
It is found by operator type, engine and the layout of its operands. Kernels are written without the
golden functions, so that the two formulations check each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

import numpy as np

from ge_dialect.plugins import entries, journal

#: Layout name of a tensor without an encoding.
ND = "ND"
#: A kernel that works on any layout its operands share.
ANY = frozenset({"*"})

AI_CORE = "AIcoreEngine"
AICPU = "DNN_VM_AICPU"
ALL_ENGINES = frozenset({"*"})

_FAMILIES = (
    "activation",
    "activation_grad",
    "argmax_pooling",
    "attention",
    "attention_grad",
    "batch_norm",
    "binary",
    "bits",
    "blend",
    "blocks",
    "branches",
    "collective",
    "columns",
    "common_rnn",
    "conv",
    "conv_grad",
    "conv_v2",
    "ctc",
    "deformable",
    "einsum",
    "feed_forward",
    "foreach",
    "fused_norm",
    "grouped_matmul",
    "host",
    "index_forms",
    "indexing",
    "kv_cache",
    "layer_norm",
    "loss",
    "masked_softmax",
    "matmul",
    "moe",
    "moe_routing",
    "moves",
    "nonlinear",
    "norm",
    "optimizer",
    "passing",
    "pooling",
    "pooling_grad",
    "quant",
    "quant_matmul",
    "random",
    "rearrange",
    "recurrent",
    "reduce",
    "ref_writes",
    "requant",
    "rms_norm",
    "rnn_cell",
    "roi_pooling",
    "rotary",
    "running",
    "sampling",
    "scatter",
    "selection",
    "shape",
    "shape_forms",
    "signal",
    "sorting",
    "spectral",
    "state",
    "stateless_random",
    "statistics",
    "strings",
    "swiglu_quant",
    "transdata",
    "unary",
    "volumes",
)


@dataclass(slots=True)
class View:
    """One operand in device memory.

    `data` is the array in storage shape, `shape` the logical shape and `layout` what lies between
    (an object with `format`, `origin`, `groups`, `c0`; None for ND).
    """

    data: np.ndarray
    shape: tuple[int, ...]
    layout: Any = None

    @property
    def format(self) -> str:
        """Name of the storage format, "ND" when the tensor has no encoding."""
        return ND if self.layout is None else self.layout.format


Slot = View | None | list[View]


@dataclass(slots=True)
class Call:
    """What one kernel launch works on.

    `args` has one entry per input slot of the operator (None: not connected; a list: dynamic);
    `outs` one view per result, `attrs` the operator's attributes as Python values. `cache` lives as
    long as the loaded task: a kernel keeps there what it derived from `constant` inputs. Random
    kernels are keyed by `seed` (of the run), `node_id` and `draw` (how often they were run before).
    `printed` collects (node, text) of Print.
    """

    args: Sequence[Slot]
    outs: Sequence[View]
    attrs: dict[str, Any]
    cache: dict[str, Any] = field(default_factory=dict)
    constant: frozenset[int] = frozenset()
    node_id: str = ""
    seed: int = 0
    draw: int = 0
    printed: list[tuple[str, str]] = field(default_factory=list)

    def arg(self, index: int) -> View:
        """The required input in slot `index`."""
        found = self.args[index]
        if not isinstance(found, View):
            raise ValueError(f"input {index} is not a single connected tensor")
        return found

    def opt(self, index: int) -> View | None:
        """The optional input in slot `index`, None when it is absent."""
        if index >= len(self.args):
            return None
        found = self.args[index]
        return found if isinstance(found, View) else None

    def many(self, index: int) -> list[View]:
        """The inputs of a dynamic slot."""
        found = self.args[index]
        if found is None:
            return []
        return found if isinstance(found, list) else [found]

    def flat(self) -> list[View]:
        """All connected inputs in order."""
        views: list[View] = []
        for slot in self.args:
            if isinstance(slot, View):
                views.append(slot)
            elif slot:
                views.extend(slot)
        return views

    def ints(self, index: int) -> list[int]:
        """The values of a small integer input."""
        return [int(v) for v in self.arg(index).data.reshape(-1)]


KernelFunction = Callable[[Call], None]


@dataclass(frozen=True, slots=True)
class Kernel:
    """A registered kernel: what it computes and where it may run."""

    op_type: str
    function: KernelFunction
    engines: frozenset[str]
    layouts: frozenset[str]
    prepare: KernelFunction | None = None

    def takes(self, engine: str, formats: Sequence[str]) -> bool:
        """Whether it runs on `engine` with operands in `formats`."""
        if "*" not in self.engines and engine not in self.engines:
            return False
        return "*" in self.layouts or all(f in self.layouts for f in formats)


_kernels: dict[str, list[Kernel]] = {}
_loaded = False


def _names(value: str | Iterable[str] | None, default: frozenset[str]) -> frozenset[str]:
    if value is None:
        return default
    return frozenset({value}) if isinstance(value, str) else frozenset(value)


def kernel(
    *op_types: str,
    engine: str | Iterable[str] | None = None,
    layouts: str | Iterable[str] | None = None,
    prepare: KernelFunction | None = None,
) -> Callable[[KernelFunction], KernelFunction]:
    """Register the function below as the kernel of `op_types`.

    `engine`: engine names, any when omitted. `layouts`: formats that each operand may have; "*" for
    any, "ND" when omitted. `prepare` is called once when a model is loaded, to fill the call's
    cache from constant inputs. Of several kernels of one operator the last registered that fits is
    used, and a user's kernel before ours.
    """
    engines = _names(engine, ALL_ENGINES)
    formats = _names(layouts, frozenset({ND}))

    def register(function: KernelFunction) -> KernelFunction:
        for op_type in op_types:
            entry = Kernel(op_type, function, engines, formats, prepare)
            same = _kernels.setdefault(op_type, [])
            # ours stand before those of users, also where ours are imported later
            own = not journal.is_foreign(function)
            place = sum(not journal.is_foreign(k.function) for k in same) if own else len(same)
            same.insert(place, entry)
            journal.note("kernel", op_type, function, lambda same=same, e=entry: same.remove(e))
        return function

    return register


def load_all() -> None:
    """Import every kernel family (once)."""
    global _loaded
    if not _loaded:
        _loaded = True
        for family in _FAMILIES:
            import_module(f"runtime.kernels.{family}")


def kernel_names() -> list[str]:
    """Operator types that have a kernel, sorted."""
    load_all()
    return sorted(name for name, found in _kernels.items() if found)


def find_kernel(op_type: str, engine: str, formats: Sequence[str]) -> Kernel | None:
    """The kernel for an operator on an engine with operand formats, or None.

    Formats that are plain axis permutations of one another count as they are named; an operand
    without an encoding is "ND".
    """
    load_all()
    if entries.offers("kernels", op_type):
        _load_plugin(op_type)
    for entry in reversed(_kernels.get(op_type, ())):
        if entry.takes(engine, formats):
            return entry
    return None


def _load_plugin(op_type: str) -> None:
    """Import the kernels that a plug-in has for an operator type.

    The entry names a module that registers them with `kernel`, or a function: an ND kernel.
    """
    found = entries.entry("kernels", op_type)

    def register(value: Any) -> str | None:
        known = _kernels.get(op_type, ())
        if callable(value):
            if all(entry.function is not value for entry in known):
                kernel(op_type)(cast("KernelFunction", value))
        elif all(_home(entry) != found.value.partition(":")[0] for entry in known):
            return f"importing it registers no kernel of {op_type}"
        return None

    entries.value_of(found, register)


def _home(entry: Kernel) -> str:
    return entry.function.__module__
