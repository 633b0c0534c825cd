"""Pipeline text: grammar, canonical form, errors with columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError
from passes.base import Pass, PassResult
from passes.options import format_value
from passes.pipeline import GroupItem, NamedItem, PassItem, Pipeline, as_pipeline, parse_pipeline
from passes.registry import register_pass, unregister_pass
from passes.stages import STAGE_NAMES, named_items, pipeline_names


@dataclass(frozen=True)
class Probe(Pass):
    """Does nothing."""

    name: ClassVar[str] = "test-probe"
    a: int = 1
    text: str | None = None
    names: tuple[str, ...] = ()
    sizes: tuple[int, ...] = (1, 2)
    flag_here: bool = False
    mode: Literal["x", "y"] = "x"
    f: float = 0.5

    def run(self, module, ctx) -> PassResult:
        return PassResult(False)


@dataclass(frozen=True)
class Other(Pass):
    """Does nothing either."""

    name: ClassVar[str] = "test-other"

    def run(self, module, ctx) -> PassResult:
        return PassResult(False)


@pytest.fixture(autouse=True)
def passes_known() -> Iterator[None]:
    register_pass(Probe)
    register_pass(Other)
    yield
    unregister_pass("test-probe")
    unregister_pass("test-other")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        ("  \n # nothing\n", ""),
        ("test-probe", "test-probe"),
        ("ge-test-probe", "test-probe"),
        ("test-probe{}", "test-probe"),
        ("test-probe{a=1}", "test-probe"),
        ('test-probe { a = 2 , text = "q r" }', 'test-probe{a=2 text="q r"}'),
        ("test-probe{a=0x10}", "test-probe{a=16}"),
        ("test-probe{text=true}", 'test-probe{text="true"}'),
        ("test-probe{text=none}", "test-probe"),
        ('test-probe{text="none"}', 'test-probe{text="none"}'),
        ('test-probe{text="a\\"b\\\\n\\n"}', 'test-probe{text="a\\"b\\\\n\\n"}'),
        ("test-probe{flag-here}", "test-probe{flag-here=true}"),
        ("test-probe{flag_here=true}", "test-probe{flag-here=true}"),
        ("test-probe{names=a,b,c a=3}", "test-probe{a=3 names=a,b,c}"),
        ("test-probe{names=a, b, a=3}", "test-probe{a=3 names=a,b}"),
        ("test-probe{names=[a,b], a=3}", "test-probe{a=3 names=a,b}"),
        ("test-probe{names=a}", "test-probe{names=[a]}"),
        ("test-probe{sizes=[]}", "test-probe{sizes=[]}"),
        ("test-probe{sizes=-1,+2}", "test-probe{sizes=-1,2}"),
        ("test-probe{mode=y f=1e-3}", "test-probe{mode=y f=0.001}"),
        ("test-probe{f=2}", "test-probe{f=2.0}"),
        ("prepare , stage1", "prepare,stage1"),
        ("ge-default", "ge-default"),
        ("fix(test-probe,test-other){max=4}", "fix(test-probe,test-other){max=4}"),
        ("fix ( test-probe )", "fix(test-probe)"),
        ("(test-probe)", "group(test-probe)"),
        ("group(test-probe){name=mine}", "group(test-probe){name=mine}"),
        ("group()", "group()"),
        ("builtin.module(test-probe,any(test-other))", "group(test-probe,group(test-other))"),
        ("test-probe, // first\n test-other # second", "test-probe,test-other"),
    ],
)
def test_canonical(text: str, canonical: str) -> None:
    pipeline = parse_pipeline(text)
    assert str(pipeline) == canonical
    assert str(parse_pipeline(canonical)) == canonical


@pytest.mark.parametrize(
    ("text", "code", "column", "part"),
    [
        ("test-prob", "GX-402", 1, "did you mean 'test-probe'?"),
        ("test-probe,stagee1", "GX-402", 12, "did you mean 'stage1'?"),
        ("test-probe{b=1}", "GX-403", 12, "expected: a, text"),
        ("test-probe{nams=x}", "GX-403", 12, "did you mean 'names'?"),
        ("test-probe{a=1 a=2}", "GX-403", 16, "given twice"),
        ("test-probe{a=x}", "GX-404", 14, "expected: integer"),
        ("test-probe{a=1.5}", "GX-404", 14, "found: 1.5"),
        ("test-probe{a=1,2}", "GX-404", 14, "expected: integer"),
        ('test-probe{a="1"}', "GX-404", 14, "expected: integer"),
        ("test-probe{sizes=1,x}", "GX-404", 18, "a list of integer"),
        ("test-probe{flag-here=1}", "GX-404", 22, "true or false"),
        ("test-probe{mode=z}", "GX-404", 17, "one of x, y"),
        ("test-other{a=1}", "GX-403", 12, "no options"),
        ("prepare{a=1}", "GX-403", 9, "no options"),
        ("fix(test-probe){max=x}", "GX-404", 21, "integer"),
        ("fix(test-probe){max=0}", "GX-404", 1, "at least 1"),
        ("fx(test-probe)", "GX-402", 1, "did you mean 'fix'?"),
        ("test-probe,", "GX-401", 12, "the end of the pipeline"),
        (",", "GX-401", 1, "name is missing"),
        ("test-probe test-other", "GX-401", 12, "unexpected text"),
        ("(test-probe", "GX-401", 12, "')' is missing"),
        ("test-probe)", "GX-401", 11, "unexpected text"),
        ("test-probe{a=1", "GX-401", 15, "option name is missing"),
        ("test-probe{a=", "GX-401", 14, "a value is missing"),
        ('test-probe{text="x}', "GX-401", 17, "no end"),
        ("test-probe{=1}", "GX-401", 12, "option name"),
        ("@", "GX-401", 2, "file name is missing"),
        ("@no/such/file", "GX-001", 1, "No such file"),
        ("(" * 60, "GX-401", 52, "nested deeper"),
    ],
)
def test_errors(text: str, code: str, column: int, part: str) -> None:
    with pytest.raises(GeError) as caught:
        parse_pipeline(text)
    assert caught.value.exit_code == ExitCode.USAGE
    found = caught.value.diagnostics[-1]
    assert found.code == code
    assert found.location == f"<pipeline>:1:{column}"
    assert part in found.render()


def test_all_problems_at_once() -> None:
    with pytest.raises(GeError) as caught:
        parse_pipeline("nope,\n  test-probe{z=1 a=x},\n\tnada")
    assert [d.location for d in caught.value.diagnostics] == [
        "<pipeline>:1:1",
        "<pipeline>:2:14",
        "<pipeline>:2:20",
        "<pipeline>:3:2",
    ]


def test_the_caret_points_at_the_place_in_a_long_line() -> None:
    text = ",".join(["test-other"] * 40) + ",wrong," + ",".join(["test-other"] * 40)
    with pytest.raises(GeError) as caught:
        parse_pipeline(text)
    source, caret = (caught.value.diagnostics[0].excerpt or "").split("\n")
    assert len(source) < 110
    assert source[caret.index("^") :].startswith("wrong,")
    assert caret.count("^") == len("wrong")


def test_files(tmp_path: Path) -> None:
    inner = tmp_path / "sub" / "inner.txt"
    inner.parent.mkdir()
    inner.write_text("test-probe{a=2},  # two\ntest-other\n")
    outer = tmp_path / "outer pipeline.txt"
    outer.write_text("prepare, fix(@sub/inner.txt)")
    pipeline = parse_pipeline(f'@"{outer}", stage1')
    assert str(pipeline) == "prepare,fix(test-probe{a=2},test-other),stage1"


def test_files_which_include_themselves(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_text("test-probe, @b")
    b.write_text("@a")
    with pytest.raises(GeError) as caught:
        parse_pipeline(f"@{a}")
    assert caught.value.diagnostics[0].code == "GX-410"


def test_errors_in_files_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "p"
    file.write_text("test-probe,\n nope")
    with pytest.raises(GeError) as caught:
        parse_pipeline(f"@{file}")
    assert caught.value.diagnostics[0].location == f"{file}:2:2"


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "p"
    file.write_bytes(b"\xff\xfe")
    for path in (file, tmp_path):
        with pytest.raises(GeError) as caught:
            parse_pipeline(f"@{path}")
        assert caught.value.diagnostics[0].code == "GX-001"


def test_what_python_accepts() -> None:
    assert str(as_pipeline(Probe)) == "test-probe"
    assert str(as_pipeline(Probe(a=4))) == "test-probe{a=4}"
    assert str(as_pipeline([Probe(a=4), "prepare,test-other"])) == (
        "test-probe{a=4},prepare,test-other"
    )
    own = Probe(a=5)
    assert next(as_pipeline(own).passes()).build() is own


def test_between() -> None:
    full = parse_pipeline("ge-default")
    assert str(full.between()) == "ge-default"
    assert str(full.between(stop_after="fuse")) == "prepare,fuse"
    assert str(full.between(start_at="stage2")) == "stage2,build"
    assert str(full.between("fuse", "format")) == "fuse,format-prepare,format"
    mixed = parse_pipeline("test-probe,prepare,test-other,fuse")
    assert str(mixed.between("prepare", "test-other")) == "prepare,test-other"


@pytest.mark.parametrize(
    ("start", "stop", "part"),
    [
        ("nope", None, "--start-at: the pipeline has no stage or pass 'nope'"),
        (None, "fus", "did you mean 'fuse'?"),
        ("stage2", "fuse", "'fuse' comes before 'stage2'"),
    ],
)
def test_between_refuses(start: str | None, stop: str | None, part: str) -> None:
    with pytest.raises(GeError) as caught:
        parse_pipeline("ge-default").between(start, stop)
    assert caught.value.exit_code == ExitCode.USAGE
    assert part in str(caught.value)


def test_stages_and_pipelines_parse_and_print() -> None:
    for name in pipeline_names():
        items = named_items(name)
        assert str(parse_pipeline(str(Pipeline(items)))) == str(Pipeline(items))
    default = [item.name for item in named_items("ge-default") if isinstance(item, NamedItem)]
    assert default == list(STAGE_NAMES)


def test_expanded_has_passes_only() -> None:
    assert all(isinstance(i, PassItem) for i in parse_pipeline("ge-default").expanded().passes())


_words = st.text('ab"\\\n\t, {}[]=é0-', max_size=6)


@st.composite
def pipelines(draw: st.DrawFn, depth: int = 2) -> Pipeline:
    """A random pipeline tree."""
    items: list[PassItem | GroupItem | NamedItem] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 3 if depth else 1))
        if kind == 0:
            items.append(NamedItem(draw(st.sampled_from(("prepare", "ge-default")))))
        elif kind == 1:
            options = draw(
                st.fixed_dictionaries(
                    {},
                    optional={
                        "a": st.integers(-5, 1 << 40),
                        "text": st.none() | _words,
                        "names": st.lists(_words, max_size=3).map(tuple),
                        "sizes": st.lists(st.integers(-3, 3), max_size=3).map(tuple),
                        "flag_here": st.booleans(),
                        "mode": st.sampled_from(("x", "y")),
                        "f": st.floats(allow_nan=False, allow_infinity=False),
                    },
                )
            )
            items.append(PassItem("test-probe", Probe(**options).options()))
        else:
            inner = draw(pipelines(depth - 1)).items
            rounds = draw(st.integers(1, 20)) if kind == 2 else None
            label = draw(st.none() | _words.filter(bool)) if kind == 3 else None
            items.append(GroupItem(inner, label, rounds))
    return Pipeline(tuple(items))


@given(pipelines())
@settings(max_examples=150, deadline=None)
def test_round_trip(pipeline: Pipeline) -> None:
    register_pass(Probe)
    text = str(pipeline)
    again = parse_pipeline(text)
    assert again == pipeline
    assert str(again) == text


@given(st.text('test-probe{}()=,"\\@fix#/ \n1.é', max_size=30))
@settings(max_examples=300, deadline=None)
def test_any_text_parses_or_gives_located_diagnostics(text: str) -> None:
    found: tuple[Diagnostic, ...] = ()
    try:
        parse_pipeline(text)
    except GeError as error:
        found = error.diagnostics
    assert all(d.location and d.code.startswith("GX-") for d in found)


def test_format_value_quotes_what_would_read_as_something_else() -> None:
    assert format_value("1") == '"1"'
    assert format_value("") == '""'
    assert format_value("a.b/c") == "a.b/c"
