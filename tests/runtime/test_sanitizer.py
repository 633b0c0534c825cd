"""Races are named from the model alone."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from ge_dialect.api import load, parse
from ge_dialect.rt.view import read_model
from runtime.api import compile_default
from runtime.sanitizer import READ, WRITE, Access, Race, _races_of, clocks, find_races
from runtime.tools.ge_run import main
from tests.growth import IN_PROPORTION, growth

EXAMPLE = Path(__file__).parents[2] / "examples" / "two_engines.mlir"


def model_of(*streams):
    """A model of streams given as words: `r0` reads block 0, `w0` writes it, `+e`/`-e` events."""
    blocks = "tensor<8xf32>"
    lines = []
    for s, words in enumerate(streams):
        lines.append(f"  rt.stream {s} AIcoreEngine {{")
        for i, word in enumerate(words.split()):
            kind, number = word[0], int(word[1:])
            place = f"arena[{number * 512}] : {blocks}"
            if kind == "+":
                lines.append(f"    rt.event_record {number}")
            elif kind == "-":
                lines.append(f"    rt.event_wait {number}")
            elif kind == "r":
                target = f"output[{(s * 32 + i % 32) * 32}] : {blocks}"
                lines.append(f'    rt.memcpy "s{s}_{i}" {place} -> {target}')
            else:
                lines.append(f'    rt.memcpy "s{s}_{i}" input[0] : {blocks} -> {place}')
        lines.append("  }")
    config = (
        'soc = "Ascend910B2", format = 1, arena_bytes = 4096, weight_bytes = 0, input_bytes = 32, '
        "output_bytes = 4096, variable_bytes = 0, arena_lower_bound = 0, events = 9"
    )
    text = f"rt.model @m {{{config}}} {{\n" + "\n".join(lines) + "\n}\n"
    return read_model(parse(text).module)


def pairs(model):
    return [(r.first.node, r.second.node) for r in find_races(model)]


def test_unordered_write_and_read():
    assert pairs(model_of("w0", "r0")) == [("s0_0", "s1_0")]
    assert pairs(model_of("w0", "w0")) == [("s0_0", "s1_0")]
    assert pairs(model_of("r0", "r0")) == []
    assert pairs(model_of("w0", "r1")) == []


def test_events_order():
    assert pairs(model_of("w0 +0", "-0 r0")) == []
    assert pairs(model_of("+0 w0", "-0 r0")) == [("s0_1", "s1_1")]
    assert pairs(model_of("w0 +0", "r0 -0")) == [("s0_0", "s1_0")]


def test_order_through_a_third_stream():
    assert pairs(model_of("w0 +0", "-0 +1", "-1 r0")) == []
    assert pairs(model_of("w0 +0", "-0 r1 +1", "-1 r0 w0")) == []


def test_reuse_after_a_reader_needs_an_event_back():
    assert pairs(model_of("w0 +0 w0", "-0 r0")) == [("s0_2", "s1_1")]
    assert pairs(model_of("w0 +0 -1 w0", "-0 r0 +1")) == []


def test_clocks_of_a_deadlock_end():
    assert len(clocks(model_of("-0 w0 +1", "-1 w0 +0"))) == 6


@pytest.mark.parametrize("seed", range(30))
def test_against_all_interleavings(seed):
    """A race is a pair that two legal orders run in both ways."""
    rng = np.random.default_rng(seed)
    streams = []
    for _ in range(2):
        streams.append([f"{rng.choice(['r', 'w'])}{rng.integers(0, 2)}" for _ in range(3)])
    for event in range(int(rng.integers(0, 3))):
        source = int(rng.integers(0, 2))
        streams[source].insert(int(rng.integers(0, len(streams[source]) + 1)), f"+{event}")
        streams[1 - source].insert(int(rng.integers(0, len(streams[1 - source]) + 1)), f"-{event}")
    orders = _orders(streams)
    if not orders:
        return  # a deadlock
    expected = set()
    for i, j in itertools.product(range(len(streams[0])), range(len(streams[1]))):
        a, b = streams[0][i], streams[1][j]
        conflict = a[0] in "rw" and b[0] in "rw" and a[1:] == b[1:] and "w" in (a[0], b[0])
        ways = {order.index((0, i)) < order.index((1, j)) for order in orders}
        if conflict and len(ways) == 2:
            expected.add((f"s0_{i}", f"s1_{j}"))
    assert set(pairs(model_of(*(" ".join(s) for s in streams)))) == expected


def plain_races(accesses, before):
    """The definition: every pair that is in conflict and not in order, by address."""
    found = {}
    ranked = sorted(accesses, key=lambda a: (a.start, a.stream, a.position, a.kind))
    for i, access in enumerate(ranked):
        for other in ranked[:i]:
            if other.stream == access.stream or WRITE not in (other.kind, access.kind):
                continue
            if other.end <= access.start or other.start == other.end:
                continue
            a, b = sorted((other, access), key=lambda a: (a.stream, a.position))
            if before[b.stream, b.position][a.stream] > a.position:
                continue
            if before[a.stream, a.position][b.stream] > b.position:
                continue
            key = (a.stream, a.position, b.stream, b.position)
            found.setdefault(key, Race(a, b, access.start, min(other.end, access.end)))
    return list(found.values())


@pytest.mark.parametrize("seed", range(30))
def test_races_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    streams = [["w0"] * int(rng.integers(1, 8)) for _ in range(3)]
    for event in range(int(rng.integers(0, 7))):
        for s, mark in zip(rng.permutation(3)[:2], "+-", strict=True):
            streams[s].insert(int(rng.integers(0, len(streams[s]) + 1)), f"{mark}{event}")
    before = clocks(model_of(*(" ".join(s) for s in streams)))
    accesses = [
        Access(s, i, f"s{s}_{i}", str(rng.choice([READ, WRITE])), "arena", start, start + size)
        for s, words in enumerate(streams)
        for i, word in enumerate(words)
        if word[0] == "w"
        for start, size in rng.integers(0, 6, size=(2, 2)).tolist()
    ]
    assert list(_races_of(accesses, before)) == plain_races(accesses, before)


def test_many_uses_of_the_same_bytes_in_order():
    """Ten times as many take about ten times as long: not every pair is looked at."""
    uses = {n: " ".join(["w0", "r0"] * (n // 2)) for n in (80, 800)}
    models = {n: model_of(f"{words} +0", f"-0 {words}") for n, words in uses.items()}

    def run(n):
        assert find_races(models[n]) == []

    assert growth(run, 80) < IN_PROPORTION


def _orders(streams):
    """All complete interleavings of two streams that respect the events."""
    found = []

    def go(i, j, signals, order):
        if i == len(streams[0]) and j == len(streams[1]):
            found.append(list(order))
            return
        for s, k in ((0, i), (1, j)):
            if k == len(streams[s]):
                continue
            word = streams[s][k]
            if word[0] == "-" and word[1:] not in signals:
                continue
            more = signals | {word[1:]} if word[0] == "+" else signals
            order.append((s, k))
            go(i + (s == 0), j + (s == 1), more, order)
            order.pop()

    go(0, 0, frozenset(), [])
    return found


def test_compiled_example_has_none_until_an_event_is_removed(tmp_path, capsys):
    compiled = compile_default(load(EXAMPLE))
    assert find_races(read_model(compiled.module)) == []
    text = compiled.text()
    waits = re.findall(r"^ *rt.event_wait \d+\n", text, re.MULTILINE)
    assert waits
    for wait in waits:
        broken = parse(text.replace(wait, ""))
        assert find_races(read_model(broken.module))
    path = tmp_path / "broken.mlir"
    path.write_text(re.sub(r" *rt.event_(wait|record) \d+\n", "", text))
    assert main([str(path), "--time-only", "--sanitize"]) == 1
    assert "GX-616" in capsys.readouterr().err
