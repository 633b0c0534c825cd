"""The stable Python surface of the language: load, save and evaluate a model.

`passes.run_pipeline` changes the same `Model` in place, `runtime.simulate` runs it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr

from ge_dialect.diagnostics import DiagnosticSink, user_error

if TYPE_CHECKING:
    import numpy as np

    from ge_dialect.input_shapes import InputShapes
    from ge_dialect.ir.graph import GraphOp
    from ge_dialect.keep import Keep
    from ge_dialect.semantics.evaluator import EvalResult
    from ge_dialect.views import GraphView
    from ge_dialect.weights.store import WeightStore

WEIGHTS_ATTRIBUTE = "ge.weights"


def _empty_store() -> WeightStore:
    from ge_dialect.weights.store import WeightStore

    return WeightStore()


@dataclass
class Model:
    """A module and the weights its `#ge.weight` attributes name."""

    module: ModuleOp
    weights: WeightStore = field(default_factory=_empty_store)

    @property
    def graphs(self) -> list[GraphOp]:
        """The `ge.graph`s, in order; empty for a compiled model."""
        from ge_dialect.ir.graph import module_graphs

        return module_graphs(self.module)

    def view(self, graph: str | None = None) -> GraphView:
        """The graph of that name, or the only one, to look at: see `ge_dialect.views`.

        Raises `GeError` GX-011 where there is no such graph or several to choose from.
        """
        from ge_dialect.views import view

        return view(self, graph)

    def text(self, *, generic: bool = False, debuginfo: bool = False) -> str:
        """The module as text."""
        from ge_dialect.ir.printer import print_module

        return print_module(self.module, generic=generic, debuginfo=debuginfo)


def as_model(given: Any) -> Model:
    """A `Model` of a model or module; TypeError for anything else, with the way to one."""
    if isinstance(given, Model):
        return given
    if isinstance(given, ModuleOp):
        return Model(given)
    kind = type(given)
    hint = "a builder's graph gives it by g.model()"
    if isinstance(given, str | os.PathLike):
        hint = "load(path) gives it"
    raise TypeError(f"a Model or a module is needed, not {kind.__module__}.{kind.__name__}; {hint}")


def parse(text: str, *, filename: str = "<string>", weights: WeightStore | None = None) -> Model:
    """A model from textual IR; weights that the text names are not looked for.

    Raises `GeError` with one located diagnostic per problem.
    """
    from ge_dialect.ir.reader import parse_module

    module = parse_module(text, filename=filename)
    return Model(module, weights if weights is not None else _empty_store())


def load(
    path: str | os.PathLike[str],
    *,
    weights: str | os.PathLike[str] | None = None,
    sink: DiagnosticSink | None = None,
    input_shapes: InputShapes | None = None,
) -> Model:
    """A model from a file: textual IR, ONNX or a dump of GE, told apart by content.

    weights: the weight folder where it is not the one that the text names, of ONNX the folder of
    external data. input_shapes: sizes of open dims of an ONNX model (`give_shapes` gives them to
    others). sink: takes warnings.
    Raises `GeError`: unreadable file, broken text, unsupported operators (all at once), missing or
    broken weight folder.
    """
    from ge_dialect.tools.common import read_input

    return load_data(read_input(path), path, weights=weights, sink=sink, input_shapes=input_shapes)


def load_data(
    data: bytes,
    path: str | os.PathLike[str],
    *,
    weights: str | os.PathLike[str] | None = None,
    sink: DiagnosticSink | None = None,
    input_shapes: InputShapes | None = None,
    open_store: Callable[[ModuleOp], WeightStore] | None = None,
) -> Model:
    """A model from the bytes of the file at `path` ("-": stdin), as `load` has it.

    open_store: gives the weights of a text in place of `open_weights`.
    """
    from ge_dialect.importers.sniff import sniff_kind
    from ge_dialect.tools.common import decode_text, input_name

    name = input_name(path)
    kind = sniff_kind(data, name)
    if kind == "mlir":
        model = parse(decode_text(data, name), filename=name)
        if open_store is not None:
            model.weights = open_store(model.module)
        else:
            model.weights = open_weights(model.module, os.fsdecode(path), weights)
        return model
    if kind != "onnx":
        from ge_dialect.importers.ge_dump import import_dump

        return import_dump(decode_text(data, name), label=name, kind=kind, sink=sink)
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.weights.index import side_folders

    folders = () if os.fsdecode(path) == "-" else side_folders(os.fsdecode(path))
    if weights is not None:
        folders = (Path(weights),)
    return import_onnx(data, sink=sink, folder=folders, label=name, input_shapes=input_shapes)


def open_weights(
    module: ModuleOp,
    text_path: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
) -> WeightStore:
    """The weight store of a module read from `text_path`; an empty one where it names none."""
    from ge_dialect.weights.index import beside
    from ge_dialect.weights.store import WeightStore

    if folder is not None:
        return WeightStore.open(folder)
    named = module.attributes.get(WEIGHTS_ATTRIBUTE)
    if named is None:
        return WeightStore()
    if not isinstance(named, StringAttr):
        raise user_error(
            "GX-311", "ge.weights must be a string", found=str(named), expected='"net.weights"'
        )
    return WeightStore.open(beside(text_path, named.data))


def save(
    model: Model,
    path: str | os.PathLike[str],
    *,
    weights: str | os.PathLike[str] | None = None,
    generic: bool = False,
    debuginfo: bool = False,
) -> None:
    """Write text to `path` and weights, where there are any, to a folder beside it.

    The folder is `weights`, by default the file's stem plus ".weights"; for a symbolic link that of
    the file that it leads to. The text is written last and appears whole or not at all. `path` "-"
    is standard output and needs `weights`, as devices and pipes do; to the null device only the
    text is written.
    """
    from ge_dialect.ir.weight_use import used_weight_names
    from ge_dialect.tools.common import atomic_write, check_writable, has_no_folder, is_lost
    from ge_dialect.weights.index import name_beside, new_beside

    model = as_model(model)
    target = os.fspath(path)
    keep = [n for n in used_weight_names(model.module) if n in model.weights]
    if keep and not (weights is None and is_lost(target)):
        if weights is None and has_no_folder(target):
            raise user_error(
                "GX-310",
                "the module has weights, which cannot go to standard output",
                hint="say --weights DIR to write them to a folder",
            )
        if target != "-":
            check_writable(target)
        folder = Path(weights) if weights is not None else new_beside(target)
        if target != "-" and Path(os.path.realpath(folder)).is_relative_to(
            os.path.realpath(target)
        ):
            raise user_error(
                "GX-310",
                "the text cannot stand where its weights go",
                found=f"the file {target!r} and the folder {os.fspath(folder)!r}",
                hint="name another folder",
            )
        model.weights.save(folder, keep=keep)
        relative = name_beside(target, folder)
        if relative is None:
            # Texts name only folders beside or below them; another one is given by --weights.
            model.module.attributes.pop(WEIGHTS_ATTRIBUTE, None)
        else:
            model.module.attributes[WEIGHTS_ATTRIBUTE] = StringAttr(relative)
    else:
        model.module.attributes.pop(WEIGHTS_ATTRIBUTE, None)
    atomic_write(target, model.text(generic=generic, debuginfo=debuginfo))


def evaluate(
    model: Model | ModuleOp,
    inputs: Mapping[str, np.ndarray] | Sequence[np.ndarray],
    *,
    graph: str | None = None,
    keep: Keep = None,
    **options: Any,
) -> EvalResult:
    """Golden values of a graph.

    inputs: by input name, or in order. graph: which one, where the module has several.
    keep: "all", or names of nodes whose values are wanted, too. Options go to
    `semantics.evaluate_graph`.
    Raises `GeError` for unknown graphs and nodes, wrong inputs and operators without semantics.
    """
    from ge_dialect.semantics.evaluator import evaluate_graph

    model = as_model(model)
    return evaluate_graph(
        pick_graph(model, graph), inputs, weights=model.weights, keep=keep, **options
    )


def give_shapes(model: Model, shapes: InputShapes, *, graph: str | None = None) -> None:
    """Give open dims of a graph's inputs their sizes, in place; -1 leaves one open.

    A dim with a name (`ge.symbols`) that gets a size in one input has it in all. Types of other
    values are not touched: `infer-shape` and every pipeline that begins with `prepare` infer them.
    Raises `GeError` GX-339 for inputs that are not there and sizes that contradict the types.
    """
    from ge_dialect.input_shapes import settle_shapes
    from ge_dialect.ir.graph import SYMBOLS
    from ge_dialect.ir.private import set_type
    from ge_dialect.ir.types import elem_of, is_tensor, layout_of, shape_of, tensor_type

    chosen = pick_graph(model, graph)
    attributes = chosen.all_arg_attributes()
    declared: dict[str, list[int | str] | None] = {}
    symbols: list[list[str]] = []
    for name, arg, own in zip(chosen.arg_names(), chosen.args, attributes, strict=True):
        sizes = shape_of(arg.type) if is_tensor(arg.type) else None
        held = own.get(SYMBOLS)
        names = [str(a.data) for a in held.data] if isinstance(held, ArrayAttr) else []  # type: ignore[attr-defined]
        names += [""] * (len(sizes or ()) - len(names))
        symbols.append(names)
        declared[name] = (
            None
            if sizes is None
            else [s if n == -1 and s else n for n, s in zip(sizes, names, strict=False)]
        )
    settled = settle_shapes(declared, shapes)
    for i, (name, arg) in enumerate(zip(declared, chosen.args, strict=True)):
        shape, type_ = settled.get(name), arg.type
        if shape is None or not is_tensor(type_) or shape == shape_of(type_):
            continue
        set_type(arg, tensor_type(shape, elem_of(type_), layout_of(type_)))
        kept = [s if n == -1 else "" for n, s in zip(shape, symbols[i], strict=False)]
        attributes[i].pop(SYMBOLS, None)
        if any(kept):
            attributes[i][SYMBOLS] = ArrayAttr([StringAttr(s) for s in kept])
    chosen.set_all_arg_attributes(attributes)


def pick_graph(model: Model, name: str | None = None) -> GraphOp:
    """The graph of that name, or the only one; `GeError` otherwise."""
    graphs = model.graphs
    names = [g.sym_name.data for g in graphs]
    if name is None:
        if len(graphs) == 1:
            return graphs[0]
        others = {op.name for op in model.module.body.block.ops}
        hint = None
        if "func.func" in others:
            hint = "ge-opt -p func-to-graph makes graphs of functions"
        elif "rt.model" in others:
            hint = "it is compiled; graphs are there before the stage 'build'"
        raise user_error(
            "GX-011",
            "the module has no ge.graph" if not graphs else "the module has several graphs",
            found=", ".join(names) or "none",
            expected="one ge.graph, or the name of one",
            hint=hint,
        )
    for graph in graphs:
        if graph.sym_name.data == name:
            return graph
    from ge_dialect.spelling import nearest

    near = nearest(name, names)
    raise user_error(
        "GX-011",
        f"no graph is called {name!r}",
        found=", ".join(names) or "none",
        hint=f"did you mean {near!r}?" if near else None,
    )
