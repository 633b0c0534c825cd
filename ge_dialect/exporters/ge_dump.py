"""Models become GE's dumps: `export_dump`.

A graph that came from a dump and was not changed gives the dump it came from; what passes changed
or made is written as GE would write it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute

from ge_dialect.diagnostics import Diagnostic, GeError, user_error
from ge_dialect.exporters.ge_graph import GraphWriter
from ge_dialect.importers.ge_attrs import from_map, from_message_attr
from ge_dialect.importers.ge_graphs import symbol
from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_nodes import RECORD
from ge_dialect.importers.ge_types import BadDescriptor, desc_type
from ge_dialect.ir.graph import GraphOp, module_graphs
from ge_dialect.ir.taken_names import TakenNames

if TYPE_CHECKING:
    from ge_dialect.api import Model

#: What `--to` takes, and the end of the file's name.
FORMATS = {"ge-proto": ".txt", "ge-onnx": ".pbtxt", "om-json": ".json"}
#: Levels of detail: 1 with the bytes of constants, 2 without, 3 small.
LEVELS = (1, 2, 3)


class Tables:
    """What the records of nodes point into, and the weights."""

    def __init__(self, model: Model, payload: bool) -> None:
        held = model.module.attributes.get(RECORD)
        self.record: dict[str, Attribute] = (
            dict(held.data) if isinstance(held, DictionaryAttr) else {}
        )
        self.store = model.weights
        self.payload = payload
        self.problems: dict[str, list[str]] = {}
        self.descs: list[tuple[Msg, Attribute | None]] = []
        for item in _list(self.record.get("descs")):
            try:
                msg = from_message_attr(item, "TensorDescriptor")
                self.descs.append((msg, _type_of(msg)))
            except (ValueError, AttributeError, KeyError):
                self.descs.append((Msg("TensorDescriptor"), None))
        self.metas: list[dict[str, Msg]] = []
        for item in _list(self.record.get("metas")):
            try:
                self.metas.append(from_map(item))
            except ValueError:
                self.metas.append({})

    def refuse(self, reason: str, node: str) -> None:
        """Record something that GE has no form for."""
        self.problems.setdefault(reason, []).append(node)

    def raise_problems(self) -> None:
        """Raise `GeError` GX-353 with everything that could not be written."""
        if self.problems:
            raise GeError(
                [
                    Diagnostic("GX-353", reason, node=", ".join(nodes[:6]))
                    for reason, nodes in self.problems.items()
                ]
            )


def _list(attr: Attribute | None) -> tuple[Attribute, ...]:
    return attr.data if isinstance(attr, ArrayAttr) else ()


def _type_of(msg: Msg) -> Attribute | None:
    try:
        return desc_type(msg)
    except BadDescriptor:
        return None


def model_message(model: Model, *, payload: bool = True) -> Msg:
    """The ModelDef of a model, or the GraphDef where it came as one.

    payload: whether constants get their bytes. Raises `GeError` GX-353 for what GE has no form for.
    """
    tops = module_graphs(model.module)
    if not tops:
        raise user_error(
            "GX-353",
            "only graphs can be exported",
            found=", ".join({op.name for op in model.module.body.block.ops}) or "nothing",
            expected="ge.graph",
        )
    tables = Tables(model, payload)
    taken = TakenNames(_graph_name(t) for t in tops)
    graphs: list[Msg] = []
    for top in tops:
        graphs += GraphWriter(tables, taken).top(top, _graph_name(top))
    tables.raise_problems()
    head = tables.record.get("model")
    if head is None and "kind" in tables.record and len(graphs) == 1:
        if tables.record["kind"] == StringAttr("ge-proto"):
            return graphs[0]
    try:
        out = from_message_attr(head, "ModelDef") if head is not None else Msg("ModelDef")
    except ValueError:
        out = Msg("ModelDef")
    if head is None:
        out.f["name"] = graphs[0].get("name", "")
    out.f["graph"] = graphs
    return out


def _graph_name(top: GraphOp) -> str:
    """The name a dump gave the graph, unless it was renamed since."""
    held = top.attributes.get(RECORD)
    name = held.data.get("name") if isinstance(held, DictionaryAttr) else None
    own = top.sym_name.data
    if not isinstance(name, StringAttr):
        return own
    made = symbol(name.data, TakenNames())
    return name.data if own == made or own.startswith(made + "_") else own


def export_dump(model: Model, to: str = "ge-proto", *, level: int = 1) -> str:
    """The text of a dump of the model.

    to: "ge-proto", "ge-onnx" or "om-json". level: 1 with the bytes of constants, 2 without them,
    3 (of ge-onnx) without attributes and descriptors, as GE's DUMP_GE_GRAPH. Raises `GeError`
    GX-353 for what GE has no form for.
    """
    msg = model_message(model, payload=level == 1)
    if to == "ge-onnx":
        from ge_dialect.exporters.ge_onnx import to_onnx
        from ge_dialect.importers.ge_print import print_text

        return print_text(to_onnx(msg, model, level))
    if to == "om-json":
        from ge_dialect.importers.ge_json import message_to_json, print_json

        if msg.type == "GraphDef":
            msg = Msg("ModelDef", -1, {"name": msg.get("name", ""), "graph": [msg]})
        return print_json(message_to_json(msg)) + "\n"
    from ge_dialect.importers.ge_print import print_text

    return print_text(msg)
