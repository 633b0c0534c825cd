"""Broken dumps: every problem with its place, all at once, never a traceback."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.importers.ge_dump import import_dump
from ge_dialect.ir.verifier import verify
from tests.frontends import dump_build as build
from tests.frontends import dump_mutations as mutations

HERE = Path(__file__).parent
DUMPS = HERE / "data" / "dumps"


def problems(text: str) -> list[tuple[str, str]]:
    """(code, line:column) of every problem."""
    with pytest.raises(GeError) as caught:
        import_dump(text, label="d")
    out = []
    for d in caught.value.diagnostics:
        assert d.location is not None
        name, line, column = d.location.rsplit(":", 2)
        assert name == "d"
        out.append((d.code, f"{line}:{column}"))
    return out


def source() -> str:
    return (DUMPS / "if_nested.txt").read_text(encoding="utf-8")


def line_of(text: str, part: str, number: int = 0) -> int:
    """Line of the `number`-th occurrence of a part."""
    at = -1
    for _ in range(number + 1):
        at = text.index(part, at + 1)
    return text.count("\n", 0, at) + 1


def test_cut_anywhere() -> None:
    text = source()
    for at in range(1, len(text) - 3, 97):
        found = problems(text[:at])
        assert len(found) == 1, (at, found)
        assert found[0][0] in ("GX-340", "GX-342")


def test_cut_json_anywhere() -> None:
    for name in ("om.json", "single_op.json"):
        text = (DUMPS / name).read_text(encoding="utf-8").rstrip()
        for at in range(1, len(text), 61):
            assert [c for c, _ in problems(text[:at])] == ["GX-340"]


def test_wrong_kinds_are_all_reported() -> None:
    text = source().replace('type: "Relu"', "type: 5").replace("b: true", 'b: "yes"')
    text = text.replace("dim: 4", "dim: x", 1).replace("dtype: DT_BOOL", "dtype: DT_BOOLEAN", 1)
    text = text.replace("version: 1", "version: -1")
    found = problems(text)
    assert [c for c, _ in found].count("GX-341") == 4
    assert ("GX-341", f"{line_of(text, 'type: 5')}:11") in found


def test_a_scalar_for_a_block_and_back() -> None:
    found = problems('graph { name: "g" op { name: "n" type { a: 1 } input_desc: 3 } }')
    assert [c for c, _ in found if c == "GX-341"] == ["GX-341", "GX-341"]


def test_duplicate_names() -> None:
    text = source().replace('name: "flag"', 'name: "inner"')
    found = problems(text)
    assert ("GX-343", f"{line_of(text, chr(34) + 'inner' + chr(34), 1)}:11") in found
    text = source().replace('name: "else_g"', 'name: "then_g"')
    assert "GX-343" in [c for c, _ in problems(text)]


def test_edges_to_nothing_and_wrong_outputs() -> None:
    text = source().replace('"p:0"', '"nobody:0"').replace('"tx:0"', '"tx:3"')
    text = text.replace('"ex:0"', '"ex"')
    found = problems(text)
    wanted = ["nobody:0", "tx:3"]
    for part in wanted:
        assert ("GX-344", f"{line_of(text, part)}:12") in found
    assert [c for c, _ in found] == ["GX-344"] * 3


def test_every_graph_is_looked_at() -> None:
    text = (DUMPS / "no_net_output.txt").read_text(encoding="utf-8")
    text = text.replace('input: "x:0"', 'input: "y:0"') + text.replace(
        '"root"', '"second"'
    ).replace('input: "a:0"', 'input: "a:9"')
    assert [c for c, _ in problems(text)] == ["GX-344", "GX-344"]


def test_parent_indices() -> None:
    text = source()
    without = text.replace('"_parent_node_index"', '"other"')
    assert [c for c, _ in problems(without)] == ["GX-348"] * text.count('"_parent_node_index"')
    far = text.replace(
        'key: "_parent_node_index"\n      value {\n        i: 1\n',
        'key: "_parent_node_index"\n      value {\n        i: 1000000000000\n',
    )
    assert far != text
    assert [c for c, _ in problems(far)] == ["GX-348"] * 4


def test_cycles() -> None:
    b = build
    v = b.desc([4])
    text = b.model(
        b.graph(
            "root",
            b.op("a", "Relu", ["c:0"], [v], [v]),
            b.op("b", "Relu", ["a:0"], [v], [v]),
            b.op("c", "Relu", ["b:0"], [v], [v]),
            b.op("self", "NoOp", ["self:-1"]),
            b.op("d", "Relu", ["e:0"], [v], [v]),
            b.op("e", "Relu", ["d:0"], [v], [v]),
            b.out(["c:0"], [v]),
        )
    )
    with pytest.raises(GeError) as caught:
        import_dump(text)
    assert [d.code for d in caught.value.diagnostics] == ["GX-344"]
    text = text.replace('    input: "self:-1"\n', "")
    with pytest.raises(GeError) as caught:
        import_dump(text)
    found = caught.value.diagnostics
    assert [d.code for d in found] == ["GX-345", "GX-345"]
    assert found[0].found is not None
    assert "a" in found[0].found


def test_sub_graphs_in_wrong_places() -> None:
    text = source().replace('subgraph_name: "inner_then"', 'subgraph_name: "then_g"')
    assert "GX-347" in {c for c, _ in problems(text)}
    text = source().replace('subgraph_name: "inner_then"', 'subgraph_name: "else_g"')
    assert "GX-347" in {c for c, _ in problems(text)}


def test_deep_nesting() -> None:
    b = build
    v = b.desc([4])
    graphs = [
        b.graph(
            f"g{i}",
            b.data("x", v, 0, 0 if i else None),
            b.op("call", "PartitionedCall", ["x:0"], [v], [v], subgraph_name=[f"g{i + 1}"]),
            b.out(["call:0"], [v], [0] if i else None),
        )
        for i in range(130)
    ]
    last = b.graph("g130", b.data("x", v, 0, 0), b.out(["x:0"], [v], [0]))
    assert "GX-110" in {c for c, _ in problems(b.model(*graphs, last))}
    ninety = [*graphs[:90], b.graph("g90", b.data("x", v, 0, 0), b.out(["x:0"], [v], [0]))]
    model = import_dump(b.model(*ninety))
    assert verify(model.module) == []
    deep = "graph { op { attr { key: 'k' value { " + "g { op { attr { value { " * 5000
    assert [c for c, _ in problems(deep)] == ["GX-340"]


def test_huge_counts_take_no_memory() -> None:
    b = build
    big = b.desc([10**6, 10**6, 10**5], "DT_FLOAT16")
    text = b.model(
        b.graph(
            "root",
            b.data("x", big, 10**12),
            b.op("w", "Const", [], [big], attrs={"value": b.tensor(big, b"1234")}),
            b.op("a", "Add", ["x:0", "w:0"], [big], [big, big]),
            b.out(["a:0"], [big]),
        )
    )
    assert verify(import_dump(text).module) == []
    assert [c for c, _ in problems(text.replace("dim: 100000\n", "dim: 1000000000\n"))] == [
        "GX-346"
    ]
    longer = text.replace("dim: 100000\n", "dim: 99999999999999999999\n", 1)
    assert [c for c, _ in problems(longer)] == ["GX-341"]
    onnx = (DUMPS / "viewer.pbtxt").read_text(encoding="utf-8")
    count = 'name: "input_desc_nums"\n      type: INT'
    huge = onnx.replace(count, count.replace("type", "i: 999999999999\n      type"), 1)
    assert huge != onnx
    assert "GX-341" in {c for c, _ in problems(huge)}


def test_descriptors() -> None:
    text = source().replace('layout: "ND"', 'layout: "NDX"', 1).replace("dim: 4", "dim: -9", 1)
    assert {c for c, _ in problems(text)} == {"GX-346"}


def test_no_graph_and_no_names() -> None:
    assert [c for c, _ in problems('name: "x" version: 1')] == ["GX-342"]
    assert [c for c, _ in problems('graph { name: "g" op { type: "Relu" } op { name: "n" } }')] == [
        "GX-342",
        "GX-342",
    ]
    assert [c for c, _ in problems("{}")] == ["GX-342"]
    assert [c for c, _ in problems("[{}, 1]")] == ["GX-342", "GX-341"]


def test_the_tool_reports_and_ends_with_1(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(source()[:500], encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "ge_dialect.tools.ge_translate", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "GX-340" in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


# --------------------------------------------------------------------------------- mutations


def run_mutations(seeds: range) -> None:
    """Import mutated dumps: a model that verifies, or diagnostics that say where."""
    files = sorted(p for p in DUMPS.iterdir() if p.suffix in (".txt", ".pbtxt", ".json"))
    texts = [(p.name, p.read_text(encoding="utf-8")) for p in files]
    for seed in seeds:
        rng = random.Random(seed)
        name, text = rng.choice(texts)
        text = mutations.mutate(rng, text)
        try:
            model = import_dump(text, label=name)
        except GeError as error:
            assert error.diagnostics, seed  # noqa: PT017
            for d in error.diagnostics:
                assert d.location is not None, (seed, d)
                assert d.location.count(":") == 2, (seed, d)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {name}: {type(error).__name__}: {error}") from error
        else:
            assert verify(model.module) == [], (seed, name)


def test_mutations_sample() -> None:
    run_mutations(range(400))


@pytest.mark.full
def test_mutations() -> None:
    run_mutations(range(10_000))


@pytest.mark.nightly
def test_many_mutations() -> None:
    run_mutations(range(100_000))


_MEMORY = """
import re, sys
from ge_dialect.importers.ge_dump import import_dump
from ge_dialect.diagnostics import GeError
text = sys.stdin.read()
try:
    import_dump(text)
except GeError:
    pass
# not ru_maxrss, which a child inherits from its parent
print(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read()).group(1))
"""


@pytest.mark.full
@pytest.mark.parametrize("broken", [False, True])
def test_memory_is_bounded(broken: bool) -> None:
    """Four times the file, and 200 MiB: also for a long file and for one constant of 32 MiB."""
    if not Path("/proc/self/status").exists():
        return  # no other system tells
    b = build
    v = b.desc([4])
    ops = [b.op(f"n{i}", "Relu", [f"n{i - 1}:0" if i else "x:0"], [v], [v]) for i in range(20_000)]
    text = b.model(b.graph("root", b.data("x", v), *ops, b.out(["n19999:0"], [v])))
    if broken:
        text = text.replace("dim: 4", "dim: four")
    held = b.desc([8, 1 << 20], "DT_INT8")
    const = b.op(
        "w", "Const", [], [held], attrs={"value": b.tensor(held, bytes(range(256)) * (1 << 15))}
    )
    for sample in (text, b.model(b.graph("root", const, b.out(["w:0"], [held])))):
        run = subprocess.run(
            [sys.executable, "-c", _MEMORY],
            input=sample,
            capture_output=True,
            text=True,
            check=True,
        )
        assert int(run.stdout) * 1024 <= 4 * len(sample) + (200 << 20)
