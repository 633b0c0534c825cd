"""GE's dumps become models: `import_dump`.

ModelDef and GraphDef text (`ge_proto_*.txt`), `ge_onnx_*.pbtxt`, the JSON that ATC makes of an om,
and single-operator JSON. What the IR has no place for stays in `ge.dump` attributes, so that an
unchanged model is exported as it came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute

from ge_dialect.diagnostics import Diagnostic, DiagnosticSink, GeError
from ge_dialect.importers.ge_attrs import message_attr
from ge_dialect.importers.ge_graphs import GraphTable, import_graph
from ge_dialect.importers.ge_message import Msg, Source
from ge_dialect.importers.ge_nodes import RECORD, Shared
from ge_dialect.importers.ge_sniff import KINDS, dump_kind
from ge_dialect.importers.ge_text import read_text, top_field
from ge_dialect.ir.batches import together
from ge_dialect.ir.build import module
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.weights.store import WeightStore

if TYPE_CHECKING:
    from ge_dialect.api import Model


def import_dump(
    text: str,
    *,
    label: str = "<string>",
    kind: str | None = None,
    name: str | None = None,
    sink: DiagnosticSink | None = None,
) -> Model:
    """A model from the text of a dump; `kind` is sniffed where not given.

    name: of the first graph, by default the one in the dump. sink: takes warnings. Constants
    without bytes become abstract weights. Raises `GeError` with everything that is wrong at once,
    each with line and column: GX-340 (no such text), GX-341 and GX-342 (fields), GX-343 (names),
    GX-344 and GX-345 (edges), GX-346 (descriptors), GX-347 and GX-348 (sub-graphs).
    """
    kind = kind or dump_kind(text)
    source = Source(text, label)
    if kind is None:
        source.error("GX-340", "the text is no dump of GE", 0, expected=", ".join(KINDS))
        source.raise_problems()
    sink = sink or DiagnosticSink()
    pairs: list[Any] = []
    model_msg, extra = _read(source, kind or "", text, pairs)
    syntax = [d for d in source.problems if d.code == "GX-340"]
    if syntax or source.full or model_msg is None:
        source.raise_problems()
    assert model_msg is not None
    shared = Shared(source, sink, WeightStore())
    if pairs:
        _remember_nodes(shared, pairs)
    with together():
        built = import_model(shared, model_msg, name)
    source.raise_problems()
    assert built is not None
    record: dict[str, Attribute] = {"kind": StringAttr(kind or ""), **extra}
    rest = {k: v for k, v in model_msg.f.items() if k != "graph"}
    if model_msg.type == "ModelDef":
        record["model"] = message_attr(Msg("ModelDef", -1, rest))
    record.update(shared.tables())
    built.attributes[RECORD] = DictionaryAttr(record)
    shared.twice = _variables_twice(model_msg)
    _warn(shared, label)
    from ge_dialect.api import Model as ModelClass

    return ModelClass(built, shared.store)


def _remember_nodes(shared: Shared, pairs: list[Any]) -> None:
    """What nodes of a ge_onnx file have that an export would write otherwise."""
    from ge_dialect.exporters.ge_onnx import onnx_node
    from ge_dialect.importers.ge_onnx import delta

    for op, node, used in pairs:
        found = delta(onnx_node(op, used), node)
        if found is not None:
            shared.onnx[id(op)] = found


def _read(
    source: Source, kind: str, text: str, pairs: list[Any]
) -> tuple[Msg | None, dict[str, Attribute]]:
    if kind == "single-op":
        from ge_dialect.importers.ge_single_op import read_single_ops

        return read_single_ops(source), {}
    if kind == "om-json":
        from ge_dialect.importers.ge_json import parse_json, read_json

        value = parse_json(source)
        return (None, {}) if source.problems else (read_json(source, "ModelDef", value), {})
    if kind == "ge-onnx":
        from ge_dialect.importers.ge_onnx import from_onnx

        msg, extra, found = from_onnx(source, read_text(source, "OnnxModel"))
        pairs += found
        return msg, extra
    return read_text(source, text_root(text)), {}


def text_root(text: str) -> str:
    """The message of a ge_proto text: GraphDef where operators stand outside of any graph."""
    return "GraphDef" if top_field(text, ("op", "graph")) == "op" else "ModelDef"


def import_model(shared: Shared, msg: Msg, name: str | None) -> ModuleOp | None:
    """All graphs of a ModelDef or GraphDef; None where something is wrong."""
    source = shared.source
    listed = [msg] if msg.type == "GraphDef" else msg.many("graph")
    if not listed:
        source.error("GX-342", "the dump holds no graph", 0)
        return None
    graphs: dict[str, tuple[Msg, int]] = {}
    names: list[str] = []
    for i, graph in enumerate(listed):
        pos = graph.pos if msg.type == "GraphDef" else msg.place("graph", i)
        given = graph.get("name", "")
        if given in graphs:
            source.error_in(
                "GX-343",
                f"two graphs are called {given!r}",
                graph,
                "name",
                hint=f"the first one is at {source.where(graphs[given][1])}",
            )
            continue
        graphs[given] = (graph, pos)
        names.append(given)
    if not source.problems:
        _functionalise(graphs, names)
    table = GraphTable(shared, graphs)
    table.link()
    taken = TakenNames()
    made = []
    # the first graph is the root; those that no node of it or of a body owns stand beside it
    pending = _roots_first(graphs, names)
    for graph_name in pending:
        if graph_name in table.owned:
            continue
        first = not made
        top = import_graph(table, graphs[graph_name][0], graph_name, taken)
        if top is None or source.full:
            if source.full:
                return None
            continue
        if first and name is not None:
            top.properties["sym_name"] = StringAttr(name)
        made.append((graph_name, top))
    return module([top for n, top in made if n not in table.owned])


def _functionalise(graphs: dict[str, tuple[Msg, int]], names: list[str]) -> None:
    """Loops and branches of TensorFlow 1 become While and If, innermost graphs last."""
    from ge_dialect.importers.ge_v1 import functionalise

    taken = TakenNames(graphs)
    for graph_name in list(graphs):
        msg, pos = graphs[graph_name]
        msg, made = functionalise(msg, taken)
        graphs[graph_name] = (msg, pos)
        for inner, graph in made.items():
            graphs[inner] = (graph, graph.pos)
            names.append(inner)


def _roots_first(graphs: dict[str, tuple[Msg, int]], names: list[str]) -> list[str]:
    """The graphs that no node names as its own, in order, then the others."""
    named = {s for g, _ in graphs.values() for op in g.many("op") for s in op.many("subgraph_name")}
    roots = [n for n in names if n not in named]
    return [*roots, *(n for n in names if n in named)]


def _variables_twice(msg: Msg) -> list[str]:
    """Names of variables that stand in several graphs."""
    seen: dict[str, int] = {}
    for graph in [msg] if msg.type == "GraphDef" else msg.many("graph"):
        for op in graph.many("op"):
            if op.get("type") == "Variable":
                seen[op.get("name", "")] = seen.get(op.get("name", ""), 0) + 1
    return [name for name, count in seen.items() if count > 1]


def _warn(shared: Shared, label: str) -> None:
    """One warning a subject."""
    warn = shared.sink.emit
    for type_, (reason, nodes) in shared.misfits.items():
        warn(
            Diagnostic(
                "GX-349",
                f"{len(nodes)} {type_} became ge.Opaque: {reason}",
                "warning",
                location=label,
                node=_listed(nodes),
            )
        )
    subjects = (
        (
            shared.ordered,
            "GX-350",
            "effects that nothing orders now follow the order of the nodes",
            None,
        ),
        (
            shared.unequal,
            "GX-351",
            "the two ends of an edge have types of different size; the first one counts",
            "node:input",
        ),
        (
            shared.twice,
            "GX-354",
            "variables of one name in different graphs are one in GE and different ones here",
            None,
        ),
        (
            shared.partial,
            "GX-352",
            "constants have bytes that are not those of their type; they are kept, not used",
            None,
        ),
    )
    for nodes, code, message, _ in subjects:
        if nodes:
            warn(Diagnostic(code, message, "warning", location=label, node=_listed(nodes)))


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:6])
    return shown + (f" and {len(names) - 6} more" if len(names) > 6 else "")


__all__ = ["KINDS", "GeError", "dump_kind", "import_dump", "import_model", "text_root"]
