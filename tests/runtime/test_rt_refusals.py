"""Wrong compiled models: refused before they run, with code, place and what would be right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from ge_dialect.rt import BufferAttr, Memcpy
from passes.tools.ge_opt import main as ge_opt
from runtime import simulate
from runtime.loaded import load_model
from runtime.tools.ge_run import main as ge_run

TEXT = """\
rt.model @m {soc = "Ascend910B2", format = 1, arena_bytes = 128, weight_bytes = 0, input_bytes = 64, output_bytes = 64, variable_bytes = 0, arena_lower_bound = 0, events = 1} {
  rt.input 0 "x" = input[0] : tensor<4x4xf32> zero_copy
  rt.output 0 "y" = output[0] : tensor<4x4xf32> zero_copy
  rt.stream 0 AIcoreEngine {
    rt.kernel "a" SoftmaxV2(input[0] : tensor<4x4xf32>) -> (arena[0] : tensor<4x4xf32>) {axes = [-1], half_to_float = false} on AIcoreEngine block_dim 1
    rt.event_record 0
  }
  rt.stream 1 DNN_VM_AICPU {
    rt.event_wait 0
    rt.memcpy "y" arena[0] : tensor<4x4xf32> -> output[0] : tensor<4x4xf32>
  }
}
"""  # noqa: E501
GENERIC = print_module(parse_module(TEXT), generic=True)


def refusal(text: str, *, values: bool = True) -> Diagnostic:
    """The first thing that loading says."""
    with pytest.raises(GeError) as caught:
        load_model(parse(text).module, values=values)
    return caught.value.diagnostics[0]


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_the_model_is_right() -> None:
    assert not verify(parse_module(TEXT))
    assert not verify(parse_module(GENERIC))
    load_model(parse(TEXT).module)


@pytest.mark.parametrize("values", [True, False])
def test_an_engine_that_the_device_does_not_have(values: bool) -> None:
    found = refusal(changed(TEXT, "on AIcoreEngine", "on AIcorEngine"), values=values)
    assert (found.code, found.node, found.location) == ("GX-620", "a", "<string>:5:5")
    assert found.found == "'AIcorEngine'"
    assert found.expected == "one of AIcoreEngine, DNN_VM_AICPU"
    assert found.hint == "did you mean 'AIcoreEngine'?"


def test_copies_are_no_kernels() -> None:
    for name in ("copy", "DNN_VM_RTS"):
        assert refusal(changed(TEXT, "on AIcoreEngine", f"on {name}")).code == "GX-620"


def test_the_engine_of_a_stream() -> None:
    found = refusal(changed(TEXT, "rt.stream 1 DNN_VM_AICPU", "rt.stream 1 Nowhere"))
    assert (found.code, found.location) == ("GX-620", "<string>:8:3")
    assert "DNN_VM_RTS" in str(found.expected)


def test_an_operator_without_a_kernel_is_spelled_for_you() -> None:
    found = refusal(changed(TEXT, "SoftmaxV2", "SoftmaxV3"))
    assert (found.code, found.node, found.location) == ("GX-601", "a", "<string>:5:5")
    assert "did you mean 'SoftmaxV2'?" in str(found.hint)


@pytest.mark.parametrize(
    ("old", "new", "code", "place", "words"),
    [
        ("rt.event_record 0\n", "\n", "GX-606", "9:5", "recorded 0 and awaited 1"),
        ("rt.event_record 0", "rt.event_record 0\n rt.event_record 0", "GX-606", "7:2", "2 and"),
        ("events = 1", "events = 0", "GX-223", "6:5", "event 0 does not exist"),
        ("events = 1", 'events = "1"', "GX-217", "1:1", "no integer 'events'"),
        ("rt.stream 1", "rt.stream 7", "GX-223", "8:3", "numbers must be 0 to 1"),
        ("rt.stream 1", "rt.stream 0", "GX-223", "8:3", "numbers must be 0 to 1"),
        ("arena_bytes = 128", "arena_bytes = -1", "GX-223", "1:1", "'arena_bytes'"),
        ("arena_bytes = 128", 'arena_bytes = "128"', "GX-217", "1:1", "'arena_bytes'"),
        ("arena[0]", "arena[96]", "GX-605", "5:5", "arena[96] with 64 bytes"),
        ("arena[0]", "arena[2]", "GX-605", "5:5", "not aligned"),
        (
            "output[0] : tensor<4x4xf32> zero",
            "output[8] : tensor<4xf32> zero",
            "GX-605",
            "3:3",
            "not",
        ),
        ("block_dim 1", "block_dim 0", "GX-223", "5:5", "'block_dim'"),
        ("axes = [-1]", 'axes = "x"', "GX-207", "5:5", "'axes'"),
        ("axes = [-1]", "axes = [[1]]", "GX-207", "5:5", "'axes'"),
        ("axes = [-1], ", "", "GX-206", "5:5", "'axes'"),
        ("axes = [-1]", "axes = [7]", "GX-222", "5:5", "axes is out of range"),
        ("half_to_float = false", "half_to_float = 2", "GX-207", "5:5", "'half_to_float'"),
        ("(input[0] : tensor<4x4xf32>)", "()", "GX-203", "5:5", "input slots"),
        ("(input[0] : tensor<4x4xf32>)", "(none)", "GX-203", "5:5", "input 'x'"),
        ("-> (arena[0] : tensor<4x4xf32>)", "-> ()", "GX-203", "5:5", "number of outputs"),
        (
            "-> (arena[0] : tensor<4x4xf32>)",
            "-> (arena[0] : tensor<4x4xf32>, arena[64] : tensor<4x4xf32>)",
            "GX-203",
            "5:5",
            "number of outputs",
        ),
        ("(arena[0] : tensor<4x4xf32>)", "(arena[0] : tensor<2x8xf32>)", "GX-243", "5:5", "shape"),
        ("arena[0] : tensor<4x4xf32> ->", "arena[0] : tensor<4xf32> ->", "GX-217", "10:5", "size"),
        ("(arena[0] : tensor<4x4xf32>)", "(arena[0] : tensor<?xf32>)", "GX-609", "5:5", "unknown"),
    ],
)
def test_one_mistake_is_one_diagnostic(
    old: str, new: str, code: str, place: str, words: str
) -> None:
    text = changed(TEXT, old, new)
    found = verify(parse_module(text))
    assert [d.code for d in found] == [code]
    assert found[0].location == f"<stdin>:{place}"
    assert words in found[0].message
    assert refusal(text).code == code  # Python says the same


@pytest.mark.parametrize(
    ("old", "new", "code", "expected"),
    [
        ("block_dim = 1 : i64", 'block_dim = "many"', "GX-207", "an integer from 1 on"),
        ("block_dim = 1 : i64", "block_dim = true", "GX-207", "an integer from 1 on"),
        ('engine = "AIcoreEngine", block', "block", "GX-206", "a string"),
        ('node = "a", ', "", "GX-206", "a string"),
        ('node = "a"', "node = 3 : i64", "GX-207", "a string"),
        ("index = 1 : i64", "index = -1 : i64", "GX-223", "an integer from 0 on"),
        ("event = 0 : i64", "event = 0.5 : f32", "GX-207", "an integer from 0 on"),
        ("{event = 0 : i64}", "{}", "GX-206", "an integer from 0 on"),
        ("{event = 0 : i64}", "{event = 0 : i64, evnt = 1 : i64}", "GX-208", "event"),
        ("config = {", "config = unit, other = {", "GX-207", "a dictionary"),
        ("attrs = {", "attrs = 3 : i64, other = {", "GX-207", "a dictionary"),
        (
            "source = #rt.buffer<arena[0] : tensor<4x4xf32>>",
            "source = unit",
            "GX-207",
            "#rt.buffer",
        ),
        ("buffer = #rt.buffer<input[0] : tensor<4x4xf32>>", 'buffer = "i"', "GX-207", "#rt.buffer"),
        ("input[0] : tensor<4x4xf32>", "input[0] : f32", "GX-204", "a tensor type"),
    ],
)
def test_attributes_of_another_kind(
    old: str, new: str, code: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = changed(GENERIC, old, new)
    found = verify(parse_module(text))[0]
    assert found.code == code
    assert expected in str(found.expected)
    assert found.location is not None
    assert refusal(text).code == code
    path = tmp_path / "m.mlir"
    path.write_text(text)
    for tool, words in ((ge_opt, ["-p", "cse"]), (ge_run, ["--time-only"])):
        assert tool([str(path), *words]) == 3
        said = capsys.readouterr()
        assert not said.out
        assert f"error: {code}: " in said.err
        assert "object has no attribute" not in said.err


def test_a_broken_model_can_still_be_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(changed(GENERIC, "block_dim = 1 : i64", 'block_dim = "many"'))
    assert ge_opt([str(path), "--verify=off", "-p", "cse"]) == 0
    assert 'block_dim = "many"' in capsys.readouterr().out


def test_places_made_in_python() -> None:
    type_ = next(op for op in parse_module(TEXT).walk() if isinstance(op, Memcpy)).source.type
    for space, offset in (("attic", 0), ("arena", -8)):
        module = parse(TEXT).module
        copy = next(op for op in module.walk() if isinstance(op, Memcpy))
        copy.properties["source"] = BufferAttr.make(space, offset, type_)
        found = verify(module)[0]
        assert (found.code, found.node) == ("GX-605", "y")
        with pytest.raises(GeError) as caught:
            simulate(module, values=False)
        assert caught.value.diagnostics[0].code == "GX-605"


@pytest.mark.parametrize(
    ("line", "again", "place"),
    [
        ('rt.input 0 "x" =', 'rt.input 1 "x" =', "3:1"),
        ('rt.output 0 "y" =', 'rt.output 1 "y" =', "4:1"),
    ],
)
def test_two_bindings_of_one_name(line: str, again: str, place: str) -> None:
    whole = next(one for one in TEXT.splitlines() if line in one)
    more = whole.strip().replace(line, again)
    (found,) = verify(parse_module(changed(TEXT, whole, f"{whole}\n{more}")))
    assert (found.code, found.location) == ("GX-215", f"<stdin>:{place}")


def test_two_kernels_of_one_name() -> None:
    line = next(line for line in TEXT.splitlines() if "rt.kernel" in line)
    found = verify(parse_module(changed(TEXT, line, f"{line}\n{line}")))
    assert [(d.code, d.node, d.location) for d in found] == [("GX-215", "a", "<stdin>:6:5")]


def test_a_task_outside_of_a_model() -> None:
    (found,) = verify(parse_module("rt.event_record 0\n"))
    assert (found.code, found.location) == ("GX-217", "<stdin>:1:1")
    assert found.expected == "a stream of an rt.model"


def test_a_type_that_nobody_declares_is_the_executors_business() -> None:
    text = changed(TEXT, "SoftmaxV2", "OfMine")
    assert not verify(parse_module(text))
    assert load_model(parse(text).module, values=False).run().latency_ns > 0
    assert refusal(text).code == "GX-601"


def test_one_of_several_models_is_chosen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = TEXT.replace("@m", "@n").replace('"y" = output', '"z" = output')
    file = tmp_path / "two.mlir"
    file.write_text(TEXT + other)
    run = [str(file), "--random-inputs", "0"]
    assert ge_run(run) == 1
    assert "GX-011: the module has several compiled models" in capsys.readouterr().err
    assert ge_run([*run, "--graph", "nn"]) == 1
    assert "did you mean 'n'?" in capsys.readouterr().err
    for name, output in (("m", "y"), ("n", "z")):
        npz = tmp_path / f"{name}.npz"
        assert ge_run([*run, "--graph", name, "--outputs", str(npz)]) == 0
        assert list(np.load(npz)) == [output]
    with pytest.raises(GeError, match="GX-011"):
        simulate(parse(TEXT + other), [np.zeros((4, 4), np.float32)])
