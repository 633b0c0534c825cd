"""Control flow of TensorFlow 1: dead values, frames, and loops against plain Python and While."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ge_dialect.api import load
from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import numpy_dtype
from ge_dialect.importers import ge_v1
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import infer_op
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.semantics import apply_op, evaluate_graph
from ge_dialect.semantics.budget import Budget

DUMPS = Path(__file__).parents[1] / "frontends" / "data" / "dumps"
T, N, B = "tensor<2xf32>", "tensor<i32>", "tensor<i1>"
X = np.array([1, -2], np.float32)
TRUE, FALSE = np.array(True), np.array(False)


def run(text, *inputs, **options):
    return evaluate_graph(parse_module(text), list(inputs), **options)


def code_of(error):
    return {d.code for d in error.value.diagnostics}


# ------------------------------------------------------------------------------------ branches

BRANCH = f"""
ge.graph @g(%x: {T}, %p: {B}) {{
  %f, %t = ge.Switch(%x, %p) : {T}, {T}
  %a = ge.Relu(%f) : {T}
  %b = ge.Neg(%t) : {T}
  %m, %i = ge.Merge(%a, %b) : {T}, {N}
  ge.NetOutput(%m, %i)
}}
"""


def test_a_branch():
    for pred, want, index in ((TRUE, [-1, 2], 1), (FALSE, [1, 0], 0)):
        result = run(BRANCH, X, pred, keep="all")
        assert result.outputs[0].tolist() == want
        assert result.outputs[1] == index
        assert result.outputs[1].dtype == np.int32
        assert ("a" in result.values) == (not pred)  # what is dead did not run
        assert ("b" in result.values) == bool(pred)
        assert not {"f", "t"} & set(result.values)  # a Switch has no values of its own


SEVERAL = f"""
ge.graph @g(%x: {T}, %k: tensor<i64>) {{
  %a, %b, %c = ge.SwitchN(%x, %k) : {T}, {T}, {T}
  %r = ge.Relu(%a) : {T}
  %n = ge.Neg(%b) : {T}
  %s = ge.Square(%c) : {T}
  %m, %i = ge.Merge(%r, %n, %s) : {T}, {N}
  ge.NetOutput(%m, %i)
}}
"""


@pytest.mark.parametrize(
    ("number", "want", "index"),
    [(0, [1, 0], 0), (1, [-1, 2], 1), (2, [1, 4], 2), (3, [1, 4], 2), (-1, [1, 4], 2)],
)
def test_one_way_of_several(number, want, index):
    result = run(SEVERAL, X, np.array(number), keep="all")
    assert result.outputs[0].tolist() == want
    assert result.outputs[1] == index
    assert sum(n in result.values for n in "rns") == 1  # what is dead did not run


def test_a_dead_output_is_refused_by_name():
    text = f"""
    ge.graph @g(%x: {T}, %p: {B}) {{
      %f, %t = ge.Switch(%x, %p) : {T}, {T}
      %a = ge.Relu(%t) : {T}
      ge.NetOutput(%x, %a)
    }}"""
    assert run(text, X, TRUE).outputs[1].tolist() == [1, 0]
    with pytest.raises(GeError, match="output 1 is dead") as error:
        run(text, X, FALSE)
    assert code_of(error) == {"GX-254"}
    assert error.value.diagnostics[0].node == "a"


def test_death_crosses_control_edges():
    text = f"""
    ge.graph @g(%x: {T}, %p: {B}) {{
      %f, %t = ge.Switch(%x, %p) : {T}, {T}
      %i, %i_done = ge.Identity(%t) : {T}, !ge.ctrl
      %n_done = ge.NoOp() after(%i_done) : !ge.ctrl
      %u = ge.Neg(%x) after(%n_done) : {T}
      ge.Print(%x) after(%n_done) loc("gated")
      %all_done = ge.ControlTrigger() after(%n_done) : !ge.ctrl
      %v = ge.Relu(%x) after(%all_done) : {T}
      %m, %k = ge.Merge(%u, %f) : {T}, {N}
      ge.NetOutput(%m, %v)
    }}"""
    taken = run(text, X, TRUE)
    assert taken.outputs[0].tolist() == [-1, 2]
    assert [node for node, _ in taken.state.printed] == ["gated"]
    other = run(text, X, FALSE)
    assert other.outputs[0].tolist() == [1, -2]
    assert other.state.printed == []
    assert other.outputs[1].tolist() == [1, 0]  # a ControlTrigger lets pass


def test_what_waits_for_a_merge_runs_with_either_branch():
    text = f"""
    ge.graph @g(%x: {T}, %p: {B}) {{
      %f, %t = ge.Switch(%x, %p) : {T}, {T}
      %m, %k, %m_done = ge.Merge(%f, %t) : {T}, {N}, !ge.ctrl
      %y = ge.Neg(%x) after(%m_done) : {T}
      ge.NetOutput(%y)
    }}"""
    for pred in (TRUE, FALSE):
        assert run(text, X, pred).outputs[0].tolist() == [-1, 2]


def test_merges_of_what_is_all_alive_or_all_dead():
    text = f"""
    ge.graph @g(%x: {T}, %p: {B}) {{
      %f, %t = ge.Switch(%x, %p) : {T}, {T}
      %a = ge.Relu(%t) : {T}
      %b = ge.Neg(%t) : {T}
      %m, %i = ge.Merge(%a, %b) : {T}, {N}
      %n, %k = ge.Merge(%m, %x) : {T}, {N}
      ge.NetOutput(%n, %k)
    }}"""
    assert run(text, X, TRUE).outputs[0].tolist() == [1, 0]  # the first of those alive
    dead = run(text, X, FALSE)
    assert dead.outputs[0].tolist() == [1, -2]
    assert dead.outputs[1] == 1


def test_state_goes_either_way():
    ref = "!ge.ref<tensor<2xf32>>"
    text = f"""
    ge.graph @g(%v: {ref}, %x: {T}, %p: {B}) {{
      %f, %t = ge.RefSwitch(%v, %p) : {ref}, {ref}
      %a = ge.Assign(%t, %x) : {ref}
      %m, %i, %m_done = ge.RefMerge(%a, %f) : {ref}, {N}, !ge.ctrl
      %r = ge.Read(%m) : {T}
      ge.NetOutput(%r)
    }}"""
    held = np.array([7, 8], np.float32)
    assert run(text, held, X, TRUE).outputs[0].tolist() == [1, -2]
    assert run(text, held, X, FALSE).outputs[0].tolist() == [7, 8]


def test_branches_in_a_body():
    text = f"""
    ge.graph @g(%x: {T}, %p: {B}, %q: {B}) {{
      %y = ge.If(%q, [%x, %p]) : {T} then_branch(%u, %v) {{
        %f, %t = ge.Switch(%u, %v) : {T}, {T}
        %b = ge.Neg(%t) : {T}
        %m, %i = ge.Merge(%f, %b) : {T}, {N}
        ge.NetOutput(%m)
      }} else_branch(%u, %v) {{
        ge.NetOutput(%u)
      }}
      ge.NetOutput(%y)
    }}"""
    assert [run(text, X, p, q).outputs[0].tolist() for p in (TRUE, FALSE) for q in (TRUE, FALSE)] \
        == [[-1, 2], [1, -2], [1, -2], [1, -2]]  # fmt: skip


def test_single_nodes():
    dead = apply_op("Switch", [X, TRUE])
    assert repr(dead[0]) == "dead"
    assert dead[1].tolist() == [1, -2]
    assert apply_op("Merge", [[X, X + 1]])[0].tolist() == [1, -2]
    for op in ("Enter", "Exit", "NextIteration"):
        attrs = {"frame_name": "f", "is_constant": False} if op == "Enter" else {}
        assert apply_op(op, [X], attrs)[0].tolist() == [1, -2]


def on_demand(nodes, inputs, outputs):
    """Values of outputs, None where dead: each node asks for what it needs."""

    def value(name):
        if name in inputs:
            return inputs[name]
        head, _, side = name.partition(":")
        kind, args, waits = nodes[head]
        if kind == "merge":
            alive = [v for v in map(value, args) if v is not None]
            return alive[0] if alive else None
        given = [value(a) for a in args]
        if any(v is None for v in (*given, *map(value, waits))):
            return None
        if kind == "switch":
            return given[0] if bool(given[1]) == (side == "1") else None
        return -given[0] if kind == "neg" else given[0] + given[1]

    return [value(name) for name in outputs]


def drawn(rng):
    """A graph of switches, merges and sums: its text, nodes, and names of all values."""
    values, preds = ["x"], ["p0", "p1", "p2"]
    nodes, lines = {}, []
    for i in range(int(rng.integers(4, 14))):
        kind = str(rng.choice(["switch", "switch", "merge", "neg", "add"]))
        count = {"switch": 1, "merge": 2, "neg": 1, "add": 2}[kind]
        args = [str(a) for a in rng.choice(values, count)]
        waits = [str(rng.choice(values))] if rng.random() < 0.2 and nodes else []
        waits = [w for w in waits if w != "x" and nodes[w.split(":")[0]][0] not in ("switch",)]
        text = ", ".join("%" + a.replace(":", "_") for a in args)
        after = f" after({', '.join(f'%{w}_done' for w in waits)})" if waits else ""
        if kind == "switch":
            args.append(str(rng.choice(preds)))
            lines.append(f"%n{i}_0, %n{i}_1, %n{i}_done = ge.Switch({text}, %{args[1]}){after}"
                         f" : {T}, {T}, !ge.ctrl")  # fmt: skip
            values += [f"n{i}:0", f"n{i}:1"]
        elif kind == "merge":
            waits, after = [], ""
            lines.append(f"%n{i}, %n{i}_i, %n{i}_done = ge.Merge({text}) : {T}, {N}, !ge.ctrl")
            values.append(f"n{i}")
        else:
            op = "Neg" if kind == "neg" else "Add"
            lines.append(f"%n{i}, %n{i}_done = ge.{op}({text}){after} : {T}, !ge.ctrl")
            values.append(f"n{i}")
        nodes[f"n{i}"] = (kind, args, waits)
    return lines, nodes, values[1:]


@pytest.mark.parametrize("seed", range(16))
def test_graphs_against_values_on_demand(seed):
    rng = np.random.default_rng(seed)
    lines, nodes, values = drawn(rng)
    head = f"ge.graph @g(%x: {T}, %p0: {B}, %p1: {B}, %p2: {B}) {{\n  "
    for _ in range(3):
        preds = [np.array(bool(v)) for v in rng.integers(0, 2, 3)]
        inputs = {"x": X, **{f"p{i}": p for i, p in enumerate(preds)}}
        want = dict(zip(values, on_demand(nodes, inputs, values), strict=True))
        # everything that is alive, at once
        alive = ", ".join("%" + n.replace(":", "_") for n, v in want.items() if v is not None)
        text = head + "\n  ".join(lines) + f"\n  ge.NetOutput({alive})\n}}"
        got = run(text, X, *preds).outputs
        kept = [v for v in want.values() if v is not None]
        assert [g.tolist() for g in got] == [v.tolist() for v in kept]
        for name, value in want.items():
            if value is None:
                one = "%" + name.replace(":", "_")
                with pytest.raises(GeError, match="output 0 is dead"):
                    run(head + "\n  ".join(lines) + f"\n  ge.NetOutput({one})\n}}", X, *preds)


# --------------------------------------------------------------------------------------- loops


def enter(name, value, type_, frame="loop", constant="false"):
    attrs = f'{{frame_name = "{frame}", is_constant = {constant}}}'
    return f"%{name} = ge.Enter(%{value}) {attrs} : {type_}"


def variable(name, source, type_, back):
    """Merge and Switch of a loop variable."""
    return (
        f'%{name}_m, %{name}_k = ge.Merge(%{source}) {{ge.back_edges = {{"1" = "{back}:0"}}}}'
        f" : {type_}, {N}\n"
    )


def count_down(body, result="%x_s1", extra="", before="", steady=""):
    """A loop over n and x: while n > 0, n - 1 and x as `body` has it."""
    return f"""
    ge.graph @g(%n: {N}, %x: {T}, %c: {T}) {{
      {before}
      {enter("n_e", "n", N)}
      {enter("x_e", "x", T)}
      {steady}
      {variable("n", "n_e", N, "n_next")}
      {variable("x", "x_e", T, "x_next")}
      %zero = ge.Const() {{value = dense<0> : {N}}} : {N}
      %one = ge.Const() {{value = dense<1> : {N}}} : {N}
      %test = ge.Greater(%n_m, %zero) : {B}
      %again = ge.LoopCond(%test) : {B}
      %n_s0, %n_s1 = ge.Switch(%n_m, %again) : {N}, {N}
      %x_s0, %x_s1 = ge.Switch(%x_m, %again) : {T}, {T}
      %less = ge.Sub(%n_s1, %one) : {N}
      {body}
      %n_next = ge.NextIteration(%less) : {N}
      %x_next = ge.NextIteration({result}) : {T}
      %out = ge.Exit(%x_s0) : {T}
      {extra}
      ge.NetOutput(%out)
    }}"""


C = np.array([10, 20], np.float32)


def n(value):
    return np.array(value, np.int32)


@pytest.mark.parametrize("constant", ["", "true", "false"])
def test_turns(constant):
    """A constant of the loop comes through Enter, or, moved by the compiler, without."""
    source, steady = "%c", ""
    if constant:
        source, steady = "%c_e", enter("c_e", "c", T, constant=constant)
    text = count_down(f"%y = ge.Add(%x_s1, {source}) : {T}", "%y", steady=steady)
    for turns in (0, 1, 4):
        if constant == "false" and turns > 1:
            with pytest.raises(GeError, match="output 0 is dead"):  # it comes but once
                run(text, n(turns), X, C)
            continue
        assert run(text, n(turns), X, C).outputs[0].tolist() == (X + turns * C).tolist()


def test_a_branch_in_a_loop():
    body = f"""
      %two = ge.Const() {{value = dense<2> : {N}}} : {N}
      %rest = ge.Mod(%n_s1, %two) : {N}
      %odd = ge.Greater(%rest, %zero) : {B}
      %f, %t = ge.Switch(%x_s1, %odd) : {T}, {T}
      %a = ge.Add(%f, %c) : {T}
      %b = ge.Neg(%t) : {T}
      %y, %k = ge.Merge(%a, %b) : {T}, {N}"""
    want = X
    for i in range(5, 0, -1):
        want = -want if i % 2 else want + C
    assert run(count_down(body, "%y"), n(5), X, C).outputs[0].tolist() == want.tolist()


def test_a_loop_in_a_loop():
    body = f"""
      {enter("j_e", "n_s1", N, "inner")}
      {enter("y_e", "x_s1", T, "inner")}
      {variable("j", "j_e", N, "j_next")}
      {variable("y", "y_e", T, "y_next")}
      %more = ge.Greater(%j_m, %zero) : {B}
      %on = ge.LoopCond(%more) : {B}
      %j_s0, %j_s1 = ge.Switch(%j_m, %on) : {N}, {N}
      %y_s0, %y_s1 = ge.Switch(%y_m, %on) : {T}, {T}
      %j_less = ge.Sub(%j_s1, %one) : {N}
      %sum = ge.Add(%y_s1, %c) : {T}
      %j_next = ge.NextIteration(%j_less) : {N}
      %y_next = ge.NextIteration(%sum) : {T}
      %inner = ge.Exit(%y_s0) : {T}
      %y = ge.Neg(%inner) : {T}"""
    want = X
    for i in range(3, 0, -1):
        want = -(want + i * C)
    assert run(count_down(body, "%y"), n(3), X, C).outputs[0].tolist() == want.tolist()


def test_a_loop_that_is_not_entered():
    """A loop in the branch not taken is dead, and so is its Exit."""
    text = f"""
    ge.graph @g(%n: {N}, %x: {T}, %p: {B}) {{
      %n_f, %n_t = ge.Switch(%n, %p) : {N}, {N}
      %x_f, %x_t = ge.Switch(%x, %p) : {T}, {T}
      {enter("n_e", "n_t", N)}
      {enter("x_e", "x_t", T)}
      {variable("n", "n_e", N, "n_next")}
      {variable("x", "x_e", T, "x_next")}
      %zero = ge.Const() {{value = dense<0> : {N}}} : {N}
      %one = ge.Const() {{value = dense<1> : {N}}} : {N}
      %test = ge.Greater(%n_m, %zero) : {B}
      %again = ge.LoopCond(%test) : {B}
      %n_s0, %n_s1 = ge.Switch(%n_m, %again) : {N}, {N}
      %x_s0, %x_s1 = ge.Switch(%x_m, %again) : {T}, {T}
      %less = ge.Sub(%n_s1, %one) : {N}
      %twice = ge.Add(%x_s1, %x_s1) : {T}
      %n_next = ge.NextIteration(%less) : {N}
      %x_next = ge.NextIteration(%twice) : {T}
      %out = ge.Exit(%x_s0) : {T}
      %m, %k = ge.Merge(%x_f, %out) : {T}, {N}
      ge.NetOutput(%m, %k)
    }}"""
    for pred, want, index in ((TRUE, X * 8, 1), (FALSE, X, 0)):
        got = run(text, n(3), X, pred).outputs
        assert got[0].tolist() == want.tolist()
        assert got[1] == index


def test_one_loop_after_another():
    extra = f"""
      {enter("i_e", "n", N, "next")}
      {enter("z_e", "out", T, "next")}
      {variable("i", "i_e", N, "i_next")}
      {variable("z", "z_e", T, "z_next")}
      %more = ge.Greater(%i_m, %zero) : {B}
      %on = ge.LoopCond(%more) : {B}
      %i_s0, %i_s1 = ge.Switch(%i_m, %on) : {N}, {N}
      %z_s0, %z_s1 = ge.Switch(%z_m, %on) : {T}, {T}
      %i_less = ge.Sub(%i_s1, %one) : {N}
      %z_2 = ge.Add(%z_s1, %z_s1) : {T}
      %i_next = ge.NextIteration(%i_less) : {N}
      %z_next = ge.NextIteration(%z_2) : {T}
      %last = ge.Exit(%z_s0) : {T}"""
    text = count_down(f"%y = ge.Add(%x_s1, %c) : {T}", "%y", extra=extra)
    text = text.replace("ge.NetOutput(%out)", "ge.NetOutput(%last)")
    assert run(text, n(3), X, C).outputs[0].tolist() == ((X + 3 * C) * 8).tolist()


def test_turns_print_in_order():
    text = count_down('ge.Print(%n_s1) loc("turn")')
    got = run(text, n(3), X, C)
    assert [text for _, text in got.state.printed] == ["3", "2", "1"]


def test_a_loop_without_end_ends_with_the_budget():
    text = count_down("").replace("ge.Sub(%n_s1, %one)", "ge.Add(%n_s1, %one)")
    with pytest.raises(GeError, match="a loop may not end"):
        run(text, n(3), X, C, budget=Budget(steps=500))


def test_a_long_loop_holds_no_turns():
    text = count_down(f"%y = ge.Add(%x_s1, %c) : {T}", "%y")
    got = run(text, n(2000), np.zeros(2, np.float32), np.ones(2, np.float32))
    assert got.outputs[0].tolist() == [2000, 2000]


@pytest.mark.parametrize("name", ["v1_loop.txt", "v1_nested.txt", "v1_branch.txt"])
def test_frames_mean_what_the_importer_makes_of_them(name, monkeypatch):
    """If and While of an import against the nodes they were made of."""
    whole = load(DUMPS / name)
    monkeypatch.setattr(ge_v1, "functionalise", lambda graph, taken: (graph, {}))
    parts = load(DUMPS / name)
    kinds = {op.name for op in parts.module.walk()}
    assert {"ge.Switch", "ge.Merge"} <= kinds
    assert not kinds & {"ge.If", "ge.While"}
    assert {op.name for op in whole.module.walk()} & {"ge.If", "ge.While"}
    rng = np.random.default_rng(1)
    for _ in range(4):
        inputs = []
        for arg in module_graphs(whole.module)[0].args:
            dtype = numpy_dtype(elem_of(arg.type))
            inputs.append(np.asarray(rng.integers(0, 4, shape_of(arg.type))).astype(dtype))
        a = evaluate_graph(whole.module, inputs, whole.weights)
        b = evaluate_graph(parts.module, inputs, parts.weights)
        assert [v.tolist() for v in a.outputs] == [v.tolist() for v in b.outputs]


# ------------------------------------------------------------------------------------ misfits


@pytest.mark.parametrize(
    ("body", "result", "message"),
    [
        (f"%y = ge.Exit(%x_s1) : {T}\n      %z = ge.Exit(%y) : {T}", "%x_s1", "frames of loops"),
        (enter("o", "x", T, "other") + f"\n %y = ge.Add(%o, %x_s1) : {T}", "%y", "frames of loops"),
    ],
)
def test_frames_that_do_not_fit(body, result, message):
    with pytest.raises(GeError, match=message) as error:
        run(count_down(body, result), n(2), X, C)
    assert code_of(error) == {"GX-253"}


def test_edges_back_that_do_not_fit():
    good = count_down("")
    entries = {
        "1": '"less:0"',
        "3": '"x_next:0"',
        "x": '"x_next:0"',
        "-1": '"x_next:0"',
        "²": '"x_next:0"',
    }
    wrongs = [f'"{number}" = {edge}' for number, edge in entries.items()]
    wrongs += [f'"1" = {e}' for e in ('"nobody:0"', '"x_next:1"', '"x_next"', "1 : i64")]
    wrongs += ['"1" = "n_next:0"', '"1" = "x_next:0", "01" = "x_next:0"']
    for wrong in wrongs:
        with pytest.raises(GeError) as error:
            run(good.replace('"1" = "x_next:0"', wrong), n(2), X, C)
        assert code_of(error) == {"GX-253"}
    for text in (
        f"ge.graph @g(%x: {T}) {{\n %y = ge.Exit(%x) : {T}\n ge.NetOutput(%y)\n}}",
        f"ge.graph @g(%x: {T}) {{\n %y = ge.NextIteration(%x) : {T}\n ge.NetOutput(%y)\n}}",
        f"ge.graph @g(%x: {T}) {{\n {enter('y', 'x', T)}\n ge.NetOutput(%y)\n}}",
    ):
        with pytest.raises(GeError, match="frames of loops") as error:
            run(text, X)
        assert code_of(error) == {"GX-253"}


def test_edges_back_that_are_no_list_of_edges():
    text = count_down("").replace(
        '{ge.back_edges = {"1" = "x_next:0"}}', '{ge.back_edges = "x_next:0"}'
    )
    with pytest.raises(GeError, match="frames of loops") as error:
        run(text, n(2), X, C)
    assert code_of(error) == {"GX-253"}


def test_a_loop_in_a_loop_of_its_name_is_refused():
    nested = enter("a", "x", T, "l"), enter("b", "a", T, "m"), enter("c", "b", T, "l")
    for frames in (nested, (nested[0], nested[2].replace("%b", "%a"))):
        last = frames[-1].split()[0]
        text = f"ge.graph @g(%x: {T}) {{\n" + "\n".join(frames)
        text += f"\n%y = ge.Exit({last}) : {T}\n ge.NetOutput(%y)\n}}"
        with pytest.raises(GeError, match="frames of loops") as error:
            run(text, X)
        assert code_of(error) == {"GX-253"}


LOOP = {"frame_name": "loop", "is_constant": False}
REF = "!ge.ref<tensor<2xf32>>"


def inferred(op, types, attrs=None):
    """Result types by the operator's rule, as text."""
    from ge_dialect.infer.node import infer_parts
    from ge_dialect.ops.registry import op_class

    args = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    values = parse_module(f"ge.graph @g({args}) {{\n ge.NetOutput()\n}}").body.block.first_op
    assert values is not None
    given = [a.type for a in values.regions[0].block.args]
    slots = [given] if op.endswith("Merge") else given
    return [str(t) for t in infer_parts(op_class(op), slots, attrs or {})]


@pytest.mark.parametrize(
    ("op", "given", "attrs", "want"),
    [
        ("Switch", ["tensor<2x?xf32>", B], {}, ["tensor<2x?xf32>"] * 2),
        ("Switch", ["tensor<3xi64>", "tensor<1xi1>"], {}, ["tensor<3xi64>"] * 2),
        ("RefSwitch", [REF, B], {}, [REF] * 2),
        ("RefSwitch", ["tensor<2xf16>", B], {}, ["tensor<2xf16>"] * 2),
        ("Merge", ["tensor<2x3xf32>", "tensor<2x4xf32>"], {}, ["tensor<2x?xf32>", N]),
        ("Merge", ["tensor<2x3xi8>"], {}, ["tensor<2x3xi8>", N]),
        ("Merge", ["tensor<2xi8>", "tensor<2x2xi8>"], {}, ["tensor<*xi8>", N]),
        ("RefMerge", [REF, REF], {}, [REF, N]),
        ("Enter", ["tensor<2x?xf32>"], LOOP, ["tensor<2x?xf32>"]),
        ("RefEnter", [REF], LOOP, [REF]),
        ("Exit", [T], {}, [T]),
        ("RefExit", [REF], {}, [REF]),
        ("NextIteration", [T], {}, [T]),
        ("RefNextIteration", [REF], {}, [REF]),
        ("LoopCond", [B], {}, [B]),
    ],
)
def test_types(op, given, attrs, want):
    assert inferred(op, given, attrs) == want


@pytest.mark.parametrize(
    ("op", "given", "code"),
    [
        ("Switch", [T, "tensor<2xi1>"], "GX-221"),
        ("RefSwitch", [REF, "tensor<2x2xi1>"], "GX-221"),
        ("Merge", [], "GX-226"),
        ("RefMerge", [T, "tensor<2xi32>"], "GX-225"),
        ("RefMerge", [T, REF], "GX-221"),
        ("LoopCond", ["tensor<3xi1>"], "GX-221"),
    ],
)
def test_types_that_are_refused(op, given, code):
    with pytest.raises(InferError) as error:
        inferred(op, given)
    assert error.value.code == code


def test_types_of_later_turns():
    """What a Merge declares holds for the edge that goes back as well."""
    text = count_down("")
    start = text.index("%x_m, %x_k")
    text = text[:start] + text[start:].replace(f": {T}", ": tensor<?xf32>", 1)
    nodes = [op for op in parse_module(text).walk() if isinstance(op, GeOp)]
    merges = [op for op in nodes if op.ge_type == "Merge"]
    assert [str(infer_op(op)[0]) for op in merges] == ["tensor<i32>", "tensor<?xf32>"]


def test_no_engine_takes_them():
    """Build refuses all of them at once, by a code."""
    from passes import run_pipeline

    with pytest.raises(GeError) as error:
        run_pipeline(parse_module(count_down("")), "ge-default")
    assert code_of(error) == {"GX-503"}
    refused = {d.message.rpartition(".")[2] for d in error.value.diagnostics}
    assert refused == {"Enter", "Merge", "LoopCond", "Switch", "NextIteration", "Exit"}
    assert "decides which nodes run" in str(error.value)
