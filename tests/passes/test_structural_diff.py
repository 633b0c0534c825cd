"""Structural diff: nodes matched by name, then by neighbours; SSA names do not count."""

from __future__ import annotations

import random

import pytest

from ge_dialect.ir.reader import parse_module
from passes import run_pipeline
from passes.structural_diff import MAX_LINES, diff, match_nodes, snapshot
from tests.growth import IN_PROPORTION, growth

T = "tensor<4xf32>"
BASE = f"""
ge.graph @g(%x: {T}, %y: {T}) {{
  %a = ge.Relu(%x) : {T}
  %b = ge.Abs(%a) : {T}
  %c = ge.Add(%b, %y) : {T}
  %d = ge.Neg(%c) : {T}
  ge.NetOutput(%d)
}}
"""


def lines(before: str, after: str) -> list[str]:
    return diff(parse_module(before), parse_module(after)).render().splitlines()


def test_equal_modules_do_not_differ():
    assert diff(parse_module(BASE), parse_module(BASE)).empty
    assert lines(BASE, BASE) == []


def test_ssa_names_do_not_count():
    other = BASE
    for old, new in (("%a", "%17"), ("%b", "%q"), ("%x", "%in")):
        name = old[1:]
        other = other.replace(f"  {old} = ", f"  {old} = ").replace(old, new)
        if old != "%x":
            other = "\n".join(
                f'{line} loc("{name}")' if line.startswith(f"  {new} = ") else line
                for line in other.splitlines()
            )
    assert "%17" in other
    assert lines(BASE, other) == []


def test_removed_added_and_rerouted():
    after = BASE.replace(f"  %b = ge.Abs(%a) : {T}\n", "").replace("%b", "%a")
    after = after.replace("  ge.NetOutput(%d)", f"  %e = ge.Exp(%d) : {T}\n  ge.NetOutput(%e)")
    assert lines(BASE, after) == [
        "@g",
        "-  %b = ge.Abs(%a) : tensor<4xf32>",
        "+  %e = ge.Exp(%d) : tensor<4xf32>",
        "~  c: input 0: %b -> %a",
        "~  NetOutput: input 0: %d -> %e",
    ]


def test_attributes_types_and_operator():
    after = BASE.replace(f"ge.Relu(%x) : {T}", f'ge.Relu(%x) {{ge.engine = "A"}} : {T}')
    after = after.replace(f"ge.Abs(%a) : {T}", "ge.Abs(%a) : tensor<?xf32>")
    after = after.replace("ge.Neg(%c)", "ge.Exp(%c)")
    assert lines(BASE, after) == [
        "@g",
        '~  a: ge.engine: - -> "A"',
        "~  b: type: tensor<4xf32> -> tensor<?xf32>",
        "~  d: ge.Neg -> ge.Exp",
    ]


def test_renamed_nodes_are_found_by_what_they_read():
    after = BASE
    for name in "abcd":
        after = after.replace(f"%{name}", f"%n_{name}")
    assert lines(BASE, after) == [
        "@g",
        "~  n_a (was a)",
        "~  n_b (was b)",
        "~  n_c (was c)",
        "~  n_d (was d)",
    ]


def test_a_renamed_node_behind_a_new_one_is_found_by_its_users():
    after = BASE.replace("%a", "%r").replace(
        f"  %r = ge.Relu(%x) : {T}", f"  %n = ge.Neg(%x) : {T}\n  %r = ge.Relu(%n) : {T}"
    )
    assert lines(BASE, after) == [
        "@g",
        "+  %n = ge.Neg(%x) : tensor<4xf32>",
        "~  r (was a): input 0: %x -> %n",
    ]


def test_moved_nodes():
    text = f"""
    ge.graph @g(%x: {T}) {{
      %a = ge.Relu(%x) : {T}
      %b = ge.Abs(%x) : {T}
      %c = ge.Neg(%x) : {T}
      ge.NetOutput(%a, %b, %c)
    }}
    """
    moved = text.replace(f"      %a = ge.Relu(%x) : {T}\n", "").replace(
        "      ge.NetOutput", f"      %a = ge.Relu(%x) : {T}\n      ge.NetOutput"
    )
    assert lines(text, moved) == ["@g", ">  1 moved: a"]


def test_inputs_are_told_from_nodes_of_their_name():
    module = parse_module(BASE)
    before = snapshot(module)
    run_pipeline(module, "normalize-io")
    assert "~  a: input 0: %x (input) -> %x" in diff(before, module).render()


def test_control_edges():
    text = f"""
    ge.graph @g(%x: {T}) {{
      %p = ge.Print(%x) : !ge.ctrl
      %a = ge.Relu(%x) after(%p) : {T}
      ge.NetOutput(%a)
    }}
    """
    assert lines(text, text.replace(" after(%p)", "")) == ["@g", "~  a: waits for: %p -> -"]


def test_graphs_inside_nodes_and_new_graphs():
    text = f"""
    ge.graph @g(%x: {T}) {{
      %b = ge.PartitionedCall(%x) : {T} f(%v) {{
        %c = ge.Abs(%v) : {T}
        ge.NetOutput(%c)
      }}
      ge.NetOutput(%b)
    }}
    """
    after = text.replace("ge.Abs(%v)", "ge.Exp(%v)") + text.replace("@g", "@h")
    assert lines(text, after) == [
        "@g/b:0",
        "~  c: ge.Abs -> ge.Exp",
        "@h",
        "~  ge.graph with 2 nodes is new",
        "@h/b:0",
        "~  ge.PartitionedCall with 2 nodes is new",
    ]


def test_a_compiled_model_has_nodes_too():
    module = parse_module(BASE)
    run_pipeline(module, "ge-default")
    before = snapshot(module)
    assert diff(before, module).empty
    names = {n.name for g in before.graphs.values() for n in g.nodes.values()}
    assert {"a", "c", "d"} <= names


def test_a_snapshot_outlives_the_rewrite():
    module = parse_module(
        BASE.replace("ge.NetOutput(%d)", f"%e = ge.Exp(%d) : {T}\n  ge.NetOutput(%d)")
    )
    before = snapshot(module)
    run_pipeline(module, "prune")
    found = diff(before, module)
    assert found.counts() == {"removed": 1, "added": 0, "changed": 0, "moved": 0}
    assert found.to_json() == [
        {
            "graph": "@g",
            "head": [],
            "removed": ["%e = ge.Exp(%d) : tensor<4xf32>"],
            "added": [],
            "changed": [],
            "moved": [],
        }
    ]


def test_long_diffs_are_cut():
    body = "".join(f"  %n{i} = ge.Relu(%x) : {T}\n" for i in range(MAX_LINES + 50))
    empty = f"ge.graph @g(%x: {T}) {{\n  ge.NetOutput(%x)\n}}\n"
    found = lines(empty.replace("  ge.Net", body + "  ge.Net"), empty)
    assert len(found) == MAX_LINES + 1
    assert found[-1] == "... 51 more lines"


@pytest.mark.parametrize("seed", range(8))
def test_renaming_everything_is_only_renaming(seed: int):
    """Every node is told apart by what it reads, so each is found under its new name."""
    rng = random.Random(seed)
    ops = ["Relu", "Abs", "Neg", "Exp", "Sqrt"]
    body, names = [], ["x"]
    seen = set()
    for i in range(30):
        op, source = rng.choice(ops), rng.choice(names)
        if (op, source) in seen:
            continue
        seen.add((op, source))
        body.append(f"  %n{i} = ge.{op}(%{source}) : {T}")
        names.append(f"n{i}")
    end = f"  ge.NetOutput({', '.join('%' + n for n in names[1:])})"
    text = f"ge.graph @g(%x: {T}) {{\n" + "\n".join([*body, end]) + "\n}\n"
    found = diff(parse_module(text), parse_module(text.replace("%n", "%m_n")))
    (graph,) = found.graphs
    assert not graph.added
    assert not graph.removed
    assert not graph.moved
    assert all(c.name == f"m_{c.was}" and not c.lines for c in graph.changed)


def test_a_long_chain_is_found_in_one_sweep():
    body = [f"  %n{i} = ge.Relu(%{'x' if i == 0 else f'n{i - 1}'}) : {T}" for i in range(400)]
    text = f"ge.graph @g(%x: {T}) {{\n" + "\n".join(body) + "\n  ge.NetOutput(%n399)\n}\n"
    (graph,) = diff(parse_module(text), parse_module(text.replace("%n", "%m_n"))).graphs
    assert not graph.added
    assert len(graph.changed) == 400


def test_many_nodes_that_became_others() -> None:
    """They are looked up by name, so ten times as many take about ten times as long."""

    def shot(n: int, op: str):
        nodes = "".join(f'  %r{i} = ge.{op}(%x) : {T} loc("r{i}")\n' for i in range(n))
        ends = ", ".join(f"%r{i}" for i in range(n))
        text = f"ge.graph @g(%x: {T}) {{\n{nodes}  ge.NetOutput({ends})\n}}\n"
        return snapshot(parse_module(text))

    pairs = {n: (shot(n, "Exp"), shot(n, "Relu")) for n in (300, 3000)}
    assert match_nodes(*(s.graphs["@g"] for s in pairs[300]))["r7"] == "r7"

    def run(n: int) -> None:
        old, new = (s.graphs["@g"] for s in pairs[n])
        match_nodes(old, new)

    assert growth(run, 300) < IN_PROPORTION
