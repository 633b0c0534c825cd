"""What a mistyped name was probably meant to be; behind every "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name closest to `word`, or None.

    Case alone is no difference ("relu" is Relu, not Selu), and neither is what GE puts behind a
    name ("Conv" is Conv2D, "Softmax" is SoftmaxV2); then letters count, `cutoff` of 0 … 1 as in
    `difflib`.
    """
    from difflib import get_close_matches

    names = sorted(set(known))
    plain = word.lower()
    for name in names:
        if name.lower() == plain:
            return name
    for ending in ("2d", "v2", "d"):
        for name in names:
            if name.lower() == plain + ending:
                return name
    near = get_close_matches(word, names, 1, cutoff)
    if not near:
        lower = {name.lower(): name for name in names}
        near = [lower[n] for n in get_close_matches(plain, list(lower), 1, cutoff)]
    return near[0] if near else None
