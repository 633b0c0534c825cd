"""Policy for the compiler's attributes when nodes are replaced or merged.

Attributes that the compiler writes are called `ge.*`. Each has a policy; an attribute without one
is foreign and survives on the node that takes over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Operation

from ge_dialect.ir.narrow import is_array
from ge_dialect.ir.order import does_work
from ge_dialect.plugins import journal


class MergePolicy(Enum):
    """EQUAL: nodes with different values do not merge. UNION: lists are joined.
    FIRST: the first node's value stays. DROP: the value does not survive a change."""

    EQUAL = "equal-or-refuse"
    UNION = "union"
    FIRST = "first"
    DROP = "drop"


POLICIES: dict[str, MergePolicy] = {
    "ge.engine": MergePolicy.EQUAL,
    "ge.engine_claims": MergePolicy.EQUAL,
    "ge.stream": MergePolicy.DROP,
    "ge.stream_label": MergePolicy.EQUAL,
    "ge.scope": MergePolicy.EQUAL,
    "ge.fusion_scope": MergePolicy.EQUAL,
    "ge.dump": MergePolicy.DROP,
    "ge.onnx": MergePolicy.DROP,
    "ge.origin_format": MergePolicy.EQUAL,
    "ge.keep_dtype": MergePolicy.EQUAL,
    "ge.groups": MergePolicy.UNION,
    "ge.offset": MergePolicy.DROP,
    "ge.workspace": MergePolicy.DROP,
    "ge.workspace_bytes": MergePolicy.DROP,
    "ge.record": MergePolicy.DROP,
    "ge.wait": MergePolicy.DROP,
}


#: Where and how the task of a node runs: nothing a node without a task can have.
_OF_TASKS = frozenset({"ge.engine_claims", "ge.stream_label"})
_NO_ENGINE = StringAttr("DNN_VM_GE_LOCAL")


def policy_of(name: str) -> MergePolicy:
    """Policy of an attribute; FIRST for foreign ones."""
    return POLICIES.get(name, MergePolicy.FIRST)


def declare_policy(name: str, policy: MergePolicy) -> None:
    """Declare the policy of a new `ge.*` attribute (plug-ins)."""
    if name not in POLICIES:
        journal.note("attribute", name, None, lambda: POLICIES.pop(name, None))
    known = POLICIES.setdefault(name, policy)
    if known is not policy:
        raise ValueError(f"attribute {name} already has the policy {known.value}")


def can_merge(a: Operation, b: Operation) -> bool:
    """False where an equal-or-refuse attribute differs between the nodes."""
    if not a.attributes and not b.attributes:
        return True
    for name in {*a.attributes, *b.attributes}:
        if policy_of(name) is MergePolicy.EQUAL and a.attributes.get(name) != b.attributes.get(
            name
        ):
            return False
    return True


def merged_attributes(ops: Sequence[Operation]) -> dict[str, Attribute]:
    """Attributes of a node that stands for `ops`, in order of first appearance."""
    out: dict[str, Attribute] = {}
    for op in ops:
        for name, value in op.attributes.items():
            policy = policy_of(name)
            if policy is MergePolicy.DROP:
                continue
            have = out.get(name)
            if have is None:
                out[name] = value
            elif policy is MergePolicy.UNION and is_array(have) and is_array(value):
                out[name] = ArrayAttr(list(dict.fromkeys([*have.data, *value.data])))
    return out


def hand_on(attributes: Mapping[str, Attribute], node: Operation, *, takes_over: bool) -> None:
    """Give a new node what it inherits of merged attributes; what it has already stays.

    takes_over: whether it is the node that stands for the old one; helpers beside it get the
    attributes with a policy only. A node without a task is the engine of such nodes' and has no
    place to run.
    """
    tasked = does_work(node)
    for name, value in attributes.items():
        if not takes_over and name not in POLICIES:
            continue
        if not tasked:
            if name in _OF_TASKS:
                continue
            if name == "ge.engine":
                value = _NO_ENGINE
        node.attributes.setdefault(name, value)
