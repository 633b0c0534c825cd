"""Finding a pattern graph in the target.

The rules are GE's: inputs are matched by position and must all be there, a Data node of the pattern
matches any value, Const and Constant are one type, attributes and constants count only where the
configuration says so, nothing inside the pattern may be read from outside unless it is an output,
and control edges of the target do not matter. A constant inside the pattern may have other readers,
which GE refuses; ``driver=ge`` does, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.ir import Block, Operation, OpResult, SSAValue

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.merge import can_merge
from ge_dialect.ir.names import node_name
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ir.order import is_effectful
from passes.effects import is_pinned
from passes.ge_adapter.builder import CONSTS, Graph, Node, NodeIo, TensorHolder, as_graph
from passes.ge_adapter.views import NodeView, view_of
from passes.values import CONST_OPS

if TYPE_CHECKING:
    from passes.rewriting import PatternRewriter


@dataclass(frozen=True)
class PatternMatcherConfig:
    """What else must agree: values of constants, attributes of nodes."""

    const_value_match: bool = False
    ir_attr_match: bool = False

    def is_enable_const_value_match(self) -> bool:
        """Whether constants must have the values of the pattern's."""
        return self.const_value_match

    def is_enable_ir_attr_match(self) -> bool:
        """Whether all attributes of a node must be those of the pattern's."""
        return self.ir_attr_match


class PatternMatcherConfigBuilder:
    """Makes a `PatternMatcherConfig` step by step."""

    def __init__(self) -> None:
        self._consts = self._attrs = False

    def enable_const_value_match(self) -> PatternMatcherConfigBuilder:
        """Values of constants must agree."""
        self._consts = True
        return self

    def enable_ir_attr_match(self) -> PatternMatcherConfigBuilder:
        """Attributes must agree."""
        self._attrs = True
        return self

    def build(self) -> PatternMatcherConfig:
        """The configuration."""
        return PatternMatcherConfig(self._consts, self._attrs)


class Pattern:
    """A graph to look for, and the tensors of it that a pass wants to see."""

    def __init__(self, graph: Graph) -> None:
        self.graph = as_graph(graph, "a pattern is made of a Graph, not of")
        self._captured: list[NodeIo] = []
        for node in graph.nodes():
            if node.after:
                raise ValueError(f"pattern '{graph.name}' has control edges")
        if graph.outputs[0].node.type in ("Data", "Const"):
            raise ValueError(f"pattern '{graph.name}' does not end in an operator")

    def capture_tensor(self, source: Any, index: int | None = None) -> Pattern:
        """Remember a tensor for `MatchResult.get_captured_tensor`; the pattern, for chaining."""
        self._captured.append(capture_tensor(source, index))
        return self

    def get_captured_tensors(self) -> list[NodeIo]:
        """What was captured, in order."""
        return list(self._captured)


def capture_tensor(source: Any, index: int | None = None) -> NodeIo:
    """A tensor of a pattern graph as node and number of the output."""
    if isinstance(source, NodeIo):
        return source
    if isinstance(source, TensorHolder):
        return NodeIo(source.node, source.index if index is None else index)
    if isinstance(source, Node):
        return NodeIo(source, index or 0)
    raise TypeError(f"{source!r} is no tensor of a pattern")


def create_pattern(graph: Graph) -> Pattern:
    """A pattern of a graph."""
    return Pattern(graph)


def create_replacement(graph: Graph) -> Graph:
    """The graph itself; TypeError for anything else."""
    return as_graph(graph, "a replacement is a Graph, not")


class MatchResult:
    """Where a pattern was found. `refuse` is ours: False, with a reason that remarks show."""

    def __init__(self, pattern: Pattern, found: Matcher, weights: Any) -> None:
        self.pattern = pattern
        self.found = found
        self._weights = weights
        self.reason: str | None = None

    def get_matched_nodes(self) -> list[NodeView]:
        """The matched nodes in the order of the pattern, producers first."""
        ops = self.found.ops
        nodes = self.pattern.graph.nodes()
        return [NodeView(ops[id(n)], self._weights) for n in nodes if id(n) in ops]

    def get_captured_tensor(self, capture_index: int) -> NodeIo:
        """Node and output of the target for a captured tensor; IndexError for no such one."""
        captured = self.pattern.get_captured_tensors()[capture_index]
        value = self.found.value(TensorHolder(captured.node, captured.index))
        node, index = view_of(value, self._weights)
        return NodeIo(node, index)

    def get_pattern_graph_name(self) -> str:
        """Name of the pattern graph."""
        return self.pattern.graph.name

    def refuse(self, reason: str) -> bool:
        """Say why the requirements are not met: ``return match_result.refuse("...")``."""
        self.reason = reason
        return False


class Matcher:
    """One attempt to find a pattern whose first output is made by a given node."""

    def __init__(self, config: PatternMatcherConfig, strict: bool) -> None:
        self.config = config
        self.strict = strict
        self.ops: dict[int, GeOp] = {}
        self.values: dict[int, SSAValue] = {}
        self.problem = ""
        self.matched_shape = False

    def value(self, tensor: TensorHolder) -> SSAValue:
        """The value of the target for a tensor of the pattern."""
        node = tensor.node
        if node.type == "Data":
            return self.values[id(node)]
        return self.ops[id(node)].ge_data_results[tensor.index]

    def find(self, graph: Graph, op: GeOp) -> bool:
        """Match all outputs, the first at `op`; afterwards `ops` and `values` are bound."""
        first = graph.outputs[0]
        if not self._node(first.node, op):
            return False
        for out in graph.outputs[1:]:
            if out.node.type != "Data" and id(out.node) not in self.ops:
                if not self._search(out.node, op.parent):
                    return self._no(f"no {out.node.type} completes the pattern")
        self.matched_shape = True
        return self._closed(graph)

    def _search(self, node: Node, block: Block | None) -> bool:
        """Try every node of the block at a further output."""
        for candidate in block.ops if block is not None else ():
            if not isinstance(candidate, GeOp) or candidate in self.ops.values():
                continue
            kept = dict(self.ops), dict(self.values)
            if self._node(node, candidate):
                return True
            self.ops, self.values = kept
        return False

    def _no(self, problem: str) -> bool:
        self.problem = problem
        return False

    def _node(self, node: Node, op: Operation) -> bool:
        bound = self.ops.get(id(node))
        if bound is not None:
            return bound is op or self._no(f"two inputs are not made by one {node.type}")
        if not isinstance(op, GeOp) or not _same_type(node.type, op.ge_type):
            return self._no(f"{_kind(op)} stands where the pattern has {node.type}")
        self.ops[id(node)] = op
        if node.type in CONSTS:
            same = not self.config.const_value_match or same_constant(node, op)
            return same or self._no(f"constant {node_name(op)} has another value")
        if self.config.ir_attr_match and not _same_attrs(node, op):
            return self._no(f"attributes of {node_name(op)} differ from the pattern's")
        args = op.ge_args()
        for number, (wanted, found) in enumerate(zip(node.args, args, strict=True)):
            if isinstance(wanted, list):
                many = found if isinstance(found, list) else []
                if len(many) != len(wanted):
                    return self._no(f"{op.ge_type} has {len(many)} inputs, not {len(wanted)}")
                if not all(self._tensor(w, f) for w, f in zip(wanted, many, strict=True)):
                    return False
            elif (wanted is None) != (found is None):
                there = "not connected" if found is None else "connected"
                return self._no(f"input {number} of {op.ge_type} is {there}")
            elif wanted is not None:
                assert isinstance(found, SSAValue)
                if not self._tensor(wanted, found):
                    return False
        return True

    def _tensor(self, wanted: TensorHolder, found: SSAValue) -> bool:
        node = wanted.node
        if node.type == "Data":
            held = self.values.setdefault(id(node), found)
            return held is found or self._no("two inputs of the pattern are one, and differ here")
        if not isinstance(found, OpResult):
            return self._no(f"an input of the graph stands where the pattern has {node.type}")
        if found.index != wanted.index:
            return self._no(f"result {found.index} is read, not {wanted.index}")
        return self._node(node, found.op)

    def _closed(self, graph: Graph) -> bool:
        """GE's boundary check: nothing inside is read from outside."""
        matched = set(self.ops.values())
        outputs = {self.value(o) for o in graph.outputs if o.node.type != "Data"}
        for op in self.ops.values():
            if op.name in CONST_OPS and not self.strict:
                continue
            for result in op.ge_data_results:
                if result in outputs:
                    continue
                if any(use.operation not in matched for use in result.uses):
                    return self._no(f"the result of {op.ge_type} has readers outside the pattern")
        return True


def match(
    pattern: Pattern, config: PatternMatcherConfig, op: GeOp, rw: PatternRewriter
) -> MatchResult | None:
    """The pattern with its first output at `op`, or None with the reason told to `rw`."""
    found = Matcher(config, strict=rw.ctx.driver == "ge")
    fits = found.find(pattern.graph, op)
    others = [o for o in found.ops.values() if o is not op]
    if not fits and not found.matched_shape:
        rw.candidate(False, found.problem, *others)
        return None
    rw.involves(*others)
    if not rw.when(fits, found.problem or "a matched tensor has readers outside the pattern"):
        return None
    effects = next((o for o in found.ops.values() if is_effectful(o)), None)
    what = "a matched node" if effects is None else effects.ge_type
    if not rw.when(effects is None, f"{what} has effects"):
        return None
    free = not any(is_pinned(o) for o in found.ops.values())
    if not rw.when(free, "a node is marked no_need_constant_folding"):
        return None
    working = [o for o in found.ops.values() if o.name not in CONST_OPS]
    together = all(can_merge(working[0], o) for o in working[1:])
    if not rw.when(together, "the nodes are bound to different places"):
        return None
    weights = (lambda: rw.ctx.weights) if rw.ctx.has_weights else None
    return MatchResult(pattern, found, weights)


# ---------------------------------------------------------------------------------- comparing


def _same_type(wanted: str, found: str) -> bool:
    return wanted == found or (wanted in CONSTS and found in CONSTS)


def _kind(op: Operation) -> str:
    return op.name.removeprefix("ge.")


def same_constant(node: Node, op: GeOp) -> bool:
    """Whether a constant of the target is that of the pattern: dtype, shape and bytes.

    A bare number in the pattern is compared as a scalar of the target's dtype.
    """
    import numpy as np

    from ge_dialect.dtypes import to_xdsl
    from ge_dialect.ir.dense import dense_to_numpy

    held = op.properties.get("value")
    if not is_dense(held):
        return False
    found = dense_to_numpy(held)
    if node.dtype is not None and held.get_element_type() != to_xdsl(node.dtype):
        return False
    wanted = np.asarray(node.value).astype(found.dtype)
    return found.shape == wanted.shape and found.tobytes() == wanted.tobytes()


def _same_attrs(node: Node, op: GeOp) -> bool:
    from ge_dialect.ir.build import make_properties

    wanted = make_properties(type(op), type(op).ge_table(), node.attrs)
    found = {n: v for n, v in op.properties.items() if n in type(op).ge_table().attrs}
    return wanted == found


__all__ = [
    "MatchResult",
    "Pattern",
    "PatternMatcherConfig",
    "PatternMatcherConfigBuilder",
    "capture_tensor",
    "create_pattern",
    "create_replacement",
    "match",
]
