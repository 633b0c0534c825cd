"""Plug-ins by entry points, and `--load`: what works, what broken ones give, what stays."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import passes
from ge_dialect.diagnostics import GeError
from ge_dialect.ops import registry as ops
from ge_dialect.plugins import entries, journal, loading
from ge_dialect.semantics import registry as meanings
from ge_dialect.target import registered as target
from passes import registry as known
from passes import stages

NET = """\
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%a) : tensor<4xf32>
  ge.NetOutput(%b)
}
"""
CAPPED = NET.replace("ge.Relu(%a)", "ge.Halve(%a)")
PASS = '''
from dataclasses import dataclass
from typing import ClassVar

from passes.base import Pass, PassResult
from passes.rewriting import Pattern, apply_patterns


class DropSecondRelu(Pattern):
    """relu(relu(x)) is relu(x)."""

    root: ClassVar = ("Relu",)

    def match_and_rewrite(self, op, rw):
        first = op.ge_input("x").owner
        if rw.when(getattr(first, "name", None) == "ge.Relu", "the input is not a Relu"):
            rw.replace_by_value(op, [first.results[0]])


@dataclass(frozen=True)
class ReluOnce(Pass):
    """Remove a Relu whose input is a Relu."""

    name: ClassVar[str] = "relu-once"
    stage: ClassVar[str] = "fuse"
    fault: str = "none"

    def run(self, module, ctx):
        if self.fault == "raise":
            raise KeyError("planted")
        if self.fault == "spin":
            while True:
                pass
        if self.fault == "invalid":
            (graph,) = module.ops
            first = graph.body.first_op
            second = first.next_op
            first.detach()
            graph.body.insert_op_after(first, second)
            return PassResult(True)
        if self.fault == "wrong":
            (graph,) = module.ops
            last = graph.body.last_op.prev_op
            last.results[0].replace_all_uses_with(graph.args[0])
            return PassResult(True)
        return PassResult.from_counters(apply_patterns(module, [DropSecondRelu()], ctx))
'''
OPERATOR = '''
from typing import ClassVar

from ge_dialect.ir import GeOp, ge_op, tin, tout
from ge_dialect.semantics.registry import semantics
from ge_dialect.target.registered import OpTarget
from passes.pattern_dsl import make, node, rule, table, value
from passes.stages import register_pipeline
from runtime.kernels.registry import kernel


@ge_op
class Halve(GeOp):
    """x / 2."""

    name = "ge.Halve"
    TYPES: ClassVar = {"T": "float32"}
    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n):
        return [n.type("x")]


@semantics("Halve")
def halve(args, attrs, ctx):
    return args[0] / 2


@kernel("Halve", layouts="*")
def run(call):
    call.outs[0].data[...] = call.arg(0).data / 2


x = value("x")
folding = table("folding", rule("neg-neg", node("Neg", node("Neg", x)), x))
register_pipeline("halving", "folding,cse", "for the test")
'''


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """Every test leaves the registries, the path and the modules as they were."""
    import passes.plugins  # hooks itself in

    assert passes.plugins
    entries.rescan()
    before = state()
    yield
    assert loading.loaded_paths() == []
    entries.rescan()
    assert state() == before


def state() -> Any:
    from runtime.kernels import registry as kernels

    return (
        dict(known.PASSES),
        dict(ops._user),
        {k: v for k, v in meanings._TABLE.items() if not v.__module__.startswith("ge_dialect.")},
        sorted(k for k, found in kernels._kernels.items() for e in found if "plug" in repr(e)),
        dict(target._table),
        dict(stages._registered),
        list(sys.path),
        [n for n in sys.modules if n.startswith("ge_loaded_")],
        sys.dont_write_bytecode,
        len(loading.ADOPTERS),
        list(journal._running),
        list(journal._notes),
    )


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a graph, a pass and an operator, as the working folder."""
    (tmp_path / "net.mlir").write_text(NET)
    (tmp_path / "capped.mlir").write_text(CAPPED)
    (tmp_path / "my_pass.py").write_text(PASS)
    (tmp_path / "my_op.py").write_text(OPERATOR)
    monkeypatch.chdir(tmp_path)
    return tmp_path


Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Makes distributions with entry points: install("name", {"group": {"entry": "value"}})."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    used: list[entries.Entry] = []

    def make(name: str, groups: dict[str, dict[str, str]], **modules: str) -> None:
        folder = site / f"{name.replace('-', '_')}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = []
        for group, table in groups.items():
            lines += [f"[ge_opt.{group}]", *(f"{k} = {v}" for k, v in table.items()), ""]
        (folder / "entry_points.txt").write_text("\n".join(lines))
        for module, text in modules.items():
            (site / f"{module}.py").write_text(text)
        entries.rescan()
        used.extend(e for e in entries.all_entries() if e not in used)

    yield make
    for entry in used:
        journal.forget(entry.source)
        entries._values.pop(entry, None)
        sys.modules.pop(entry.value.partition(":")[0], None)
    monkeypatch.undo()
    entries.rescan()


# ------------------------------------------------------------------------------------- --load


def test_pass_pattern_and_report(tool: Any, net: Path) -> None:
    done = tool("ge-opt", "net.mlir", "--load=my_pass.py", "-p", "relu-once{fault=none},cse")
    assert done.status == 0, done.err
    assert done.out.decode().count("ge.Relu") == 1
    done = tool("ge-opt", "net.mlir", "--load=my_pass.py", "-p", "drop-second-relu")
    assert done.out.decode().count("ge.Relu") == 1
    listed = tool("ge-opt", "--list-passes", "--load=my_pass.py").out.decode()
    assert "Remove a Relu whose input is a Relu. [my_pass.py]" in listed
    assert "relu(relu(x)) is relu(x). [my_pass.py]" in listed
    assert tool("ge-opt", "net.mlir", "-p", "relu-once").status == 2  # nothing stays


def test_joins_its_stage(tool: Any, net: Path) -> None:
    command = ("ge-opt", "net.mlir", "--load=my_pass.py", "-p", "ge-default", "--stop-after=fuse")
    assert tool(*command).out.decode().count("ge.Relu") == 2
    done = tool(*command, "--enable-pass=relu-once", "--json-report=r.json")
    assert done.out.decode().count("ge.Relu") == 1
    ran = [p["pass"] for p in json.loads((net / "r.json").read_text())["parts"][0]["passes"]]
    assert ran[-1] == "relu-once"
    whole = tool("ge-opt", "net.mlir", "--load=my_pass.py", "-p", "ge-default",
                 "--enable-pass=relu-once", "--json-report=r.json")  # fmt: skip
    assert whole.status == 0
    ran = [p["pass"] for p in json.loads((net / "r.json").read_text())["parts"][0]["passes"]]
    assert "relu-once" in ran  # a stage inside a named pipeline


def test_operator_in_every_tool(tool: Any, net: Path) -> None:
    load = "--load=my_op.py"
    done = tool("ge-opt", "capped.mlir", load, "-p", "halving", "--validate=each")
    assert done.status == 0, done.err
    assert "ge.Halve" in done.out.decode()
    assert tool("ge-opt", "--show-dialects", load).out.decode().endswith("ge.Halve [my_op.py]\n")
    assert "for the test [my_op.py]" in tool("ge-opt", "--list-pipelines", load).out.decode()
    done = tool("ge-run", "capped.mlir", load, "--random-inputs=0", "--check=1e-6")
    assert done.status == 0, done.err
    assert tool("ge-translate", "capped.mlir", load).status == 0
    done = tool("ge-opt", "capped.mlir", "-p", "cse")
    assert (done.status, b"GX-112" in done.err) == (1, True)


def test_reduce_keeps_it(tool: Any, net: Path) -> None:
    done = tool("ge-reduce", "net.mlir", "--load=my_pass.py", "-p", "cse,relu-once{fault=raise}")
    assert done.status == 0, done.err
    command = shlex.split(done.out.decode().splitlines()[-1].partition("reproduce: ")[2])
    assert "--load=my_pass.py" in command
    assert tool(*command).status == 70


def test_validation_and_bisection(tool: Any, net: Path) -> None:
    command = ("ge-opt", "net.mlir", "--load=my_pass.py", "-p", "cse,relu-once{fault=wrong}")
    done = tool(*command, "--validate=each", "--reproducer-dir=r")
    assert done.status == 4
    (path,) = (net / "r").iterdir()
    assert tool("ge-opt", "--run-reproducer", str(path)).status == 4
    done = tool(*command, "--bisect")
    assert done.status == 4
    assert b"first bad pass: relu-once{fault=wrong} (pass 2 of 2)" in done.out


@pytest.mark.parametrize(
    ("fault", "status"), [("raise", 70), ("spin", 70), ("invalid", 3)], ids=str
)
def test_faults_are_named_and_reproduced(tool: Any, net: Path, fault: str, status: int) -> None:
    done = tool(
        "ge-opt", "net.mlir", "--load=my_pass.py", "-p", f"relu-once{{fault={fault}}}",
        "--reproducer-dir=r", f"--pass-timeout={0.2 if fault == 'spin' else 60}",
    )  # fmt: skip
    assert done.status == status
    assert b"'relu-once'" in done.err.splitlines()[0]
    (path,) = (net / "r").iterdir()
    assert str(net / "my_pass.py") in path.read_text()
    again = tool("ge-opt", "--run-reproducer", str(path))
    assert again.status == status
    first, second = (d.err.decode().splitlines()[0].split(": ", 1)[-1] for d in (done, again))
    assert first == second
    small = tool("ge-reduce", str(path), "-o", "small.mlir", "--timeout=0.3")
    assert small.status == 0, small.err


def test_a_moved_file_can_be_given_again(tool: Any, net: Path) -> None:
    fault = "relu-once{fault=raise}"
    tool("ge-opt", "net.mlir", "--load=my_pass.py", "-p", fault, "--reproducer-dir=r")
    (path,) = (net / "r").iterdir()
    (net / "moved").mkdir()
    (net / "my_pass.py").rename(net / "moved" / "my_pass.py")
    done = tool("ge-opt", "--run-reproducer", str(path))
    assert (done.status, b"GX-001" in done.err) == (1, True)
    done = tool("ge-opt", "--run-reproducer", str(path), "--load=moved/my_pass.py")
    assert done.status == 70


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("x = (", "GX-025", "f.py:1:5: error: GX-025: f.py cannot be loaded: '(' was never closed"),
        ("\n\nraise ValueError('oh')", "GX-025", "f.py:3: error: GX-025: f.py cannot be loaded"),
        ("import nothing_of_that_name", "GX-025", "ModuleNotFoundError"),
        ("import sys\nsys.exit(0)", "GX-025", "f.py:2"),
        (PASS.replace("relu-once", "prune"), "GX-025", "pass name 'prune' is taken by passes."),
        (PASS.replace("relu-once", "cse"), "GX-025", "is a pipeline or another name of a pass"),
        (PASS.replace("@dataclass(frozen=True)\n", ""), "GX-025", "ReluOnce has options (fault)"),
        (OPERATOR.replace("Halve", "Relu"), "GX-025", "already"),
        (OPERATOR.replace("ge.Halve", "Halve"), "GX-025", "f.py"),
    ],
)
def test_a_broken_file_leaves_nothing(
    tool: Any, net: Path, text: str, code: str, said: str
) -> None:
    (net / "f.py").write_text(OPERATOR.replace("Halve", "Other") + text if "sys" in text else text)
    done = tool("ge-opt", "net.mlir", "--load=f.py", "-p", "cse")
    assert (done.status, done.out) == (1, b"")
    assert code in done.err.decode()
    assert said.split(":")[-1].strip() in done.err.decode()
    assert "f.py" in done.err.decode().splitlines()[0]


@pytest.mark.parametrize("name", ["nothing.py", "net.mlir", "."])
def test_what_is_no_python_file(tool: Any, net: Path, name: str) -> None:
    done = tool("ge-opt", "net.mlir", f"--load={name}", "-p", "cse")
    assert (done.status, b"GX-001" in done.err) == (1, True)


def test_from_python(net: Path) -> None:
    held = passes.load("my_pass.py")
    assert held.names == [("pass", "relu-once"), ("pass", "drop-second-relu")]
    assert passes.load("my_pass.py") is held
    (net / "my_pass.py").write_text(PASS.replace("relu-once", "relu-first"))
    passes.load("my_pass.py")
    assert "relu-once" not in known.PASSES
    assert "relu-first" in known.PASSES
    passes.unload("my_pass.py")
    passes.unload("my_pass.py")
    assert "relu-first" not in known.PASSES


def test_everything_registered_is_taken_back(net: Path) -> None:
    (net / "f.py").write_text(
        "from ge_dialect.importers.onnx_rules import rule\n"
        "from ge_dialect.ir.merge import MergePolicy, declare_policy\n"
        "from ge_dialect.ops.registry import register_op\n"
        "from ge_dialect.target.registered import OpTarget, register_target\n"
        "from passes.analysis import register_analysis\n"
        "from passes.testing.rules import hint\n"
        "register_op({'name': 'Twist', 'in': 'x: T', 'out': 'y: T', 'types': {'T': 'float32'}})\n"
        "register_target('Twist', OpTarget('shared T>T T=f32'))\n"
        "declare_policy('ge.twist', MergePolicy.DROP)\n"
        "def count(module, ctx):\n    return 0\n"
        "register_analysis('twists', count)\n"
        "@hint('Twist')\ndef twist(scope, call):\n    return None\n"
        "@rule('com.example.Twist', since='1')\n"
        "def of_onnx(n):\n    return n.emit('Twist', [n.x()])\n"
    )
    from ge_dialect.importers.onnx_rules import known_revisions
    from ge_dialect.ir.merge import POLICIES
    from passes.analysis import ANALYSES
    from passes.testing.rules import HINTS

    def there() -> list[bool]:
        tables: tuple[Any, ...] = (POLICIES, ANALYSES, HINTS, target._table, ops._user)
        names = ("ge.twist", "twists", "Twist", "Twist", "Twist")
        found = [n in t for n, t in zip(names, tables, strict=True)]
        return [*found, bool(known_revisions("com.example.Twist"))]

    passes.load("f.py")
    assert there() == [True] * 6
    passes.unload("f.py")
    assert there() == [False] * 6


def test_files_may_import_each_other(tool: Any, net: Path) -> None:
    (net / "helper_of_mine.py").write_text("LIMIT = 3\n")
    (net / "f.py").write_text("from helper_of_mine import LIMIT\n" + PASS)
    assert tool("ge-opt", "net.mlir", "--load=f.py", "-p", "relu-once").status == 0
    sys.modules.pop("helper_of_mine", None)


# ------------------------------------------------------------------------------- entry points


def test_installed_pass_is_found_and_only_it_is_imported(
    tool: Any, net: Path, install: Install
) -> None:
    install(
        "demo",
        {"passes": {"relu-once": "demo_pass:ReluOnce"}, "patterns": {"relu-pair": "demo_broken"}},
        demo_pass=PASS,
        demo_broken="raise RuntimeError('broken on purpose')",
    )
    done = tool("ge-opt", "net.mlir", "-p", "relu-once")
    assert done.status == 0, done.err
    assert done.out.decode().count("ge.Relu") == 1
    assert "demo_broken" not in sys.modules
    done = tool("ge-opt", "net.mlir", "-p", "relu-pair")
    assert (done.status, done.err.decode().splitlines()[0]) == (
        1,
        "error: GX-020: plug-in demo 1.0: pattern 'relu-pair' cannot be loaded from demo_broken",
    )
    assert b"RuntimeError: broken on purpose" in done.err
    listed = tool("ge-opt", "--list-passes").out.decode()
    assert "Remove a Relu whose input is a Relu. [demo 1.0]" in listed
    assert "broken plug-ins:\n  relu-pair" in listed
    done = tool("ge-opt", "--list-plugins")
    assert done.status == 0
    assert "patterns   relu-pair                    demo_broken (broken)" in done.out.decode()
    assert "warning: GX-020" in done.err.decode()
    done = tool("ge-opt", "net.mlir", "-p", "relu-twice")
    assert b"did you mean 'relu-once'" in done.err


@pytest.mark.parametrize(
    ("fault", "status"), [("raise", 70), ("spin", 70), ("invalid", 3)], ids=str
)
def test_faults_of_an_installed_pass(
    tool: Any, net: Path, install: Install, fault: str, status: int
) -> None:
    install("demo", {"passes": {"relu-once": "demo_pass:ReluOnce"}}, demo_pass=PASS)
    done = tool(
        "ge-opt", "net.mlir", "-p", f"relu-once{{fault={fault}}}", "--reproducer-dir=r",
        f"--pass-timeout={0.2 if fault == 'spin' else 60}",
    )  # fmt: skip
    assert done.status == status
    assert b"'relu-once'" in done.err.splitlines()[0]
    (path,) = (net / "r").iterdir()
    again = tool("ge-opt", "--run-reproducer", str(path))
    assert again.status == status
    first, second = (d.err.decode().splitlines()[0].split(": ", 1)[-1] for d in (done, again))
    assert first == second
    # where the package is not installed
    for entry in entries.all_entries():
        journal.forget(entry.source)
    (net / "site" / "demo-1.0.dist-info" / "entry_points.txt").unlink()
    entries.rescan()
    done = tool("ge-opt", "--run-reproducer", str(path))
    assert done.status == 2
    assert b"hint: it was written with demo 1.0 installed" in done.err


RUDE = """
import gc, os, signal, sys
gc.disable()
os.chdir("/")
sys.setrecursionlimit(500)
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("hello")
"""


@pytest.mark.parametrize("end", ["", "raise ValueError", "sys.exit()", "while True: pass"])
def test_loading_leaves_the_process_alone(
    tool: Any, net: Path, install: Install, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gc
    import os
    import signal

    from passes import plugins

    monkeypatch.setattr(plugins, "LOAD_TIMEOUT", 0.2 if "while" in end else 60.0)

    def process() -> tuple[Any, ...]:
        handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)
        return gc.isenabled(), os.getcwd(), sys.getrecursionlimit(), handlers, sys.stdout

    (net / "f.py").write_text(RUDE + end)
    install("demo", {"passes": {"relu-once": "demo_pass:ReluOnce"}}, demo_pass=RUDE + end)
    before = process()[:-1]
    for command in (["--load=f.py", "-p", "cse"], ["-p", "relu-once"]):
        done = tool("ge-opt", "net.mlir", *command)
        assert process()[:-1] == before
        assert b"hello" not in done.out
        assert b"hello" in done.err
        fails = bool(end) or command[-1] == "relu-once"
        assert done.status == int(fails), done.err
        if "while" in end:
            assert b"GX-025" in done.err
            assert b"took longer than 0.2 s" in done.err


def test_operator_and_all_it_has(tool: Any, net: Path, install: Install) -> None:
    text = OPERATOR.replace('@semantics("Halve")\n', "").replace("register_pipeline(", "dict(a=(")
    text = (
        text.replace('"for the test")', '""))') + 'FACTS = OpTarget("shared T>T T=f32", "norm")\n'
    )
    names = {"operators": "Halve", "semantics": "halve", "targets": "FACTS"}
    groups = {g: {"Halve": f"demo_op:{n}"} for g, n in names.items()}
    install("demo", {**groups, "kernels": {"Halve": "demo_op"}}, demo_op=text)
    done = tool("ge-run", "capped.mlir", "--random-inputs=0", "--check=1e-6", "--op-summary=s.csv")
    assert done.status == 0, done.err
    row = next(r for r in (net / "s.csv").read_text().splitlines() if "Halve" in r)
    assert "AI_CORE" in row or "AI_VECTOR" in row
    assert tool("ge-opt", "--show-dialects").out.decode().endswith("ge.Halve [demo 1.0]\n")


@pytest.mark.parametrize(
    ("groups", "module", "use", "code", "said"),
    [
        ({"passes": {"p": "demo:Missing"}}, "", "p", "GX-020", "no attribute 'Missing'"),
        ({"passes": {"p": "demo:x"}}, "x = 3", "p", "GX-021", "it gives 3, no pass class"),
        ({"passes": {"p": "demo:ReluOnce"}}, PASS, "p", "GX-021", "the pass is called 'relu-once'"),
        ({"patterns": {"p": "demo:x"}}, "x = 3", "p", "GX-021", "no pattern"),
        ({"pipelines": {"p": "demo"}}, "", "p", "GX-020", "no package demo"),
        ({"passes": {"p": "demo:x"}}, "import sys; sys.exit(3)", "p", "GX-020", "SystemExit: 3"),
        ({"passes": {"p": "demo:x"}}, "x = (", "p", "GX-020", "SyntaxError"),
    ],
)
def test_wrong_entries(
    tool: Any, net: Path, install: Install, groups: Any, module: str, use: str, code: str, said: str
) -> None:
    install("demo", groups, demo=module)
    done = tool("ge-opt", "net.mlir", "-p", use)
    assert done.status == 1, done.err
    assert done.err.decode().startswith(f"error: {code}: plug-in demo 1.0: ")
    assert said in done.err.decode()
    assert tool("ge-opt", "net.mlir", "-p", "cse").status == 0


@pytest.mark.parametrize(
    ("group", "name", "module", "ask"),
    [
        ("operators", "Halve", "Halve = 3", lambda: ops.op_class("Halve")),
        ("semantics", "Halve", "Halve = 3", lambda: meanings.lookup("Halve")),
        ("targets", "Halve", "Halve = 3", lambda: target.target_of("Halve")),
    ],
)
def test_wrong_values(install: Install, group: str, name: str, module: str, ask: Any) -> None:
    install("demo", {group: {name: f"demo:{name}"}}, demo=module)
    with pytest.raises(GeError) as caught:
        ask()
    assert caught.value.diagnostics[0].code == "GX-021"
    assert "plug-in demo 1.0" in str(caught.value)


def test_names_given_twice_or_taken(tool: Any, net: Path, install: Install) -> None:
    install("one", {"passes": {"relu-once": "demo:ReluOnce", "prune": "demo:ReluOnce"}}, demo=PASS)
    install("two", {"passes": {"relu-once": "demo:ReluOnce"}, "pass": {"x": "demo:x"}})
    done = tool("ge-opt", "net.mlir", "-p", "relu-once")
    assert done.status == 1
    assert b"GX-022: plug-ins one 1.0 and two 1.0 both have a pass 'relu-once'" in done.err
    assert tool("ge-opt", "net.mlir", "-p", "prune").status == 0  # ours
    done = tool("ge-opt", "--list-passes")
    assert done.status == 0
    assert b"GX-022" in done.err
    said = done.err.decode()
    assert "GX-023: plug-in one 1.0: pass 'prune' has a name that is taken, and is not used" in said
    assert "GX-024: plug-in two 1.0: there is no entry point group 'ge_opt.pass'" in said
    assert "did you mean 'ge_opt.passes'?" in said


def test_pipeline_and_soc_files(tool: Any, net: Path, install: Install) -> None:
    from ge_dialect.target.soc_file import FOLDER, load_soc

    install(
        "demo",
        {"pipelines": {"tidy": "demo_data", "bad": "demo_data"}, "socs": {"Mini": "demo_data"}},
    )
    data = net / "site" / "demo_data"
    data.mkdir()
    (data / "__init__.py").write_text("raise RuntimeError('never imported')")
    (data / "tidy.toml").write_text('version = 1\ntitle = "Tidy up"\npasses = ["cse", "prune"]\n')
    (data / "bad.toml").write_text("version = 9\n")
    soc = (FOLDER / "ascend910b2.toml").read_text().replace("Ascend910B2", "Mini")
    (data / "mini.toml").write_text(soc)
    assert tool("ge-opt", "net.mlir", "-p", "tidy").status == 0
    done = tool("ge-opt", "net.mlir", "-p", "bad")
    assert done.err.decode().startswith("error: GX-021: plug-in demo 1.0: pipeline 'bad' is wrong")
    listed = tool("ge-opt", "--list-pipelines").out.decode()
    assert "Tidy up [demo 1.0]" in listed
    assert load_soc("Mini").name == "Mini"
    done = tool("ge-opt", "net.mlir", "-p", "tidy", "--soc=Maxi")
    assert b"Ascend910B2, Mini" in done.err


def test_generators_do_not_depend_on_what_is_installed(install: Install) -> None:
    from passes.testing import random_spec

    before = [random_spec(seed) for seed in range(5)]
    install("demo", {"operators": {"Halve": "demo_op:Halve"}}, demo_op=OPERATOR)
    assert "Halve" not in ops.op_names()
    assert [random_spec(seed) for seed in range(5)] == before


def test_pages_say_where_a_pass_is_from(net: Path) -> None:
    from passes.docgen import page_text, pass_page

    before = page_text()
    passes.load("my_pass.py")
    assert "\nFrom: my_pass.py.\n" in pass_page("relu-once")
    passes.unload("my_pass.py")
    assert page_text() == before


# ---------------------------------------------------------------------------------- start-up


def test_nothing_is_scanned_until_it_is_needed() -> None:
    code = (
        "import sys\nfrom passes.tools.ge_opt import main\n"
        "from ge_dialect.plugins import entries\n"
        "entries._installed = lambda: sys.exit('scanned')\n"
        "main(['--help'])\n"
        "assert not {'numpy', 'xdsl', 'importlib.metadata'} & set(sys.modules)\n"
        "status = main(['-', '-p', 'cse,prune'])\n"
        "assert 'numpy' not in sys.modules\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=NET, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
