"""Graphs become ONNX models: `export_onnx` in memory, `save_onnx` to files.

Layouts are storage only and leave no trace. Control edges are left out: every operator with an
effect that they could order is refused, so what remains can run in any order of its data.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import SSAValue

from ge_dialect.diagnostics import Diagnostic, DiagnosticSink, GeError, user_error
from ge_dialect.dtypes import to_xdsl
from ge_dialect.exporters.onnx_graph import GraphWriter, need_element_type
from ge_dialect.exporters.onnx_rules import NEWEST_OPSET, OLDEST_OPSET
from ge_dialect.exporters.onnx_tensor import Tensors
from ge_dialect.exporters.onnx_values import NoCounterpart, Shared, Val
from ge_dialect.ir.graph import SYMBOLS, GraphOp
from ge_dialect.ir.outputs import output_names
from ge_dialect.ir.types import elem_of, is_tensor, shape_of
from ge_dialect.tools.common import require_package

if TYPE_CHECKING:
    from onnx import ModelProto

    from ge_dialect.api import Model

#: Tensors of more bytes than this go to the data file where there is one.
EXTERNAL_BYTES = 1024


def export_onnx(
    model: Model,
    *,
    opset: int | None = None,
    graph: str | None = None,
    sink: DiagnosticSink | None = None,
) -> ModelProto:
    """The `ModelProto` of a graph, all constants inside; it passes ONNX's full check.

    opset: 18 to the newest that is tested (28), which is the default where the onnx package knows
    it. graph: which one, where the module has several. sink: takes warnings (control edges).
    Node, input, output and constant names stay. Raises `GeError` with everything that is wrong at
    once: GX-360 and GX-361 (nothing in ONNX says it), GX-363 (more than 2 GiB of constants),
    GX-337 (opset), GX-305 (abstract weights), GX-007 (no onnx package).
    """
    return _export(model, opset, graph, sink, None, 0)[0]


def save_onnx(
    model: Model,
    path: str | os.PathLike[str],
    *,
    opset: int | None = None,
    graph: str | None = None,
    sink: DiagnosticSink | None = None,
    external_data: bool = False,
    threshold: int = EXTERNAL_BYTES,
) -> None:
    """Write a graph as an ONNX file; `path` "-" is standard output.

    external_data: tensors of more than `threshold` bytes go to a file beside it, called like it
    with ".data" at the end, and are copied there without being loaded as a whole; where `path` is a
    symbolic link, beside the file it leads to. Errors are those of `export_onnx`.
    """
    from ge_dialect.tools.common import atomic_write, check_outputs

    target = os.fspath(path)
    if external_data and target == "-":
        raise user_error("GX-002", "external data cannot go to standard output", hint="say -o FILE")
    if os.path.islink(target) and os.path.isfile(target):
        target = os.path.realpath(target)
    location = f"{Path(target).name}.data" if external_data else None
    if location is not None:
        if os.path.exists(target) and not os.path.isfile(target):
            message = f"external data cannot lie beside {target!r}: it is no file"
            raise user_error("GX-002", message, hint="say -o FILE")
        check_outputs([target, f"{target}.data"])
    proto, tensors = _export(model, opset, graph, sink, location, threshold)
    content = proto.SerializeToString(deterministic=True)
    if tensors.pieces:
        _write_data(tensors, Path(f"{target}.data"), lambda: atomic_write(target, content))
    else:
        atomic_write(target, content)


def _write_data(tensors: Tensors, target: Path, write_model: Callable[[], None]) -> None:
    """Write the data, and the model before the data takes its place: both or none."""
    work = target.parent / f".{target.name[:100]}.{os.getpid()}.tmp"
    try:
        with open(work, "wb") as stream:
            tensors.write(stream)
        write_model()
        os.replace(work, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise user_error("GX-002", f"cannot write {str(target)!r}: {reason}") from None
    finally:
        work.unlink(missing_ok=True)


def _opset(asked: int | None) -> int:
    from onnx import defs

    newest = min(NEWEST_OPSET, defs.onnx_opset_version())
    opset = newest if asked is None else asked
    if not OLDEST_OPSET <= opset <= newest:
        raise user_error(
            "GX-337",
            f"opset {opset} cannot be written",
            expected=f"{OLDEST_OPSET} to {newest}",
        )
    return opset


def _export(
    model: Model,
    opset: int | None,
    graph: str | None,
    sink: DiagnosticSink | None,
    location: str | None,
    threshold: int,
) -> tuple[ModelProto, Tensors]:
    require_package("onnx")
    import onnx

    from ge_dialect.api import pick_graph

    top = pick_graph(model, graph)
    tensors = Tensors(model.weights, location, threshold)
    shared = Shared(_opset(opset), model.weights, sink or DiagnosticSink(), tensors)
    writer = _write_graph(shared, top)
    problems = shared.diagnostics()
    if problems:
        raise GeError(problems)
    if shared.dropped:
        shared.sink.emit(
            Diagnostic(
                "GX-362",
                f"control edges into {shared.dropped} nodes are left out; ONNX orders nodes by "
                "data only, and nothing here has an effect that they order",
                severity="remark",
            )
        )
    made = onnx.ModelProto()
    made.opset_import.add(domain="", version=shared.opset)
    made.ir_version = onnx.helper.find_min_ir_version_for(list(made.opset_import))
    made.producer_name = "ge-translate"
    made.graph.CopyFrom(writer.proto(top.sym_name.data or "graph"))  # ONNX wants a name
    return made, tensors


def _write_graph(shared: Shared, top: GraphOp) -> GraphWriter:
    writer = GraphWriter(shared)
    arguments: list[Val] = []
    names = top.arg_names()
    outputs = output_names(top)
    shared.names.update(names)
    for i, arg in enumerate(top.args):
        if not is_tensor(arg.type):
            shared.refuse("GX-360", "", "an input is a variable, which ONNX has not", names[i])
            value = Val(to_xdsl("float32"), names[i])
        else:
            value = Val(elem_of(arg.type), names[i])
            writer.inputs.append((value, shape_of(arg.type), _symbols(top, i)))
        arguments.append(value)
    end = top.net_output
    operands: list[SSAValue] = list(end.operands) if end is not None else []
    results = [v for v in operands if is_tensor(v.type)]
    own: dict[SSAValue, str] = dict(zip(top.args, names, strict=True))
    finals = _unique(shared, outputs, [own.get(v) for v in results], names)
    for value, name in zip(results, finals, strict=True):
        writer.wanted.setdefault(value, name)
    values = writer.block(top.body, arguments)
    if shared.refused:
        return writer
    for value, result, name in zip(values, results, finals, strict=True):
        writer.finish_output(value, shape_of(result.type), name)
    for value, shape in [*((v, s) for v, s, _ in writer.inputs), *writer.outputs]:
        try:
            if shape is None:
                raise NoCounterpart("the rank of an input or output must be known")
            need_element_type(value.elem, shared.opset)
        except NoCounterpart as error:
            shared.refuse("GX-361", "", error.reason, value.name or "", error.hint)
    return writer


def _unique(
    shared: Shared, given: list[str], held: list[str | None], inputs: list[str]
) -> list[str]:
    """Names of the outputs; an output that is called like an input must be that input.

    held: for each output that is an input, the name of that.
    """
    found: dict[str, None] = {}
    others = set(inputs)
    for i, own in enumerate(held):
        name = given[i] if i < len(given) else f"output_{i}"
        if name in found or (name in others and name != own):
            name = shared.value_name(name)
        shared.names.add(name)
        found[name] = None
    return list(found)


def _symbols(top: GraphOp, index: int) -> list[str]:
    held = top.arg_attributes(index).get(SYMBOLS)
    if not isinstance(held, ArrayAttr):
        return []
    return [s.data if isinstance(s, StringAttr) else "" for s in held.data]
