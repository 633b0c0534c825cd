"""The library as a whole: every class can be made, no name clashes, all data is well formed."""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from xdsl.irdl import IRDLOperation

from ge_dialect.dtypes import expand_spec
from ge_dialect.infer.node import check_op, infer_op
from ge_dialect.ir.base import REQUIRED, GeOp
from ge_dialect.ir.build import build
from ge_dialect.ir.effects import EffectKind
from ge_dialect.ir.graph import new_graph
from ge_dialect.ir.kinds import KINDS
from ge_dialect.ir.types import ref_type, tensor_type
from ge_dialect.ops import docgen, registry
from ge_dialect.ops._index import MODULES
from ge_dialect.ops.from_data import KEYS, RULES, parse_effects, parse_slots
from ge_dialect.ops.indexgen import INDEX, index_text
from ge_dialect.ops.registry import op_class, op_names

NAMES = sorted(MODULES)
TAIL = [n for n in NAMES if MODULES[n].startswith("tail.")]


def entry(name):
    return import_module(f"ge_dialect.ops.{MODULES[name]}").OPS[name]


@pytest.mark.parametrize("name", NAMES)
def test_class(name):
    cls = op_class(name)
    assert issubclass(cls, GeOp)
    assert cls.name == f"ge.{name}"
    assert cls.__doc__
    table = cls.ge_table()
    inputs, outputs = [s.name for s in table.inputs], [s.name for s in table.outputs]
    assert len(set(inputs)) == len(inputs)
    assert len(set(outputs)) == len(outputs)
    # an output may have the name of an input (a ref), an attribute may not
    assert not set(table.attrs) & {*inputs, *outputs}
    for slot in (*table.inputs, *table.outputs):
        spec = table.types.get(slot.dtypes, slot.dtypes)
        assert expand_spec(spec), f"{slot.name}: {spec}"
    for symbol in table.types:
        assert any(s.dtypes == symbol for s in (*table.inputs, *table.outputs)), symbol
    for effect_input in (*cls.EFFECTS.reads, *cls.EFFECTS.writes):
        assert table.inputs[table.input_index(effect_input)].is_ref or (
            table.inputs[table.input_index(effect_input)].is_any
        )
    for a in table.attrs.values():
        if a.default is not None:
            assert a.kind.accepts(a.default)
            assert a.kind.to_attr(a.kind.to_python(a.default)) == a.default


@pytest.mark.parametrize("name", NAMES)
def test_no_name_hides_a_member_of_the_base_class(name):
    cls = op_class(name)
    table = cls.ge_table()
    d = cls.get_irdl_definition()
    fields = [f for f, _ in (*d.operands, *d.results, *d.regions)]
    fields += [*d.properties, *(s.name for s in table.inputs), *table.attrs]
    fields += [s.name for s in table.outputs]
    allowed = {"ge_ctrl_in", "ge_ctrl_out", "operandSegmentSizes", "resultSegmentSizes"}
    for field in set(fields) - allowed:
        assert not field.startswith("ge_"), field
    # what the class itself defines: IRDL fields under Python names
    own = {f for c in cls.__mro__ if c not in GeOp.__mro__ for f in vars(c)}
    base = {f for c in GeOp.__mro__ for f in vars(c) if not f.startswith("__")}
    meant = {"name", "traits", "irdl_options", "ge_infer", "ge_body_types", "TYPES", "EFFECTS"}
    # what xDSL's decorator adds to every class
    meant |= {"get_irdl_definition", "verify_", "ge_ctrl_in", "ge_ctrl_out", "_abc_impl"}
    clash = {f for f in own & base if not f.startswith("__")} - meant
    assert not clash
    assert not any(keyword.iskeyword(f) for f in own)
    assert issubclass(cls, IRDLOperation)


@pytest.mark.parametrize("name", TAIL)
def test_entry(name):
    data = entry(name)
    assert set(data) <= KEYS
    assert data["doc"].endswith(".")
    slots = [*parse_slots(data.get("in", "")), *parse_slots(data.get("out", ""))]
    for slot in slots:
        expand_spec(data.get("types", {}).get(slot.dtypes, slot.dtypes))
    for _, kind, *default in data.get("attrs", ()):
        assert kind in KINDS
        if default and default[0] is not None:
            KINDS[kind].to_attr(default[0])
    assert data.get("infer") in (None, *RULES)
    parse_effects(data.get("effects", "pure"))


@pytest.mark.parametrize("name", TAIL)
def test_tail_nodes_can_be_built(name):
    """A node with all inputs, of the first dtype each takes, and inferred where there is a rule."""
    cls = op_class(name)
    table = cls.ge_table()

    def first(slot):
        spec = table.types.get(slot.dtypes, slot.dtypes)
        elem = sorted(expand_spec(spec), key=str)[0]
        tensor = tensor_type((2, 3), elem)
        return ref_type(tensor) if slot.is_ref else tensor

    types = [first(s) for s in table.inputs]
    g = new_graph("g", types)
    inputs = [[a] if s.kind == 1 else a for s, a in zip(table.inputs, g.args, strict=True)]
    attrs = {a.name: SAMPLE[a.kind.name] for a in table.attrs.values() if a.required}
    results = None if "infer" in entry(name) else [first(s) for s in table.outputs]
    node = build(name, inputs, attrs, result_types=results)
    assert not check_op(node)
    assert len(infer_op(node)) == len(node.ge_data_results)
    if results is None:
        assert not node.ge_dtype_problems()


SAMPLE = {
    "Int": 1,
    "Float": 1.0,
    "Bool": True,
    "String": "s",
    "ListInt": [1],
    "ListFloat": [1.0],
    "ListBool": [True],
    "ListString": ["s"],
    "ListListInt": [[1]],
    "Type": "float32",
    "ListType": ["float32"],
}


def test_the_index_is_up_to_date():
    assert INDEX.read_text(encoding="utf-8") == index_text(), (
        "run python -m ge_dialect.ops.indexgen"
    )


def test_only_operators_with_semantics_are_classes():
    families = {m for m in MODULES.values() if not m.startswith("tail.")}
    for family in families:
        path = Path(registry.__file__).parents[1] / "semantics" / f"{family}.py"
        assert path.exists(), path


def test_unknown_operators():
    assert not registry.has_op("Nothing")
    with pytest.raises(KeyError):
        op_class("Nothing")


def test_refs_of_updating_operators():
    for name in ("ApplyAdam", "ScatterUpdate", "Assign", "SGD", "BNTrainingUpdate"):
        cls = op_class(name)
        assert cls.EFFECTS.kind is EffectKind.STATE
        outputs = {s.name: s for s in cls.ge_table().outputs}
        for s in cls.ge_table().inputs:
            if s.name in outputs:
                assert s.is_ref
                assert outputs[s.name].is_ref


def test_a_keyword_is_renamed_in_python_only():
    table = op_class("SelectV2").ge_table()
    assert [s.name for s in table.inputs] == ["condition", "then", "else"]
    assert [s.field for s in table.inputs] == ["condition", "then", "else_"]


def test_optional_inputs_before_required_ones():
    cls = op_class("MoeFinalizeRouting")
    kinds = [s.kind for s in cls.ge_table().inputs]
    optional = kinds.index(2)
    assert REQUIRED in kinds[optional:]


SCALE = {
    "name": "MyScale",
    "doc": "x times a factor.",
    "in": "x: T; mask?: bool",
    "out": "y: T",
    "attrs": (("factor", "Float"), ("tag", "String", None)),
    "types": {"T": "float16, float32"},
    "infer": "same",
}


@pytest.fixture
def scale():
    cls = registry.register_op(SCALE)
    yield cls
    registry.unregister_op("MyScale")


def test_registered_operator(scale):
    assert "MyScale" in op_names()
    assert registry.op_family("MyScale") == "user"
    g = new_graph("g", [tensor_type((2,), op_dtype("float16"))])
    node = build("MyScale", [g.args[0]], {"factor": 2.0})
    assert node.results[0].type == g.args[0].type
    assert node.ge_attrs() == {"factor": 2.0, "tag": None}
    assert str(node).startswith("%0 = ge.MyScale(")
    with pytest.raises(ValueError, match="exists already"):
        registry.register_op(SCALE)


def op_dtype(name):
    (elem,) = expand_spec(name)
    return elem


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "my scale"}, "identifier"),
        ({"name": "Conv2D"}, "exists already"),
        ({"colour": 1}, "unknown key"),
        ({"in": "x"}, "expected 'name: dtypes'"),
        ({"in": "x!: T"}, "expected 'name: dtypes'"),
        ({"attrs": (("n", "Integer"),)}, "unknown kind"),
        ({"attrs": (("n", "Int", "one"),)}, "default of attribute n"),
        ({"effects": "writes"}, "unknown effects"),
        ({"infer": "guess"}, "unknown inference rule"),
        ({"in": "x&*: T"}, "cannot be"),
        ({"types": {"T": "float17"}}, "unknown dtype"),
        ({"in": "x: float17"}, "unknown dtype"),
    ],
)
def test_bad_descriptions(change, message):
    with pytest.raises(ValueError, match=message):
        registry.register_op({**SCALE, **change})
    assert not registry.has_op("MyScale")


def test_nothing_is_loaded_before_it_is_used():
    code = (
        "import sys, ge_dialect.ops.registry as r; assert r.has_op('Conv2D');"
        "assert 'xdsl' not in sys.modules;"
        "r.op_class('Relu');"
        "assert 'numpy' not in sys.modules and 'ge_dialect.ops.conv' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_reference_is_up_to_date():
    assert docgen.main(["--check"]) == 0, "run python -m ge_dialect.ops.docgen"


@pytest.mark.parametrize("name", [n for n in NAMES if n not in TAIL])
def test_core_operators_have_a_filecheck_test(name):
    folder = Path(__file__).parents[1] / "filecheck" / "ops"
    text = (folder / f"{MODULES[name]}.mlir").read_text(encoding="utf-8")
    assert re.search(rf"^ *// CHECK:.*\bge\.{name}\(", text, re.MULTILINE)
