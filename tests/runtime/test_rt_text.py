"""The text of compiled models: round trips, plain views, and what is refused."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, FloatAttr, f16, f32
from xdsl.parser import Parser
from xdsl.printer import Printer

from ge_dialect.diagnostics import GeError
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.universe import GE_UNIVERSE
from ge_dialect.rt import (
    RT_OPS,
    SPACES,
    Buffer,
    KernelView,
    MemcpyView,
    RecordView,
    WaitView,
    read_model,
)
from ge_dialect.rt.values import float_text, to_attr, to_python, value_text

MODEL = """
builtin.module attributes {ge.weights = "net.weights"} {
  rt.model @net {soc = "Ascend910B2", format = 1, arena_bytes = 2048, weight_bytes = 1024, input_bytes = 512, output_bytes = 512, variable_bytes = 512, arena_lower_bound = 512, events = 1} {
    rt.input 0 "x/0" = input[0] : tensor<1x8xf16> zero_copy
    rt.output 0 "y" = arena[0] : tensor<1x8xf16>
    rt.weight weight[0] : tensor<16x1x1x1xf16, #ge.layout<FRACTAL_Z>> = #ge.weight<"w">
    rt.weight weight[512] : tensor<2xf32> = dense<"0x0000C07F000080FF"> : tensor<2xf32>
    rt.variable "v" = variable[0] : tensor<2xf32> init dense<[0.1, -0.0]> : tensor<2xf32>
    rt.stream 0 AIcoreEngine attributes {my.note = 1 : i8, my.flag} {
      rt.kernel "a/1" Foo(input[0] : tensor<1x8xf16>, none, [weight[512] : tensor<2xf32>, weight[512] : tensor<2xf32>]) -> (arena[0] : tensor<1x8xf16>, arena[512] : tensor<i1>) {alpha = 0.1, n = [1, -2], t = f16, b = true, e = [], l = [[1, 2], [3]], s = "a\\"b", if = 3} on AIcoreEngine block_dim 24 workspace arena[1024] : tensor<512xui8> origins ["a", "b c"]
      rt.event_record 0
    }
    rt.stream 1 DNN_VM_AICPU {
      rt.event_wait 0
      rt.memcpy "copy" arena[0] : tensor<1x8xf16> -> output[0] : tensor<1x8xf16>
    }
  }
}
"""  # noqa: E501


def stock_context() -> Context:
    ctx = Context()
    ctx.load_dialect(Builtin)
    for name, factory in GE_UNIVERSE.all_dialects.items():
        ctx.register_dialect(name, factory)
    return ctx


def body_of(text: str) -> str:
    return "\n".join(line for line in text.strip().splitlines())


def test_text_is_a_fixed_point() -> None:
    module = parse_module(MODEL)
    module.verify()
    text = print_module(module)
    again = parse_module(text)
    assert again.is_structurally_equivalent(module)
    assert print_module(again) == text
    for line in MODEL.strip().splitlines()[2:-2]:
        assert line.strip() in text


@pytest.mark.parametrize("name", ["a b", "größe", 'q\\"u', "x-y", "9", ""])
def test_names_that_are_no_identifiers(name: str) -> None:
    text = MODEL.replace("@net", f'@"{name}"').replace(" on AIcoreEngine", f' on "{name}"')
    module = parse_module(text.replace("rt.stream 0 AIcoreEngine", f'rt.stream 0 "{name}"'))
    module.verify()
    printed = print_module(module)
    assert parse_module(printed).is_structurally_equivalent(module)
    assert f'@"{name}"' in printed
    assert f'rt.stream 0 "{name}"' in printed
    assert f' on "{name}" block_dim' in printed
    generic = parse_module(print_module(module, generic=True))
    assert generic.is_structurally_equivalent(module)


def test_stock_xdsl_reads_and_prints_the_same() -> None:
    ours = parse_module(MODEL)
    theirs = Parser(stock_context(), MODEL).parse_module()
    theirs.verify()
    assert theirs.is_structurally_equivalent(ours)
    text = str(theirs)
    assert Parser(stock_context(), text).parse_module().is_structurally_equivalent(ours)
    for line in print_module(ours).splitlines():
        assert line.strip() in text


def test_generic_form() -> None:
    module = parse_module(MODEL)
    text = print_module(module, generic=True)
    assert '"rt.kernel"()' in text
    assert parse_module(text).is_structurally_equivalent(module)
    out = io.StringIO()
    Printer(out, print_generic_format=True).print_op(module)
    assert Parser(stock_context(), text).parse_module().is_structurally_equivalent(module)


def test_xdsl_opt_process(tmp_path: Path) -> None:
    tool = Path(sys.executable).with_name("xdsl-opt")
    if not tool.exists():
        pytest.skip("xdsl-opt is not beside this interpreter")
    file = tmp_path / "m.mlir"
    file.write_text(MODEL)
    done = subprocess.run([str(tool), str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]
    assert parse_module(done.stdout).is_structurally_equivalent(parse_module(MODEL))


def test_view() -> None:
    view = read_model(parse_module(MODEL))
    assert (view.name, view.soc, view.events) == ("net", "Ascend910B2", 1)
    assert view.sizes == {
        "arena": 2048,
        "weight": 1024,
        "input": 512,
        "output": 512,
        "variable": 512,
    }
    assert [(b.index, b.node, b.zero_copy) for b in view.inputs] == [(0, "x/0", True)]
    assert [(b.node, b.buffer.space, b.zero_copy) for b in view.outputs] == [("y", "arena", False)]
    assert [c.buffer.offset for c in view.weights] == [0, 512]
    assert view.variables[0].node == "v"
    kernel, record = view.streams[0].tasks
    wait, copy = view.streams[1].tasks
    assert isinstance(kernel, KernelView)
    assert kernel.op_type == "Foo"
    assert kernel.inputs[1] is None
    assert isinstance(kernel.inputs[2], tuple)
    assert [b.space for b in kernel.reads()] == ["input", "weight", "weight"]
    assert [b.offset for b in kernel.outputs] == [0, 512]
    assert kernel.attrs["n"] == (1, -2)
    assert kernel.attrs["alpha"] == pytest.approx(0.1, abs=1e-8)
    assert kernel.attrs["b"] is True
    assert kernel.attrs["l"] == ((1, 2), (3,))
    assert kernel.attrs["s"] == 'a"b'
    assert kernel.attrs["t"] == f16
    assert isinstance(kernel.workspace, Buffer)
    assert (kernel.block_dim, kernel.origins) == (24, ("a", "b c"))
    assert record == RecordView(0)
    assert wait == WaitView(0)
    assert isinstance(copy, MemcpyView)
    assert copy.target.space == "output"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rt.event_wait 0", "rt.event_wait 1", "once each"),
        ("arena_bytes = 2048", "arena_bytes = 512", "exceeds arena_bytes"),
        ("rt.stream 1", "rt.stream 2", "rt.stream numbers"),
        ('soc = "Ascend910B2"', "soc = 3", "no 'soc' string"),
        ("weight_bytes = 1024", "weight_bits = 1024", "no integer 'weight_bytes'"),
        ("rt.input 0", "rt.input 4", "rt.input numbers"),
    ],
)
def test_what_a_model_must_hold(old: str, new: str, message: str) -> None:
    from xdsl.utils.exceptions import VerifyException

    assert old in MODEL
    module = parse_module(MODEL.replace(old, new, 1))
    with pytest.raises(VerifyException, match=message):
        module.verify()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("input[0] : tensor<1x8xf16> zero_copy", "attic[0] : tensor<1x8xf16>"),
        ("arena[0] : tensor<1x8xf16>\n", "arena[-1] : tensor<1x8xf16>\n"),
        ("on AIcoreEngine", "AIcoreEngine"),
        ("rt.event_wait 0", "rt.event_wait"),
        ("-> (arena[0]", "(arena[0]"),
    ],
)
def test_broken_text_has_a_location(old: str, new: str) -> None:
    assert old in MODEL
    with pytest.raises(GeError) as caught:
        parse_module(MODEL.replace(old, new, 1))
    assert "<stdin>:" in str(caught.value)


def test_two_models_need_a_name() -> None:
    one = MODEL.strip().splitlines()
    model = "\n".join(one[1:-1])
    both = parse_module(f"{model}\n{model.replace('@net', '@other')}")
    with pytest.raises(GeError, match="GX-011"):
        read_model(both)
    assert read_model(both, "other").name == "other"


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_floats_survive(value: float) -> None:
    text = float_text(value)
    assert "." in text
    attr = Parser(stock_context(), text).parse_attribute()
    assert isinstance(attr, FloatAttr)
    back = to_attr(attr)
    assert back == FloatAttr(value, f32)


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_floats_that_are_not_finite(value: float) -> None:
    attr = Parser(stock_context(), float_text(value)).parse_attribute()
    assert str(to_python(attr)) == str(value)


_plain = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        st.text(max_size=8),
        st.floats(width=32, allow_nan=False, allow_infinity=False),
    ),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


@given(_plain)
def test_attribute_values_survive(value: object) -> None:
    attr = to_attr(value)
    read = to_attr(Parser(stock_context(), value_text(attr)).parse_attribute())
    assert read == attr
    assert to_python(attr) == value


def test_every_operation_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "rt.md").read_text()
    for op in RT_OPS:
        assert f"| `{op.name}` |" in page
        assert op.__doc__
    for space in SPACES:
        assert f"| `{space}` |" in page


def test_our_verifier_looks_into_models() -> None:
    from ge_dialect.ir.verifier import verify

    assert not verify(parse_module(MODEL))
    lone, absent = verify(parse_module(MODEL.replace("rt.event_wait 0", "rt.event_wait 1")))
    assert lone.code == absent.code == "GX-606"
    assert (lone.location, lone.node) == ("<stdin>:11:7", "a/1")
    assert (absent.location, absent.node) == ("<stdin>:14:7", "copy")
    assert absent.expected == "once each"
