"""Several ranks in step: values by hand, and everything that ranks may disagree on."""

from __future__ import annotations

import threading

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import evaluate_graph, evaluate_ranks, relative_error

WORLD = 'group = "hccl_world_group"'


def graph(body: str, arguments: str = "%x: tensor<4x2xf32>"):
    return parse(f"ge.graph @g({arguments}) {{\n{body}\n}}").graphs[0]


def one(op: str, attrs: str, given: str, result: str):
    """A graph of one collective."""
    return graph(f"%y = ge.{op}(%x) {{{attrs}}} : {result}\nge.NetOutput(%y)", f"%x: {given}")


def run(graphs, arrays, **more):
    found = evaluate_ranks(
        graphs, [[a] if isinstance(a, np.ndarray) else a for a in arrays], **more
    )
    return [r.outputs[0] if r.outputs else None for r in found]


def refused(graphs, arrays, **more):
    before = threading.active_count()
    with pytest.raises(GeError) as error:
        run(graphs, arrays, **more)
    assert threading.active_count() == before, "a thread is left over"
    (problem,) = error.value.diagnostics
    return problem


def brought(count, shape=(4, 2), dtype=np.float32):
    return [
        (np.arange(np.prod(shape)).reshape(shape) + 100 * rank).astype(dtype)
        for rank in range(count)
    ]


# ------------------------------------------------------------------------------------ values


@pytest.mark.parametrize(
    ("how", "want"), [("sum", [6, 12]), ("max", [3, 6]), ("min", [1, 2]), ("prod", [6, 48])]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.int32])
def test_all_reduce(how, want, dtype):
    elem = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "int8": "i8", "int32": "i32"}
    type_ = f"tensor<2x{elem[np.dtype(dtype).name]}>"
    g = one("HcomAllReduce", f'reduction = "{how}", {WORLD}', type_, type_)
    xs = [np.array([r, 2 * r], np.float32).astype(dtype) for r in (1, 2, 3)]
    for y in run(g, xs):
        assert y.dtype == dtype
        assert y.astype(np.float64).tolist() == want


def test_narrow_sums_round_once_and_integers_wrap():
    half = one("HcomAllReduce", f'reduction = "sum", {WORLD}', "tensor<f16>", "tensor<f16>")
    # 2048 + 1 + 1: in steps of half precision the ones would be lost
    xs = [np.array(v, np.float16) for v in (2048, 1, 1)]
    assert [float(y) for y in run(half, xs)] == [2050] * 3
    byte = one("HcomAllReduce", f'reduction = "sum", {WORLD}', "tensor<i8>", "tensor<i8>")
    assert [int(y) for y in run(byte, [np.array(100, np.int8)] * 2)] == [-56] * 2


def test_gather_scatter_exchange():
    xs = brought(2)
    gather = one("HcomAllGather", f"rank_size = 2, {WORLD}", "tensor<4x2xf32>", "tensor<8x2xf32>")
    for y in run(gather, xs):
        assert y.tolist() == [*xs[0].tolist(), *xs[1].tolist()]
    scatter = one(
        "HcomReduceScatter",
        f'reduction = "sum", {WORLD}, rank_size = 2',
        "tensor<4x2xf32>",
        "tensor<2x2xf32>",
    )
    got = run(scatter, xs)
    for rank in range(2):
        want = [[float(xs[0][i, j]) + float(xs[1][i, j]) for j in range(2)] for i in range(4)]
        assert got[rank].tolist() == want[2 * rank : 2 * rank + 2]
    exchange = one("HcomAllToAll", f"rank_size = 2, {WORLD}", "tensor<4x2xf32>", "tensor<4x2xf32>")
    got = run(exchange, xs)
    for rank in range(2):
        want = [x.tolist()[2 * rank : 2 * rank + 2] for x in xs]
        assert got[rank].tolist() == want[0] + want[1]


def test_root():
    xs = brought(3)
    type_ = "tensor<4x2xf32>"
    for y in run(one("HcomBroadcast", f"root_rank = 1, {WORLD}", type_, type_), xs):
        assert y.tolist() == xs[1].tolist()
    g = one("HcomReduce", f'root_rank = 2, reduction = "max", {WORLD}', type_, type_)
    got = run(g, xs)
    assert got[0].tolist() == xs[0].tolist()
    assert got[2].tolist() == xs[2].tolist()


def test_groups_of_ranks():
    g = one("HcomAllReduce", 'reduction = "sum", group = "tp"', "tensor<f32>", "tensor<f32>")
    xs = [np.array(v, np.float32) for v in (1, 10, 100, 1000)]
    parts = [
        g,
        one("HcomAllReduce", 'reduction = "sum", group = "b"', "tensor<f32>", "tensor<f32>"),
    ]
    graphs = [parts[0], parts[1], parts[0], parts[1]]
    got = run(graphs, xs, groups={"tp": [0, 2], "b": [3, 1]})
    assert [float(y) for y in got] == [101, 1010, 101, 1010]
    swapped = one("HcomBroadcast", 'root_rank = 0, group = "b"', "tensor<f32>", "tensor<f32>")
    got = run([parts[0], swapped, parts[0], swapped], xs, groups={"tp": [0, 2], "b": [3, 1]})
    assert float(got[1]) == 1000  # the root is a place in the group


def test_blocks_of_any_size():
    text = """
      %y = ge.HcomAllToAllV(%x, %a, %b, %c, %d) {group = "hccl_world_group"} : tensor<?xf32>
      ge.NetOutput(%y)
    """
    g = graph(text, "%x: tensor<5xf32>, " + ", ".join(f"%{n}: tensor<2xi64>" for n in "abcd"))
    x0, x1 = np.arange(5, dtype=np.float32), np.arange(5, dtype=np.float32) + 10
    n = lambda *v: np.array(v, np.int64)  # noqa: E731
    got = run(
        g,
        [
            [x0, n(1, 2), n(4, 0), n(1, 3), n(0, 2)],
            [x1, n(3, 1), n(1, 0), n(2, 1), n(0, 2)],
        ],
    )
    assert got[0].tolist() == [4, 0, 11, 12, 13]
    assert got[1].tolist() == [0, 1, 10]

    matrix = np.array([[1, 2], [3, 1]])
    graphs = [
        graph(
            f'%y = ge.HcomAllToAllVC(%x, %m) {{rank = {r}, group = "hccl_world_group"}} : '
            "tensor<?xf32>\nge.NetOutput(%y)",
            "%x: tensor<5xf32>, %m: tensor<2x2xi64>",
        )
        for r in range(2)
    ]
    got = run(graphs, [[x0, matrix], [x1, matrix]])
    assert got[0].tolist() == [0, 10, 11, 12]
    assert got[1].tolist() == [1, 2, 13]

    g = graph(
        '%y = ge.HcomAllGatherV(%x, %s, %c) {group = "hccl_world_group"} : tensor<?xf32>\n'
        "ge.NetOutput(%y)",
        "%x: tensor<5xf32>, %s: tensor<1xi64>, %c: tensor<2xi64>",
    )
    got = run(g, [[x0, n(2), n(2, 1)], [x1, n(1), n(2, 1)]])
    assert [y.tolist() for y in got] == [[0, 1, 10]] * 2

    g = graph(
        '%y = ge.HcomReduceScatterV(%x, %r, %c) {reduction = "sum", group = "hccl_world_group"} : '
        "tensor<?xf32>\nge.NetOutput(%y)",
        "%x: tensor<5xf32>, %r: tensor<1xi64>, %c: tensor<2xi64>",
    )
    got = run(g, [[x0, n(4), n(4, 1)], [x1, n(1), n(4, 1)]])
    assert got[0].tolist() == [10, 12, 14, 16]
    assert got[1].tolist() == [18]


def test_fused_products():
    rng = np.random.default_rng(0)
    xs, ws = (
        [rng.uniform(-1, 1, s).astype(np.float32) for _ in range(2)] for s in ((4, 3), (3, 2))
    )
    arguments = "%x: tensor<4x3xf32>, %w: tensor<3x2xf32>"
    products = [[[sum(float(x[i, k]) * float(w[k, j]) for k in range(3)) for j in range(2)]
                 for i in range(4)] for x, w in zip(xs, ws, strict=True)]  # fmt: skip
    total = np.array(products).sum(axis=0)
    given = [list(p) for p in zip(xs, ws, strict=True)]
    g = graph(
        f"%y = ge.MatmulAllReduce(%x, %w) {{{WORLD}}} : tensor<4x2xf32>\nge.NetOutput(%y)",
        arguments,
    )
    for y in run(g, given):
        assert relative_error(y, total) < 1e-6
    g = graph(
        f"%y = ge.MatmulReduceScatter(%x, %w) {{{WORLD}, rank_size = 2}} : tensor<2x2xf32>\n"
        "ge.NetOutput(%y)",
        arguments,
    )
    got = run(g, given)
    assert relative_error(got[0], total[:2]) < 1e-6
    assert relative_error(got[1], total[2:]) < 1e-6
    g = graph(
        f"%y, %z = ge.AllGatherMatmul(%x, %w) {{{WORLD}, rank_size = 2}} : tensor<8x2xf32>, "
        "tensor<8x3xf32>\nge.NetOutput(%y, %z)",
        arguments,
    )
    for rank, result in enumerate(evaluate_ranks(g, given)):
        y, z = result.outputs
        assert z.tolist() == [*xs[0].tolist(), *xs[1].tolist()]
        want = z.astype(np.float64) @ ws[rank].astype(np.float64)
        assert relative_error(y, want) < 1e-6


TYPE, TYPE16 = "shape = [4, 2], dtype = f32", "shape = [4, 2], dtype = f16"
PIPE = [
    """%y = ge.Muls(%x) {{value = 2.0}} : tensor<4x2xf32>
       ge.HcomSend(%y) {{{w}, sr_tag = 7, dest_rank = 1}}
       ge.NetOutput(%y)""",
    """%r = ge.HcomReceive() {{{w}, sr_tag = 7, src_rank = 0, {type}}} : tensor<4x2xf32>
       %y = ge.Add(%r, %x) : tensor<4x2xf32>
       ge.NetOutput(%y)""",
]


def pipe():
    return [graph(text.format(w=WORLD, type=TYPE)) for text in PIPE]


def test_send_and_receive():
    xs = brought(2)
    got = run(pipe(), xs)
    assert got[1].tolist() == (2 * xs[0] + xs[1]).tolist()


def test_in_a_branch_and_a_loop():
    """Bodies communicate as well; ranks that take other branches are found out."""
    text = f"""
      %y = ge.If(%c, [%x]) : tensor<4x2xf32> then_branch(%a) {{
        %s = ge.HcomAllReduce(%a) {{reduction = "sum", {WORLD}}} : tensor<4x2xf32>
        ge.NetOutput(%s)
      }} else_branch(%b) {{
        ge.NetOutput(%b)
      }}
      ge.NetOutput(%y)
    """
    g = graph(text, "%c: tensor<i1>, %x: tensor<4x2xf32>")
    xs, yes, no = brought(2), np.array(True), np.array(False)
    got = run(g, [[yes, xs[0]], [yes, xs[1]]])
    assert got[1].tolist() == (xs[0] + xs[1]).tolist()
    problem = refused(g, [[yes, xs[0]], [no, xs[1]]])
    assert problem.code == "GX-251"
    assert "HcomAllReduce" in problem.found
    assert "ended: rank 1" in problem.found


def test_runs_are_alike_and_ranks_are_apart():
    text = f"""
      %v = ge.Variable() {{value = dense<1.0> : tensor<2xf32>}} : !ge.ref<tensor<2xf32>>
      %w = ge.AssignAdd(%v, %x) : !ge.ref<tensor<2xf32>>
      %r = ge.Read(%w) : tensor<2xf32>
      %y = ge.HcomAllReduce(%r) {{reduction = "sum", {WORLD}}} : tensor<2xf32>
      ge.NetOutput(%y)
    """
    g = graph(text, "%x: tensor<2xf32>")
    xs = [np.full(2, v, np.float32) for v in (0.1, 0.2, 0.3, 0.4)]
    first = run(g, xs)
    assert all(y.tobytes() == first[0].tobytes() for y in [*first, *run(g, xs)])
    assert first[0][0] == pytest.approx(5.0)


def test_shadow_runs():
    g = one("HcomAllReduce", f'reduction = "sum", {WORLD}', "tensor<f32>", "tensor<f32>")
    (y, _) = run(g, [np.array(0.1, np.float32)] * 2, compute_dtype=np.float64)
    assert y.dtype == np.float64
    got = run(pipe(), brought(2), compute_dtype=np.float64)
    assert got[1].dtype == np.float64


def test_a_graph_by_itself_is_a_rank_alone():
    type_ = "tensor<4x2xf32>"
    x = brought(1)[0]
    g = one("HcomAllReduce", f'reduction = "sum", {WORLD}', type_, type_)
    assert evaluate_graph(g, [x]).outputs[0].tolist() == x.tolist()
    g = one("HcomAllGather", f"rank_size = 2, {WORLD}", type_, "tensor<8x2xf32>")
    with pytest.raises(GeError, match="evaluate_ranks"):
        evaluate_graph(g, [x])
    with pytest.raises(GeError, match="GX-251"):
        evaluate_graph(pipe()[0], [x])


# ----------------------------------------------------------------------------- disagreements

REDUCE = '%y = ge.HcomAllReduce(%x) {{reduction = "{0}", {w}}} : tensor<4x2xf32>\nge.NetOutput(%y)'


def test_other_parameters():
    graphs = [graph(REDUCE.format(how, w=WORLD)) for how in ("sum", "max")]
    problem = refused(graphs, brought(2))
    assert problem.code == "GX-250"
    assert "reduction" in problem.message
    assert problem.found == "sum on rank 0, max on rank 1"


def test_another_order():
    first = f"""
      %a = ge.HcomAllReduce(%x) {{reduction = "sum", {WORLD}}} : tensor<4x2xf32>
      %y, %done = ge.HcomBroadcast(%a) {{root_rank = 0, {WORLD}}} : tensor<4x2xf32>, !ge.ctrl
      ge.NetOutput(%y)
    """
    second = f"""
      %a = ge.HcomBroadcast(%x) {{root_rank = 0, {WORLD}}} : tensor<4x2xf32>
      %y = ge.HcomAllReduce(%a) {{reduction = "sum", {WORLD}}} : tensor<4x2xf32>
      ge.NetOutput(%y)
    """
    problem = refused([graph(first), graph(second)], brought(2))
    assert problem.code == "GX-250"
    assert "different collectives" in problem.message
    assert "rank 0: HcomAllReduce" in problem.found
    assert "rank 1: HcomBroadcast" in problem.found


@pytest.mark.parametrize(
    ("type_", "dtype", "shape"),
    [("tensor<4x3xf32>", np.float32, (4, 3)), ("tensor<4x2xf16>", np.float16, (4, 2))],
)
def test_another_shape_or_dtype(type_, dtype, shape):
    attrs = f'reduction = "sum", {WORLD}'
    graphs = [
        one("HcomAllReduce", attrs, "tensor<4x2xf32>", "tensor<4x2xf32>"),
        one("HcomAllReduce", attrs, type_, type_),
    ]
    problem = refused(graphs, [np.zeros((4, 2), np.float32), np.zeros(shape, dtype)])
    assert problem.code == "GX-250"
    assert "tensor" in problem.message


def test_an_unknown_group_and_a_wrong_number_of_ranks():
    g = one("HcomAllReduce", 'reduction = "sum", group = "tp"', "tensor<f32>", "tensor<f32>")
    problem = refused(g, [np.zeros((), np.float32)] * 2)
    assert problem.code == "GX-250"
    assert "rank 0" in problem.message
    g = one("HcomAllGather", f"rank_size = 3, {WORLD}", "tensor<4x2xf32>", "tensor<12x2xf32>")
    problem = refused(g, brought(2))
    assert (problem.code, problem.found, problem.expected) == ("GX-250", "3", "2")


def test_a_rank_that_never_comes():
    quiet = graph("%y = ge.Relu(%x) : tensor<4x2xf32>\nge.NetOutput(%y)")
    problem = refused([graph(REDUCE.format("sum", w=WORLD)), quiet], brought(2))
    assert problem.code == "GX-251"
    assert "rank 0: HcomAllReduce" in problem.found


BOTH = """
  ge.HcomSend(%x) {{{w}, sr_tag = 0, dest_rank = {other}}}
  %y, %d = ge.HcomReceive() {{{w}, sr_tag = 0, src_rank = {other}, {type}}} : tensor<4x2xf32>, !ge.ctrl
  ge.NetOutput(%y)
"""  # noqa: E501


def test_both_send_first():
    """Each waits for the other's receive; with one of them the other way round it works."""
    graphs = [graph(BOTH.format(w=WORLD, type=TYPE, other=1 - r)) for r in range(2)]
    problem = refused(graphs, brought(2))
    assert problem.code == "GX-251"
    assert "rank 0: HcomSend" in problem.found
    assert "rank 1: HcomSend" in problem.found
    lines = BOTH.strip().split("\n")
    turned = "\n".join([lines[1], lines[0], lines[2]])
    graphs[1] = graph(turned.format(w=WORLD, type=TYPE, other=0))
    xs = brought(2)
    got = run(graphs, xs)
    assert got[0].tolist() == xs[1].tolist()
    assert got[1].tolist() == xs[0].tolist()


def test_another_tag_or_type():
    graphs = pipe()
    wrong = PIPE[1].replace("sr_tag = 7", "sr_tag = 8").format(w=WORLD, type=TYPE)
    problem = refused([graphs[0], graph(wrong)], brought(2))
    assert problem.code == "GX-251"
    assert "tag 7" in problem.found
    assert "tag 8" in problem.found
    wrong = f"""
      %y = ge.HcomReceive() {{{WORLD}, sr_tag = 7, src_rank = 0, {TYPE16}}} : tensor<4x2xf16>
      ge.NetOutput(%y)
    """
    problem = refused([graphs[0], graph(wrong)], brought(2))
    assert problem.code == "GX-250"
    assert "float16" in problem.found


def test_an_error_of_one_rank_ends_the_run():
    g = graph(
        f"%g = ge.GatherV2(%x, %i, %a) : tensor<1x2xf32>\n"
        f'%y = ge.HcomAllReduce(%g) {{reduction = "sum", {WORLD}}} : tensor<1x2xf32>\n'
        "ge.NetOutput(%y)",
        "%x: tensor<4x2xf32>, %i: tensor<1xi64>, %a: tensor<i64>",
    )
    x, axis = brought(1)[0], np.array(0)
    problem = refused(g, [[x, np.array([1]), axis], [x, np.array([9]), axis]])
    assert problem.message.startswith("rank 1: ")


def test_arguments_of_the_call():
    g = one("HcomAllReduce", f'reduction = "sum", {WORLD}', "tensor<f32>", "tensor<f32>")
    x = [np.zeros((), np.float32)]
    with pytest.raises(ValueError, match="2 graphs"):
        evaluate_ranks([g, g], [x])
    with pytest.raises(ValueError, match="distinct ranks"):
        evaluate_ranks(g, [x], groups={"tp": [0, 1]})
    assert evaluate_ranks([], []) == []
