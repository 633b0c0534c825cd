"""Weights of a module that goes through `ge-opt`: found beside the input, kept by the output."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ge_dialect.diagnostics import GeError, user_error
from ge_dialect.tools.common import has_no_folder, is_lost

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext

_ATTRIBUTE = "ge.weights"


def find_weights(module: ModuleOp, source: str, folder: str | None, ctx: PassContext) -> None:
    """Tell the context where the weights are; the folder is opened when a pass first asks.

    source: path of the text ("-": stdin). folder: what the user gave, which goes before what the
    text names. Raises `GeError` GX-001, GX-302 (it leads out) and GX-311.
    """
    from xdsl.dialects.builtin import StringAttr

    named = module.attributes.get(_ATTRIBUTE)
    if folder is not None:
        if not os.path.isdir(folder):
            raise user_error("GX-001", f"cannot read '{folder}': it is not a folder")
    elif isinstance(named, StringAttr):
        from ge_dialect.weights.index import beside

        folder = os.fspath(beside(source, named.data))
    elif named is not None:
        raise user_error(
            "GX-311", "ge.weights must be a string", found=str(named), expected='"net.weights"'
        )
    else:
        return
    ctx.weights_path = os.path.abspath(folder)


def place_weights(module: ModuleOp, output: str, ctx: PassContext, label: str = "") -> None:
    """Make the folder that the output's text will name hold what the module needs.

    An output beside the input shares the folder; written elsewhere, shards are linked or copied to
    a folder of the output's name. To stdout the text keeps the name it came with. Raises `GeError`
    GX-310 when weights are new and there is no place for them.
    """
    if not ctx.has_weights or is_lost(output):
        return
    nowhere = has_no_folder(output)
    from xdsl.dialects.builtin import StringAttr

    if ctx.weights_path is not None and not ctx.weights_opened:
        shared = _shared(module, output, ctx.weights_path)
        if nowhere or shared:
            return  # nothing was opened, so nothing is new
    from ge_dialect.ir.weight_use import used_weight_names

    store = ctx.weights
    keep = [n for n in used_weight_names(module) if n in store]
    new = [n for n in keep if store.entry(n).shard is None and not store.is_abstract(n)]
    if nowhere:
        if new:
            raise user_error(
                "GX-310",
                "the result has new weights, which cannot go to standard output",
                found=", ".join(new[:5]),
                hint="write to a file: -o FILE",
            )
        return
    if not keep:
        module.attributes.pop(_ATTRIBUTE, None)
        return
    if ctx.weights_path is not None and not new and _shared(module, output, ctx.weights_path):
        return
    from ge_dialect.weights.index import new_beside

    folder = new_beside(output, label)
    store.save(folder, keep=keep)
    module.attributes[_ATTRIBUTE] = StringAttr(folder.name)


def dump_weights(module: ModuleOp, folder: str, ctx: PassContext) -> None:
    """Put the weights where the texts in a dump folder look for them, as links where possible."""
    from xdsl.dialects.builtin import StringAttr

    named = module.attributes.get(_ATTRIBUTE)
    if not isinstance(named, StringAttr) or not os.path.isdir(folder):
        return
    if not ctx.weights_opened and not os.path.isdir(ctx.weights_path or ""):
        return
    from ge_dialect.weights.index import beside

    ctx.weights.save(beside(os.path.join(folder, "x"), named.data))


def _shared(module: ModuleOp, output: str, folder: str) -> bool:
    """Whether the name in the text leads from the output to the folder in use."""
    from xdsl.dialects.builtin import StringAttr

    named = module.attributes.get(_ATTRIBUTE)
    if not isinstance(named, StringAttr) or output == "-":
        return False
    from ge_dialect.weights.index import beside

    try:
        found = beside(output, named.data)
    except GeError:  # something there leads out: not ours to share
        return False
    return found.is_dir() and os.path.samefile(found, folder)
