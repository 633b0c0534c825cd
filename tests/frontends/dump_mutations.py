"""Seeded mutations of dumps: cuts, swaps, copies, foreign words, exchanged numbers and names."""

from __future__ import annotations

import random
import re

WORDS = (
    *'{ } " : < > [ ] -1 99999999999999999999 1000000000 name type input attr'.split(),
    *"key value list".split(),
    *'DT_FLOAT x:0 x:-1 "" null , i:\\ 3 dim:\\ -7'.split(),
    "\x00", "\u00e9", "9" * 5000, "op {", "graph {", 'subgraph_name: "root"', "\n", "\\", "'",
)  # fmt: skip
_TOKEN = re.compile(r'\d+|"[^"\n]*"')


def mutate(rng: random.Random, text: str) -> str:
    """The text with one to four changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        text = _KINDS[rng.randrange(len(_KINDS))](rng, text)
    return text


def _cut(rng: random.Random, t: str) -> str:
    return t[: rng.randrange(len(t) + 1)]


def _drop(rng: random.Random, t: str) -> str:
    at = rng.randrange(len(t) + 1)
    return t[:at] + t[at + rng.randrange(1, 30) :]


def _insert(rng: random.Random, t: str) -> str:
    at = rng.randrange(len(t) + 1)
    return t[:at] + rng.choice(WORDS) + t[at:]


def _copy(rng: random.Random, t: str) -> str:
    at, source, n = rng.randrange(len(t) + 1), rng.randrange(len(t) + 1), rng.randrange(1, 60)
    return t[:at] + t[source : source + n] + t[at + n :]


def _swap_lines(rng: random.Random, t: str) -> str:
    lines = t.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def _double_line(rng: random.Random, t: str) -> str:
    lines = t.split("\n")
    lines.insert(rng.randrange(len(lines)), lines[rng.randrange(len(lines))])
    return "\n".join(lines)


def _drop_line(rng: random.Random, t: str) -> str:
    lines = t.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def _exchange(rng: random.Random, t: str) -> str:
    tokens = list(_TOKEN.finditer(t))
    if not tokens:
        return t
    one, two = rng.choice(tokens), rng.choice(tokens)
    return t[: one.start()] + two.group() + t[one.end() :]


def _swap_blocks(rng: random.Random, t: str) -> str:
    parts = re.split(r"(?m)^(?=  op \{|graph \{|    input_desc \{)", t)
    if len(parts) > 2:
        a, b = rng.randrange(1, len(parts)), rng.randrange(1, len(parts))
        parts[a] = parts[b] if rng.random() < 0.5 else ""
    return "".join(parts)


_KINDS = (
    _cut, _drop, _insert, _copy, _swap_lines, _double_line, _drop_line, _exchange, _swap_blocks,
    _exchange,
)  # fmt: skip
