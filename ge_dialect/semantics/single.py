"""One node by golden semantics: the call with its checks, folding, and operators on arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.plugins.journal import fault, is_foreign
from ge_dialect.semantics.budget import OverBudget, claim_results
from ge_dialect.semantics.context import NO_ARRAY, Context
from ge_dialect.semantics.numerics import finish
from ge_dialect.semantics.registry import SemanticsFn, lookup

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from ge_dialect.ir.base import GeOp


def plain_constant(attr: Any) -> Any:
    """Array of an inline tensor attribute; GeError for a weight, which needs a store."""
    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

    from ge_dialect.ir.dense import dense_to_numpy

    if isinstance(attr, DenseIntOrFPElementsAttr):
        return dense_to_numpy(attr)
    raise GeError(
        Diagnostic("GX-247", "a weight cannot be read here", found=str(attr), expected="dense<…>")
    )


def call(
    op_type: str, fn: SemanticsFn, args: list[Any], attrs: Mapping[str, Any], ctx: Context
) -> list[Any]:
    """Results of one node: as many as declared, of the declared dtypes, in the declared shapes.

    Raises GeError with the node's name for whatever the semantics or numpy refuse, and for arrays
    larger than the budget allows.
    """
    try:
        claim_results(ctx.out_types, lambda: _types_at_hand(op_type, args, attrs))
        found = fn(args, attrs, ctx)
    except OverBudget as over:
        ctx.fail(
            f"{op_type} would make an array larger than the budget of the run allows",
            code="GX-248",
            found=f"{over.size} bytes",
            expected=f"at most {over.limit} bytes",
            hint="evaluate with a larger Budget(array_bytes=…)",
        )
    except (ValueError, IndexError, OverflowError, ZeroDivisionError, MemoryError) as error:
        hint = "run the verifier: it checks shapes and dtypes before the run"
        why = str(error) or (
            "not enough memory" if isinstance(error, MemoryError) else fault(error)
        )
        raise _refused(op_type, why, args, ctx, hint) from error
    except (Exception, SystemExit) as error:
        if isinstance(error, GeError) or not is_foreign(fn):
            raise
        hint = f"the golden function is at fault: {_place(fn)}"
        raise _refused(op_type, fault(error), args, ctx, hint) from error
    results = list(found) if isinstance(found, tuple | list) else [found]
    if not ctx.out_types:
        return [r if isinstance(r, NO_ARRAY) else np.asarray(r) for r in results]
    if len(results) != len(ctx.out_types):
        ctx.fail(
            f"{op_type} gives another number of results than declared",
            code="GX-243",
            found=len(results),
            expected=len(ctx.out_types),
        )
    try:
        return [
            r if isinstance(r, NO_ARRAY) else _result(op_type, i, r, ctx)
            for i, r in enumerate(results)
        ]
    except (TypeError, ValueError) as error:
        if not is_foreign(fn):
            raise
        ctx.fail(
            f"{op_type} gives no array of the declared dtype",
            code="GX-243",
            found=str(error),
            hint=f"the golden function is at fault: {_place(fn)}",
        )


def _refused(op_type: str, why: str, args: list[Any], ctx: Context, hint: str) -> GeError:
    return GeError(
        Diagnostic(
            "GX-242",
            f"{op_type} cannot be evaluated: {why}",
            node=ctx.node_name or None,
            found=_describe(args),
            hint=hint,
        )
    )


def _place(fn: SemanticsFn) -> str:
    """File and line of a function."""
    code = getattr(fn, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code is not None else repr(fn)


def _result(op_type: str, index: int, value: Any, ctx: Context) -> Any:
    array = finish(value, ctx.out_dtype(index))
    shape = ctx.out_shape(index)
    if shape is not None and array.shape != shape:
        same_rank = len(shape) == array.ndim
        if not same_rank or any(n not in (-1, m) for n, m in zip(shape, array.shape, strict=True)):
            ctx.fail(
                f"result {index} of {op_type} has another shape than declared",
                code="GX-243",
                found=list(array.shape),
                expected=str(list(shape)).replace("-1", "?"),
                hint="infer the types anew",
            )
    return array


def _describe(args: Sequence[Any]) -> str:
    def one(a: Any) -> str:
        if a is None:
            return "-"
        if isinstance(a, list):
            return "[" + ", ".join(map(one, a)) + "]"
        return repr(a) if isinstance(a, NO_ARRAY) else f"{a.dtype}{list(a.shape)}"

    return ", ".join(map(one, args))


def _required(op_type: str) -> SemanticsFn:
    fn = lookup(op_type)
    if fn is None:
        raise GeError(Diagnostic("GX-241", f"operator {op_type} has no golden semantics"))
    return fn


def fold_op(op: GeOp, args: Sequence[Any], *, compute_dtype: Any = None) -> list[Any]:
    """Results of an existing node on known arrays, one per data result.

    args: one entry per declared input, as `GeOp.ge_args()` lays them out (None, an array, a list).
    Raises GeError where the node has no semantics or refuses. The caller looks after effects:
    nodes that touch state or draw random numbers are not to be folded.
    """
    ctx = Context(
        compute_dtype=compute_dtype,
        node_name=op.ge_node_name or "",
        node_id=op.ge_node_name or "",
        out_types=[r.type for r in op.ge_data_results],
        arg_types=[v.type for v in op.ge_data_operands],
        constant=plain_constant,
    )
    with np.errstate(all="ignore"):
        return call(op.ge_type, _required(op.ge_type), list(args), op.ge_attrs(), ctx)


def apply_op(
    op_type: str,
    args: Sequence[Any],
    attrs: Mapping[str, Any] | None = None,
    *,
    out_types: Sequence[Attribute] | None = None,
    compute_dtype: Any = None,
    seed: int = 0,
    node_id: str = "",
) -> list[Any]:
    """Results of an operator on arrays, without a graph.

    args: one entry per declared input (missing ones at the end are None). attrs: Python values;
    what is missing takes its default. out_types: inferred from the arrays where not given.
    Raises GeError where inference or the operator refuses the arguments, KeyError for an unknown
    operator, ValueError for an unknown or missing attribute.
    """
    from ge_dialect.ops.registry import op_class

    cls = op_class(op_type)
    table = cls.ge_table()
    given = [np.asarray(a) if _is_plain(a) else a for a in args]
    given += [None] * (len(table.inputs) - len(given))
    full = _all_attrs(cls, attrs or {})
    if out_types is None:
        out_types = _infer(cls, given, full)
    ctx = Context(
        compute_dtype=compute_dtype,
        node_name=op_type,
        node_id=node_id,
        seed=seed,
        out_types=out_types,
        constant=plain_constant,
    )
    with np.errstate(all="ignore"):
        return call(op_type, _required(op_type), given, full, ctx)


def _types_at_hand(op_type: str, args: Sequence[Any], attrs: Mapping[str, Any]) -> list[Any]:
    """Result types for the arrays at hand; none where only the node itself has a rule."""
    from ge_dialect.ops.registry import op_class

    cls = op_class(op_type)
    flat = [v for a in args for v in (a if isinstance(a, list) else [a])]
    if cls.ge_table().graphs or any(isinstance(v, NO_ARRAY) for v in flat):
        return []
    try:
        return _infer(cls, args, attrs)
    except (GeError, ValueError, TypeError):
        return []  # the operator itself says what is wrong


def _is_plain(a: Any) -> bool:
    return not (a is None or isinstance(a, (list, tuple, *NO_ARRAY)))


def _all_attrs(cls: type[GeOp], attrs: Mapping[str, Any]) -> dict[str, Any]:
    from ge_dialect.ir.build import make_properties

    table = cls.ge_table()
    props = make_properties(cls, table, attrs)
    return {
        name: spec.kind.to_python(props[name]) if name in props else None
        for name, spec in table.attrs.items()
    }


def _infer(cls: type[GeOp], args: Sequence[Any], attrs: Mapping[str, Any]) -> list[Any]:
    from ge_dialect.dtypes import from_numpy
    from ge_dialect.infer.errors import InferError
    from ge_dialect.infer.node import infer_parts
    from ge_dialect.ir.types import tensor_type

    def type_of(a: Any) -> Any:
        return tensor_type(a.shape, from_numpy(a.dtype))

    types = [
        None
        if a is None
        else [type_of(v) for v in a]
        if isinstance(a, list | tuple)
        else type_of(a)
        for a in args
    ]
    by_name = {s.name: a for s, a in zip(cls.ge_table().inputs, args, strict=True)}
    try:
        return infer_parts(cls, types, attrs, lambda name: by_name[name])
    except InferError as error:
        raise GeError(_refusal(error, cls.name[3:])) from None


def _refusal(error: Any, node: str) -> Diagnostic:
    def text(value: object) -> str | None:
        return None if value is None else str(value)

    found, expected = text(error.found), text(error.expected)
    return Diagnostic(error.code, error.message, node=node, found=found, expected=expected)
