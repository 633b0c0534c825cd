"""What numpy and torch call the things that GE has under other names; for hints only."""

from __future__ import annotations

#: Name in lower case, as a function or a method -> how it is written here; `{x}` is the tensor.
FOREIGN: dict[str, str] = {
    # contractions
    "matmul": "ge.MatMulV2({x}, b), {x} @ b",
    "mm": "ge.MatMulV2({x}, b), {x} @ b",
    "dot": "ge.MatMulV2({x}, b), {x} @ b",
    "bmm": "ge.BatchMatMulV2({x}, b), {x} @ b",
    "linear": "ge.MatMulV2({x}, w, bias)",
    "dense": "ge.MatMulV2({x}, w, bias)",
    "tensordot": "ge.Einsum([{x}, b], equation=...)",
    # reductions
    "sum": "ge.ReduceSumD({x}, axes=[...])",
    "mean": "ge.ReduceMeanD({x}, axes=[...])",
    "average": "ge.ReduceMeanD({x}, axes=[...])",
    "max": "ge.ReduceMaxD({x}, axes=[...]), of two tensors ge.Maximum",
    "amax": "ge.ReduceMaxD({x}, axes=[...])",
    "min": "ge.ReduceMinD({x}, axes=[...]), of two tensors ge.Minimum",
    "amin": "ge.ReduceMinD({x}, axes=[...])",
    "prod": "ge.ReduceProdD({x}, axes=[...])",
    "any": "ge.ReduceAnyD({x}, axes=[...])",
    "all": "ge.ReduceAllD({x}, axes=[...])",
    "std": "ge.ReduceStdV2({x}, dim=[...])",
    "var": "ge.ReduceStdV2({x}, dim=[...]), whose square it is",
    "norm": "ge.LpNormV2({x}, p=2)",
    "logsumexp": "ge.ReduceLogSumExp({x}, axes)",
    "argmax": "ge.ArgMaxV2({x}, axis)",
    "argmin": "ge.ArgMin({x}, axis)",
    "cumsum": "ge.Cumsum({x}, axis)",
    "cumprod": "ge.Cumprod({x}, axis)",
    # moving data
    "concat": "ge.ConcatD([{x}, b], concat_dim=...)",
    "concatenate": "ge.ConcatD([{x}, b], concat_dim=...)",
    "cat": "ge.ConcatD([{x}, b], concat_dim=...)",
    "stack": "ge.Pack([{x}, b], axis=...)",
    "unstack": "ge.Unpack({x}, num=..., axis=...)",
    "unbind": "ge.Unpack({x}, num=..., axis=...)",
    "split": "ge.SplitD({x}, split_dim=..., num_split=...)",
    "chunk": "ge.SplitD({x}, split_dim=..., num_split=...)",
    "view": "{x}.reshape(...), ge.Reshape",
    "flatten": "{x}.reshape(-1), ge.FlattenV2",
    "ravel": "{x}.reshape(-1), ge.FlattenV2",
    "permute": "{x}.transpose(...), ge.TransposeD",
    "swapaxes": "{x}.transpose(...), ge.TransposeD",
    "moveaxis": "{x}.transpose(...), ge.TransposeD",
    "t": "{x}.transpose()",
    "mt": "{x}.transpose(...)",
    "unsqueeze": "ge.Unsqueeze({x}, axes=[...]), {x}[None]",
    "expand_dims": "ge.Unsqueeze({x}, axes=[...]), {x}[None]",
    "squeeze": "ge.Squeeze({x}, axis=[...])",
    "expand": "ge.BroadcastTo({x}, shape)",
    "broadcast_to": "ge.BroadcastTo({x}, shape)",
    "tile": "ge.TileD({x}, multiples=[...])",
    "repeat": "ge.TileD({x}, multiples=[...])",
    "pad": "ge.PadV3({x}, paddings, 0, mode='constant')",
    "flip": "ge.ReverseV2({x}, axis)",
    "roll": "ge.Roll({x}, shifts=[...], dims=[...])",
    "take": "ge.GatherV2({x}, indices, axis), {x}[indices]",
    "index_select": "ge.GatherV2({x}, indices, axis), {x}[indices]",
    "embedding": "ge.GatherV2(table, {x}, 0)",
    "gather": "ge.GatherV2({x}, indices, axis), by element ge.GatherElements",
    "where": "ge.SelectV2(condition, {x}, b)",
    "nonzero": "ge.NonZero({x})",
    "sort": "ge.Sort({x}, axis=...)",
    "topk": "ge.TopKV2({x}, k)",
    "copy": "nothing: tensors do not change; ge.Identity({x}) makes a node",
    "clone": "nothing: tensors do not change; ge.Identity({x}) makes a node",
    "detach": "nothing: no gradients are recorded; ge.Identity({x}) makes a node",
    "contiguous": "nothing: tensors have no strides",
    # elementwise
    "add": "ge.Add({x}, b), {x} + b",
    "subtract": "ge.Sub({x}, b), {x} - b",
    "multiply": "ge.Mul({x}, b), {x} * b",
    "divide": "ge.RealDiv({x}, b), {x} / b",
    "true_divide": "ge.RealDiv({x}, b), {x} / b",
    "floor_divide": "ge.FloorDiv({x}, b), {x} // b",
    "remainder": "ge.FloorMod({x}, b), {x} % b",
    "power": "ge.Pow({x}, b), {x} ** b",
    "negative": "ge.Neg({x}), -{x}",
    "absolute": "ge.Abs({x}), abs({x})",
    "clip": "ge.ClipByValue({x}, low, high)",
    "clamp": "ge.ClipByValue({x}, low, high)",
    "eq": "ge.Equal({x}, b)",
    "ne": "ge.NotEqual({x}, b)",
    "lt": "ge.Less({x}, b), {x} < b",
    "le": "ge.LessEqual({x}, b), {x} <= b",
    "gt": "ge.Greater({x}, b), {x} > b",
    "ge": "ge.GreaterEqual({x}, b), {x} >= b",
    "softmax": "ge.SoftmaxV2({x}, axes=[-1])",
    "log_softmax": "ge.LogSoftmaxV2({x}, axes=[-1])",
    "silu": "ge.Swish({x})",
    # layers
    "conv": "ge.Conv2D({x}, w, strides=[...], pads=[...], data_format='NCHW')",
    "conv1d": "ge.Conv2D of a tensor with one more dim",
    "max_pool2d": "ge.MaxPoolV3({x}, ksize=[...], strides=[...])",
    "avg_pool2d": "ge.AvgPoolV2({x}, ksize=[...], strides=[...])",
    "batch_norm": "ge.BNInfer({x}, scale, offset, mean, variance, epsilon=...)",
    "layer_norm": "ge.LayerNormV3({x}, gamma, beta)",
    "group_norm": "ge.GroupNorm({x}, gamma, beta, num_groups=...)",
    "attention": "ge.FlashAttentionScore",
    # dtypes and values
    "astype": "{x}.cast('float16')",
    "to": "{x}.cast('float16')",
    "type": "{x}.cast('float16')",
    "float": "{x}.cast('float32')",
    "half": "{x}.cast('float16')",
    "bfloat16": "{x}.cast('bfloat16')",
    "int": "{x}.cast('int32')",
    "long": "{x}.cast('int64')",
    "bool": "{x}.cast('bool')",
    "ndim": "{x}.rank",
    "dim": "{x}.rank",
    "size": "{x}.shape, of a running graph ge.Size({x})",
    "numel": "{x}.shape, of a running graph ge.Size({x})",
    "item": "nothing: values are known when the graph runs (ge_dialect.evaluate)",
    "numpy": "nothing: values are known when the graph runs (ge_dialect.evaluate)",
    "tolist": "nothing: values are known when the graph runs (ge_dialect.evaluate)",
    # making tensors
    "zeros": "g.const(np.zeros(shape, np.float32))",
    "ones": "g.const(np.ones(shape, np.float32))",
    "full": "ge.Fill(dims, value)",
    "arange": "ge.Range(start, limit, delta)",
    "constant": "g.const(value)",
    "tensor": "g.const(value)",
    "array": "g.const(value)",
    "placeholder": "g.input(name, shape, dtype)",
    "parameter": "g.const(value), and where it is written to g.variable(name, value)",
}


def written_here(name: str, tensor: str = "x") -> str | None:
    """How what other libraries call `name` is written with GE's operators, None where unknown.

    What no other library calls so is looked for among GE's names by spelling.
    """
    known = FOREIGN.get(name.lower())
    if known is not None:
        return known.format(x=tensor)
    from ge_dialect.ops.registry import op_names
    from ge_dialect.spelling import nearest

    near = nearest(name.rstrip("_").replace("_", ""), op_names(), 0.8)
    return f"ge.{near}({tensor})" if near else None
