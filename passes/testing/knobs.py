"""What generated graphs look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")

#: Dtypes graphs may hold, the simplest first; all that golden semantics compute with.
DTYPES: tuple[str, ...] = (
    "float32",
    "float16",
    "bfloat16",
    "int32",
    "int64",
    "bool",
    "int8",
    "uint8",
    "int16",
    "float64",
    "uint16",
    "uint32",
    "uint64",
    "complex64",
)

#: One entry per unit of weight: a dtype occurs as often as it stands here.
USUAL_DTYPES: tuple[str, ...] = (
    *("float32",) * 6,
    *("float16",) * 3,
    *("bfloat16",) * 2,
    *("int32",) * 2,
    "int64",
    "bool",
    "int8",
    "uint8",
    "int16",
    "float64",
)


@dataclass(frozen=True)
class Knobs:
    """Sizes and shares of generated graphs. Shares are probabilities from 0 to 1.

    ops: operator types to use, None for all with semantics; exclude: types never used.
    min_ops, max_ops: number of steps drawn; constants and the nodes of a structure come on top.
    dtypes: one entry per unit of weight. max_inputs: beyond it, fresh values are constants.
    dims: sizes of axes; max_rank: of fresh values; max_elements: of any value.

    Kinds of steps, as shares of all steps: structures (chains, diamonds, residual and inverse
    pairs, fan-out), duplicates (an earlier node again), refs (variables, reads, writes), io
    (Print), random, subgraphs (If, While, PartitionedCall), layouts (TransData), data_dependent
    (nodes of values whose size depends on the data; at 0 there are no such values).
    Graph by graph: data_nodes (`ge.Data` behind each input), zero_size, rank0, dynamic (unknown
    dims and shapes only known at run time), ref_inputs (RefData), passthrough (an input that is an
    output), extra_outputs (an output that inner nodes read too).
    Step by step: control (a control edge more than needed), dead (a result nobody reads), attrs
    (an attribute that is not the default), constants (a fresh value is constant), weights (of
    these, in the weight store), chains (an input is the newest value), special (a constant holds
    NaN, infinities, -0.0).
    """

    ops: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    min_ops: int = 3
    max_ops: int = 10
    dtypes: tuple[str, ...] = USUAL_DTYPES
    max_inputs: int = 4
    dims: tuple[int, ...] = (2, 3, 1, 4)
    max_rank: int = 4
    max_elements: int = 2048
    max_depth: int = 2

    structures: float = 0.15
    duplicates: float = 0.06
    refs: float = 0.06
    io: float = 0.02
    random: float = 0.01
    subgraphs: float = 0.05
    layouts: float = 0.03
    data_dependent: float = 0.03

    data_nodes: float = 0.25
    zero_size: float = 0.05
    rank0: float = 0.1
    dynamic: float = 0.15
    ref_inputs: float = 0.2
    passthrough: float = 0.1
    extra_outputs: float = 0.2

    control: float = 0.1
    dead: float = 0.1
    attrs: float = 0.3
    constants: float = 0.4
    weights: float = 0.1
    chains: float = 0.5
    special: float = 0.05

    def __post_init__(self) -> None:
        """Names that are not there are said here, not deep in a generator. Raises ValueError."""
        for knob in ("ops", "exclude", "dtypes"):
            if isinstance(getattr(self, knob), str):
                raise ValueError(f"{knob} is a tuple of names, not {getattr(self, knob)!r}")
        unknown = [d for d in self.dtypes if d not in DTYPES]
        if unknown:
            raise ValueError(f"no dtype of graphs: {unknown[0]!r}; there are: {', '.join(DTYPES)}")
        if self.ops:
            from ge_dialect.ops.registry import has_op, op_names
            from ge_dialect.spelling import nearest

            for name in self.ops:
                if not has_op(name):
                    near = nearest(name.removeprefix("ge."), op_names())
                    hint = f"; did you mean {near!r}?" if near else ""
                    raise ValueError(f"no operator of type {name!r}{hint}")

    def but(self, **changes: Any) -> Knobs:
        """These knobs with some changed."""
        return replace(self, **changes)


#: Named knobs. "flat": no sub-graphs. "pure": nothing that touches state, prints or draws.
#: "plain": pure graphs of floats with static shapes. "exhaustive": one type, no choices.
PROFILES: dict[str, Knobs] = {
    "default": Knobs(),
    "small": Knobs(min_ops=1, max_ops=5),
    "large": Knobs(min_ops=20, max_ops=60, max_inputs=8),
    "flat": Knobs(subgraphs=0.0),
    "pure": Knobs(subgraphs=0.0, refs=0.0, io=0.0, random=0.0, ref_inputs=0.0),
    "plain": Knobs(
        dtypes=("float32",),
        subgraphs=0.0,
        refs=0.0,
        io=0.0,
        random=0.0,
        ref_inputs=0.0,
        layouts=0.0,
        data_dependent=0.0,
        dynamic=0.0,
        zero_size=0.0,
        data_nodes=0.0,
        control=0.0,
        special=0.0,
    ),
    "effects": Knobs(refs=0.4, io=0.15, random=0.05, subgraphs=0.15, ref_inputs=0.5, control=0.3),
    "exhaustive": Knobs(
        dtypes=("float32",),
        dims=(2,),
        max_rank=1,
        max_inputs=2,
        **dict.fromkeys(
            (
                *("structures", "duplicates", "refs", "io", "random", "subgraphs", "layouts"),
                "data_dependent",
                *("data_nodes", "zero_size", "rank0", "dynamic", "ref_inputs", "passthrough"),
                *("extra_outputs", "control", "dead", "attrs", "constants", "weights", "special"),
            ),
            0.0,
        ),
    ),
}


def named_profile(profiles: Mapping[str, T], chosen: T | str) -> T:
    """A profile, or the one of that name; ValueError says which names there are."""
    return by_name("profile", profiles, chosen) if isinstance(chosen, str) else chosen


def by_name(what: str, known: Mapping[str, T], name: str) -> T:
    """The entry of that name; ValueError says which names there are."""
    if name not in known:
        raise ValueError(f"there is no {what} {name!r}; there are: {', '.join(known)}")
    return known[name]
