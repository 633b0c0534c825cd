"""What users type by habit from MLIR, xDSL or numpy, and whether the answer helps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import passes
from ge_dialect import api
from ge_dialect.builder import Graph, ge
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.build import build
from ge_dialect.semantics import evaluate_ranks
from ge_dialect.spelling import nearest
from ge_dialect.tools import ge_translate
from passes import run_pipeline
from passes.testing import Knobs, check, random_spec
from passes.tools.ge_opt import main
from runtime import simulate
from runtime.tools import ge_run

TEXT = """
ge.graph @net(%x: tensor<4xf32>) {
  %s = ge.Sigmoid(%x) : tensor<4xf32>
  %y = ge.Mul(%x, %s) : tensor<4xf32>
  ge.NetOutput(%y)
}
"""
PATTERN = """
from ge_dialect.ir.build import build
from passes.rewriting import Pattern
class Silu(Pattern):
    root = ("{root}",)
    def {method}(self, op, rw):
        {body}
"""


def _load(folder: Path, text: str) -> str:
    path = folder / "mine.py"
    path.write_text(text)
    return str(path)


def _run(folder: Path, body: str) -> str:
    model = api.parse(TEXT)
    file = _load(folder, PATTERN.format(root="Mul", method="match_and_rewrite", body=body))
    passes.load(file)
    try:
        with pytest.raises(GeError) as caught:
            run_pipeline(model, "silu")
    finally:
        passes.unload(file)
    return str(caught.value)


@pytest.mark.parametrize(
    ("word", "meant"),
    [("relu", "Relu"), ("Conv", "Conv2D"), ("Softmax", "SoftmaxV2"), ("Rlu", "Relu"), ("q", None)],
)
def test_nearest(word: str, meant: str | None) -> None:
    assert nearest(word, ["Conv2D", "Conv3D", "Relu", "Selu", "SoftmaxV2"]) == meant


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("rw.replace_op(op, [])", "did you mean replace?"),
        ("rw.build('Swish', [])", "did you mean ge_dialect.ir.build("),
        ("rw.erse(op)", "did you mean erase?"),
        ("rw.replace(op, 'Swish')", "replace() takes new nodes"),
        ("rw.replace(op, op.operands[0])", "there is replace_by_value()"),
        ("build('Swish', op.operands[0])", "inputs are a list of values"),
        ("build('Swishh', [op.operands[0]])", "did you mean 'Swish'?"),
    ],
)
def test_a_wrong_call_in_a_pattern(tmp_path: Path, body: str, said: str) -> None:
    text = _run(tmp_path, body)
    assert said in text
    assert "mine.py:7 in match_and_rewrite" in text, "the line of the user's file"


def test_a_name_near_nothing_is_no_hint() -> None:
    with pytest.raises(KeyError, match=r"no operator of type Zzzzzzzz'$"):
        build("Zzzzzzzz", [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PATTERN.format(root="Mul", method="matchAndRewrite", body="pass"), "no match_and_rewrite"),
        (PATTERN.format(root="Mull", method="match_and_rewrite", body="pass"), "mean 'Mul'?"),
        (
            "from passes.pattern_dsl import DslPattern, node\n"
            "class Silu(DslPattern):\n    pattern = node('Mul')\n",
            "no shape = node(",
        ),
        (
            "from passes.pattern_dsl import node, rule, value\nx = value('x')\n"
            "silu = rule('silu', node('Mul', x, node('Sigmod', x)), x)\n",
            "mean 'Sigmoid'?",
        ),
        (
            "from passes.base import Pass, PassResult\nclass Silu(Pass):\n"
            "    def run(self, module, ctx):\n        return PassResult(False, {})\n",
            "it says no name",
        ),
    ],
)
def test_a_loaded_file_that_would_do_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    file = _load(tmp_path, text)
    passes.load(file)
    passes.unload(file)
    err = capsys.readouterr().err
    assert "warning: GX-" in err
    assert said in err


@pytest.mark.parametrize(
    ("flag", "said"),
    [
        ("--canonicalize", "--pipeline=prepare,cse"),
        ("--load-pass-plugin=a.so", "--load FILE.py"),
        ("--cse", "--pipeline=cse"),
    ],
)
def test_options_of_mlir_opt(capsys: pytest.CaptureFixture[str], flag: str, said: str) -> None:
    assert main([flag]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tool", "words", "said"),
    [
        (ge_run, ["a.mlir", "--random", "0"], "did you mean '--random-inputs'?"),
        (ge_run, ["model:bert", "--random-inputs", "0"], "ge-translate model:bert -o"),
        (ge_translate, ["model:bert", "--input_shape", "x:1"], "did you mean '--input-shape'?"),
        (ge_translate, ["model:resnet"], "there is light:resnet50"),
        (ge_translate, ["model:llama:layer=1"], "it has opset, vocabulary, width, layers,"),
        (check, ["--pipeline=cast-remov"], "did you mean 'cast-remove'?"),
    ],
)
def test_words_of_other_tools(
    capsys: pytest.CaptureFixture[str], tool: Any, words: list[str], said: str
) -> None:
    assert tool.main(words) != 0
    assert said in capsys.readouterr().err


def test_an_output_that_ends_in_onnx_is_onnx(tmp_path: Path) -> None:
    (tmp_path / "net.mlir").write_text(TEXT)
    assert ge_translate.main([str(tmp_path / "net.mlir"), "-o", str(tmp_path / "net.onnx")]) == 0
    assert api.load(tmp_path / "net.onnx").text().count("ge.Sigmoid") == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("canonicalize", "do what canonicalize does"),
        ("sccp", "'constant-folding'"),
        ("ge_default", "'ge-default'"),
        ("Conv-BN-Fold", "'conv-bn-fold'"),
        ("my-silu", "--list-passes shows"),
    ],
)
def test_names_of_passes(name: str, said: str) -> None:
    with pytest.raises(GeError) as caught:
        passes.parse_pipeline(name)
    assert said in str(caught.value)


def test_profiles_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="there are: default, small"):
        random_spec(0, "smal")
    with pytest.raises(ValueError, match="there are: quick, default, nightly"):
        check.check_pass("cast-remove", profile="fast")


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        ({"ops": "Relu"}, "a tuple of names"),
        ({"ops": ("relu",)}, "did you mean 'Relu'?"),
        ({"dtypes": ("f16",)}, "there are: float32, float16"),
    ],
)
def test_knobs_that_are_not_there(knobs: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        Knobs(**knobs)


def test_a_short_permutation_is_shown_as_it_is() -> None:
    x = Graph("g").input("x", (1, 3, 8, 8))
    with pytest.raises(GeError) as caught:
        ge.Transpose(x, perm=[0, 2, 3])
    assert caught.value.diagnostics[0].found == "[0, 2, 3]"


def test_ranks_run_graphs() -> None:
    model = api.parse(TEXT)
    with pytest.raises(TypeError, match=r"model\.graphs\[0\], not a Model"):
        evaluate_ranks(model, [[], []])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a ModuleOp"):
        evaluate_ranks(model.module, [[], []])


def test_a_graph_with_result_types() -> None:
    with pytest.raises(GeError, match=r"those of ge\.NetOutput") as caught:
        api.parse("ge.graph @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  ge.NetOutput(%x)\n}")
    assert caught.value.diagnostics[0].location == "<string>:1:32"


@pytest.mark.parametrize(
    "use",
    [
        lambda g: api.evaluate(g, []),
        lambda g: api.save(g, "never.mlir"),
        lambda g: run_pipeline(g, "cse"),
        lambda g: simulate(g, []),
    ],
)
def test_a_graph_of_the_builder_is_no_model(use: Any) -> None:
    with pytest.raises(TypeError, match=r"g\.model\(\)"):
        use(Graph("g"))
