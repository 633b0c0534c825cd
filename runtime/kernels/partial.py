"""Weighted sums along an axis in which each result reads only some of the elements.

A matrix of weights stands for such sums as long as all numbers are finite: what is not read has the
weight 0. An infinity or NaN would spoil every result then, so lines that hold one are summed result
by result.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def contract(a: np.ndarray, b: np.ndarray, axes: tuple[Sequence[int], Sequence[int]]) -> np.ndarray:
    """`np.tensordot` by a matrix product that multiplies with zeros too: 0 · inf is NaN.

    `np.dot` scales a row where the other factor is one number, and skips a number that is 0.
    """
    over_a, over_b = ([i % x.ndim for i in over] for x, over in zip((a, b), axes, strict=True))
    free_a = [i for i in range(a.ndim) if i not in over_a]
    free_b = [i for i in range(b.ndim) if i not in over_b]
    shape_a, shape_b = [a.shape[i] for i in free_a], [b.shape[i] for i in free_b]
    inner = int(np.prod([a.shape[i] for i in over_a]))
    left = a.transpose(free_a + list(over_a)).reshape(int(np.prod(shape_a)), inner)
    right = b.transpose(list(over_b) + free_b).reshape(inner, int(np.prod(shape_b)))
    return np.matmul(left, right).reshape(*shape_a, *shape_b)


def read_sums(x: np.ndarray, axis: int, weight: np.ndarray, read: np.ndarray) -> np.ndarray:
    """Along `axis`, result o is the sum of weight[o, j] · x[j] over the j where read[o, j].

    weight, read: [out, size]; weights of elements that are not read are 0.
    """
    if x.dtype.kind != "f" or np.isfinite(x).all():
        return np.moveaxis(contract(x, weight, ((axis,), (1,))), -1, axis)
    lines = np.moveaxis(x, axis, 0)
    y = np.zeros((weight.shape[0], *lines.shape[1:]), x.dtype)
    for o, (factors, mask) in enumerate(zip(weight, read, strict=True)):
        picked = lines[mask] * factors[mask].reshape(-1, *(1,) * (lines.ndim - 1))
        y[o] = picked.sum(axis=0)
    return np.moveaxis(y, 0, axis)
