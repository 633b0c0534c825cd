"""ONNX models become `ge.graph`: `import_onnx`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, SSAValue

from ge_dialect.diagnostics import Diagnostic, DiagnosticSink, GeError
from ge_dialect.importers.onnx_graph import (
    GraphImporter,
    Pending,
    Poisoned,
    Shared,
    declared_type,
)
from ge_dialect.importers.onnx_reader import check_model, dtype_name, read_model
from ge_dialect.importers.onnx_rules import OLDEST_OPSET
from ge_dialect.input_shapes import InputShapes, settle_shapes
from ge_dialect.ir.batches import together
from ge_dialect.ir.build import build, graph, module
from ge_dialect.ir.graph import SYMBOLS, GraphOp
from ge_dialect.ir.outputs import OUTPUT_NAMES
from ge_dialect.ir.types import elem_of, shape_of, tensor_type
from ge_dialect.ir.verify_node import value_type_problem
from ge_dialect.tools.common import input_name, read_input, require_package
from ge_dialect.weights.index import side_folders
from ge_dialect.weights.store import WeightStore

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, ValueInfoProto

    from ge_dialect.api import Model


def import_onnx(
    source: str | os.PathLike[str] | bytes | ModelProto,
    *,
    name: str | None = None,
    sink: DiagnosticSink | None = None,
    folder: str | os.PathLike[str] | Sequence[Path] | None = None,
    label: str | None = None,
    abstract_weights: bool = False,
    input_shapes: InputShapes | None = None,
) -> Model:
    """A model from an ONNX file ("-" is stdin), its bytes, or a `ModelProto`.

    name: of the graph, by default the one in the file. sink: takes warnings. folder: where external
    data lie, or several to look in; by default that of the file, and then that of the file it leads
    to where it is a symbolic link. Data outside are refused. label: what messages call the model.
    abstract_weights: constants beyond 64 elements get a type and no bytes, and external data need
    not exist; such a model can be compiled and timed, not evaluated. input_shapes: for inputs with
    open dims, -1 where a size stays open; a named dim that gets a size in one input has it in all.

    The opsets from 7 on are taken. Node, input and output names stay; initialisers of more than
    64 elements go to the weight store by their name. Raises `GeError` with everything that is wrong
    at once: GX-330 (not ONNX), GX-331 and GX-332 (not supported), GX-333 (invalid), GX-334
    (external data), GX-335 (element type), GX-337 (opset), GX-339 (input shapes), GX-007 (no onnx
    package).
    """
    require_package("onnx")
    model, where, label = _open(source, folder, label)
    if model.functions:
        model = _inline_functions(model, label)
    shared = Shared(
        _opsets(model, label), where, WeightStore(), sink or DiagnosticSink(), abstract_weights
    )
    errors = len(shared.sink.errors)
    with together():
        top = _import_graph(shared, model.graph, name, input_shapes, label)
    problems = [*shared.sink.errors[errors:], *shared.diagnostics()]
    if problems:
        raise GeError([_located(d, label) for d in problems])
    from ge_dialect.api import Model as ModelClass

    return ModelClass(module([top]), shared.store)


def value_names(model: ModelProto) -> dict[str, str]:
    """GE node name -> name of the ONNX value it computes (its first output).

    For comparing values by name. Left out are nodes that become constants, and names given twice,
    which the importer makes unique.
    """
    found: dict[str, str] = {}
    twice: set[str] = set()
    for node in model.graph.node:
        if node.op_type == "Constant" or not node.output or not node.output[0]:
            continue
        name = node.name or node.output[0]
        if name in found:
            twice.add(name)
        found[name] = node.output[0]
    return {name: value for name, value in found.items() if name not in twice}


def _open(
    source: Any, folder: str | os.PathLike[str] | Sequence[Path] | None, label: str | None
) -> tuple[ModelProto, Sequence[Path], str]:
    folders = (Path(folder),) if isinstance(folder, str | os.PathLike) else folder
    if isinstance(source, bytes | bytearray | memoryview):
        label = label or "<bytes>"
        return read_model(bytes(source), label), folders or (), label
    if isinstance(source, str | os.PathLike):
        label = label or input_name(source)
        model = read_model(read_input(source), label)
        if folders is None and os.fspath(source) != "-":
            folders = side_folders(source)
        return model, folders or (), label
    check_model(source, label or "<model>")
    return source, folders or (), label or "<model>"


def _located(diagnostic: Diagnostic, label: str) -> Diagnostic:
    from dataclasses import replace

    return diagnostic if diagnostic.location else replace(diagnostic, location=label)


def _opsets(model: ModelProto, label: str) -> dict[str, int]:
    """Imported opset by domain; the standard domain is "". Raises `GeError` GX-337."""
    from onnx import defs

    found = {
        ("" if o.domain == "ai.onnx" else o.domain): int(o.version) for o in model.opset_import
    }
    opset, newest = found.get("", 0), defs.onnx_opset_version()
    uses = any(n.domain in ("", "ai.onnx") for n in model.graph.node)
    if uses and not OLDEST_OPSET <= opset <= newest:
        hint = None
        if opset > newest:
            hint = "a newer onnx package may know it: pip install -U onnx"
        elif opset:
            hint = "convert the model, for instance with onnx.version_converter"
        raise GeError(
            Diagnostic(
                "GX-337",
                f"opset {opset} is not supported" if opset else "the standard opset is missing",
                location=label,
                expected=f"{OLDEST_OPSET} to {newest}",
                hint=hint,
            )
        )
    return found


def _inline_functions(model: ModelProto, label: str) -> ModelProto:
    from onnx import inliner

    try:
        return inliner.inline_local_functions(model)
    except Exception as error:  # whatever is wrong with the functions
        text = " ".join(str(error).split())[:200]
        raise GeError(
            Diagnostic("GX-333", f"its functions cannot be inlined: {text}", location=label)
        ) from None


def _import_graph(
    shared: Shared, proto: GraphProto, name: str | None, shapes: InputShapes | None, label: str
) -> GraphOp:
    initialized = {i.name for i in proto.initializer} | {
        s.values.name for s in proto.sparse_initializer
    }
    # Up to IR version 3 initialisers are listed as inputs too; those are no inputs of ours.
    inputs = [i for i in proto.input if i.name not in initialized]
    types = [_input_type(shared, i) for i in inputs]
    if shapes:
        settled = settle_shapes({i.name: _dims(i) for i in inputs}, shapes, label)
        types = [
            tensor_type(settled[i.name], elem_of(t)) if i.name in settled else t
            for i, t in zip(inputs, types, strict=True)
        ]
    for info, type_ in zip(inputs, types, strict=True):
        if (wanted := value_type_problem(type_)) is not None:
            shared.refuse("GX-333", "", f"an input of type {type_} instead of {wanted}", info.name)
    top, block = graph(_symbol(name or proto.name), types, [i.name for i in inputs])
    held = top.all_arg_attributes()
    for info, type_, attributes in zip(inputs, types, held, strict=True):
        symbols = _symbols(info, type_)
        if symbols is not None:
            attributes[SYMBOLS] = symbols
    top.set_all_arg_attributes(held)
    importer = GraphImporter(shared, block)
    importer.values.update(zip([i.name for i in inputs], block.args, strict=True))
    if len(importer.values) != len(inputs):
        shared.refuse("GX-333", "", "two inputs have one name", "")
    importer.add_initializers(proto)
    importer.run(proto)
    _finish(importer, top, proto)
    return top


def _input_type(shared: Shared, info: ValueInfoProto) -> Attribute:
    from ge_dialect.dtypes import to_xdsl

    try:
        if info.type.WhichOneof("value") == "tensor_type":
            elem = to_xdsl(dtype_name(info.type.tensor_type.elem_type))
            return declared_type(info) or tensor_type(None, elem)
        shared.refuse("GX-332", "", "inputs other than tensors are not supported", info.name)
    except GeError as error:
        shared.refuse("GX-335", "", error.diagnostics[0].message, info.name)
    return tensor_type(None, to_xdsl("float32"))


def _dims(info: ValueInfoProto) -> list[int | str] | None:
    """Sizes and names of the dims of an input, -1 for one without either; None without a shape."""
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        return None
    return [d.dim_value if d.HasField("dim_value") else d.dim_param or -1 for d in tensor.shape.dim]


def _symbols(info: ValueInfoProto, type_: Attribute) -> Attribute | None:
    """Names of the symbolic dims, "" where a dim has none; None where no dim has one."""
    names = [d.dim_param for d in info.type.tensor_type.shape.dim]
    sizes = shape_of(type_)
    if names and sizes is not None:
        names = [n if size == -1 else "" for n, size in zip(names, sizes, strict=True)]
    return ArrayAttr([StringAttr(s) for s in names]) if any(names) else None


def _symbol(name: str) -> str:
    text = re.sub(r"[^A-Za-z0-9_.$-]+", "_", name).strip("_")
    if not text:
        return "main"
    return text if re.match(r"[A-Za-z_]", text) else f"graph_{text}"


def _finish(importer: GraphImporter, top: GraphOp, proto: GraphProto) -> None:
    """Outputs, and the removal of what only served to know shapes."""
    shared = importer.shared
    outputs: list[SSAValue] = []
    for info in proto.output:
        value = importer.values.get(info.name)
        if value is None:
            shared.refuse("GX-333", "", "an output is not defined", info.name)
        elif not isinstance(value, Poisoned):
            if isinstance(value, Pending) and value.dtype == "string":
                shared.refuse("GX-335", "", "string outputs are not supported", info.name)
                continue
            outputs.append(importer.operand(info.name))
    if proto.node and not proto.output:
        shared.sink.emit(
            Diagnostic(
                "GX-333",
                "the ONNX graph has no output: nothing that it computes is a result",
                "warning",
                found=f"{len(proto.node)} nodes",
            )
        )

    end = build("NetOutput", [outputs], name=importer.taken.fresh("NetOutput"))
    top.body.add_op(end)
    if proto.output:
        top.attributes[OUTPUT_NAMES] = ArrayAttr([StringAttr(o.name) for o in proto.output])
    _drop_known(importer, top)


def _drop_known(importer: GraphImporter, top: GraphOp) -> None:
    """Erase nodes whose values were only asked for: shape arithmetic that became attributes."""
    known = importer.known
    for op in reversed(list(top.body.ops)):
        if op is top.net_output or op.regions:
            continue
        results = list(op.results)
        if results and all(r in known and known[r] is not None for r in results):
            if not any(r.uses for r in results):
                op.detach()
                op.erase()
