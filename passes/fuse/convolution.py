"""What folds into a convolution have in common: preconditions, shapes, the new node."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
)

from ge_dialect.ir.build import build
from ge_dialect.ir.control import control_inputs, control_result
from ge_dialect.ir.merge import can_merge
from ge_dialect.ir.names import node_name, origins, set_node_name
from ge_dialect.ir.types import elem_of, is_static, layout_of, shape_of, tensor_type
from passes.effects import is_pinned
from passes.folding import Derivation, constant_op, make_const
from passes.pattern_dsl import when

if TYPE_CHECKING:
    from passes.rewriting import PatternRewriter

CONVOLUTIONS = ("ge.Conv2D", "ge.DepthwiseConv2D")
F32, INDEX = Float32Type(), IntegerType(64)
#: Filters that can take in a factor; one of integers would round it. No normalisation reads the
#: result of a convolution of integers, but a product does.
FLOATS = (BFloat16Type, Float16Type, Float32Type, Float64Type)


#: When a convolution with other weights may do the work of ``m.conv`` and the node after it,
#: ``m.root``.
CONVOLUTION_CONDITIONS = (
    when(
        lambda m: m.conv.results[0].has_one_use(), "the result of the convolution has other users"
    ),
    when(lambda m: not _is_awaited(m.conv), "another node waits for the convolution"),
    when(lambda m: constant_op(m.conv.ge_input("filter")) is not None, "the filter is no constant"),
    when(
        lambda m: (bias := m.conv.ge_input("bias")) is None or constant_op(bias) is not None,
        "the bias is no constant",
    ),
    when(lambda m: m.conv.ge_input("offset_w") is None, "the convolution has weight offsets"),
    when(
        lambda m: is_static(m.conv.ge_input("filter").type), "the number of channels is not known"
    ),
    when(
        lambda m: layout_of(m.conv.results[0].type) == layout_of(m.root.results[0].type),
        "the layouts of the results differ",
    ),
    when(
        lambda m: not any(is_pinned(c) for c in (m.conv, *_weights_of(m.conv))),
        "the weights are marked no_need_constant_folding",
    ),
    when(lambda m: can_merge(m.conv, m.root), "the nodes are bound to different places"),
)


def convolution_fits(conv: Any, node: Any, rw: PatternRewriter) -> bool:
    """`CONVOLUTION_CONDITIONS` for a pattern written as a class."""
    match = SimpleNamespace(conv=conv, root=node)
    return all(rw.when(c.check(match), c.reason) for c in CONVOLUTION_CONDITIONS)


def _is_awaited(conv: Any) -> bool:
    done = control_result(conv)
    return done is not None and done.first_use is not None


def _weights_of(conv: Any) -> list[Any]:
    found = (constant_op(conv.ge_input(name)) for name in ("filter", "bias"))
    return [c for c in found if c is not None]


def out_channels(conv: Any) -> int:
    """Number of output channels; the filter's shape must be known."""
    dims = shape_of(conv.ge_input("filter").type)
    assert dims is not None
    if conv.ge_attr("data_format") == "NCHW":
        return dims[0]
    return dims[2] * dims[3] if conv.ge_type == "DepthwiseConv2D" else dims[3]


def factor_shape(conv: Any) -> list[int]:
    """Shape in which one factor per output channel multiplies the filter."""
    dims = shape_of(conv.ge_input("filter").type)
    assert dims is not None
    if conv.ge_attr("data_format") == "NCHW":
        return [dims[0], 1, 1, 1]
    if conv.ge_type == "DepthwiseConv2D":
        return [1, 1, dims[2], dims[3]]
    return [1, 1, 1, dims[3]]


def scaled_filter(d: Derivation, conv: Any, factor: Any) -> Any:
    """A loose Const: the filter times one factor (f32, a vector) per output channel."""
    filter_ = conv.ge_input("filter")
    along = d.apply("Reshape", factor, d.literal(factor_shape(conv), INDEX))
    wide = d.apply("Mul", d.cast(d.of(filter_), F32), along)
    return d.cast(wide, elem_of(filter_.type))


def filter_const(conv: Any, value: Any) -> Any:
    """The Const of a new filter, in the type and layout of the old one."""
    filter_ = conv.ge_input("filter")
    return _named(value, filter_.type, conv, "filter", [filter_])


def bias_const(d: Derivation, conv: Any, value: Any, sources: Sequence[Any]) -> Any:
    """The Const of a new bias (f32, a vector) in the dtype of the old one, else of the filter."""
    bias = conv.ge_input("bias")
    elem = elem_of(conv.ge_input("filter").type if bias is None else bias.type)
    layout = None if bias is None else layout_of(bias.type)
    type_ = tensor_type((out_channels(conv),), elem, layout)
    return _named(d.cast(value, elem), type_, conv, "bias", [bias, *sources])


def _named(value: Any, type_: Any, conv: Any, role: str, sources: Sequence[Any]) -> Any:
    """A Const called after the convolution, standing for the constants behind `sources`."""
    const = make_const(value.properties["value"], type_)
    made_by = [constant_op(v) for v in sources if v is not None]
    names = [n for op in made_by if op is not None for n in origins(op)]
    set_node_name(const, f"{node_name(conv) or 'conv'}_{role}", names)
    return const


def replace_pair(rw: PatternRewriter, conv: Any, node: Any, new_filter: Any, new_bias: Any) -> None:
    """Let a convolution with the new weights stand for `conv` and `node`.

    new_filter, new_bias: new Consts, or the values the old convolution reads.
    """
    new = [w for w in (new_filter, new_bias) if w is not None and hasattr(w, "ge_type")]
    fused = build(
        conv.ge_type,
        {"x": conv.ge_input("x"), "filter": new_filter, "bias": new_bias},
        conv.ge_attrs(),
        result_types=[node.results[0].type],
        control=control_inputs(conv),
    )
    old = dict.fromkeys([*_constants(conv), *_constants(node)])
    unused = [None] * (len(node.ge_data_results) - 1)
    rw.replace(node, [*new, fused], [fused.results[0], *unused], merged=[conv])
    rw.erase(conv)
    for const in old:
        if all(r.first_use is None for r in const.results):
            rw.erase(const)


def _constants(op: Any) -> list[Any]:
    found = (constant_op(v) for v in op.ge_data_operands)
    return [c for c in found if c is not None]
