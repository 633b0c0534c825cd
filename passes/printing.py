"""Instruments which print or dump the IR around passes and stages."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from passes.instrument import Instrument, PassRun, SnapshotWriter, write_banner

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.pipeline import PassItem
    from passes.structural_diff import Snapshot

#: More changed lines than this are counted, not shown.
MAX_DIFF_LINES = 400


@dataclass(frozen=True)
class PrintFilter:
    """Which passes to print before and after; `on_change` and `diff` need a real difference."""

    before: Collection[str] = ()
    after: Collection[str] = ()
    before_all: bool = False
    after_all: bool = False
    on_change: bool = False
    diff: bool = False

    @property
    def active(self) -> bool:
        """Whether anything is to be printed."""
        return bool(
            self.before
            or self.after
            or self.before_all
            or self.after_all
            or self.on_change
            or self.diff
        )


class PrintIR(Instrument):
    """Prints the IR around passes, like MLIR's print-ir options.

    Whether a pass changed something is decided by comparing the text, not by asking the pass; what
    changed is shown node by node (see `passes.structural_diff`).
    """

    def __init__(self, what: PrintFilter, stream: IO[str], writer: SnapshotWriter) -> None:
        self.what = what
        self.stream = stream
        self.writer = writer
        self._before = ""
        self._compare = what.on_change or what.diff
        self._snapshot: tuple[str, Snapshot] | None = None

    def before_pass(self, item: PassItem, module: ModuleOp) -> None:
        """Print the IR before the pass when wanted, and keep it for comparison."""
        wanted = self.what.before_all or item.name in self.what.before
        if wanted or self._compare:
            self._before = self.writer.text(module)
        if self.what.diff and (self._snapshot is None or self._snapshot[0] != self._before):
            self._snapshot = (self._before, self._taken(module))
        if wanted:
            self._show(f"IR Dump Before {item.name}", self._before)

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """Print the IR after the pass, or what changed."""
        wanted = self.what.after_all or run.name in self.what.after
        if not wanted and not self._compare:
            return
        text = self.writer.text(module)
        changed = self._compare and text != self._before
        if self.what.diff and changed:
            from passes.structural_diff import diff

            assert self._snapshot is not None
            taken = self._taken(module)
            found = diff(self._snapshot[1], taken).render() or text_diff(self._before, text)
            self._snapshot = (text, taken)
            self._show(f"IR Diff After {run.name}", found)
        if wanted or (self.what.on_change and changed):
            self._show(f"IR Dump After {run.name}", text)

    def failed(self, item: PassItem | None, module: ModuleOp, error: BaseException) -> None:
        """Show what was left when everything is being printed."""
        if item is not None and (self.what.after_all or item.name in self.what.after):
            try:
                text = self.writer.text(module)
            except Exception:  # the module may be half rewritten
                text = "// the module cannot be printed\n"
            self._show(f"IR Dump After {item.name} Failed", text)

    def _taken(self, module: ModuleOp) -> Snapshot:
        from passes.structural_diff import snapshot

        taken, graph = snapshot(module), self.writer.graph
        if graph is not None:
            taken.graphs = {
                path: held
                for path, held in taken.graphs.items()
                if path.partition("/")[0] == f"@{graph}"
            }
        return taken

    def _show(self, title: str, text: str) -> None:
        if text:
            write_banner(self.stream, title)
            self.stream.write(text)
            self.stream.flush()


def text_diff(before: str, after: str) -> str:
    """Unified diff of two texts with three lines of context, cut to a readable length."""
    from difflib import unified_diff

    lines = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3))[2:]
    left = len(lines) - MAX_DIFF_LINES
    if left > 0:
        lines = [*lines[:MAX_DIFF_LINES], f"... {left} more lines"]
    return "\n".join(lines) + "\n"


class DumpDir(Instrument):
    """Writes numbered files: the input, the IR after each stage, and (`each`) after each change.

    A stage's file carries the stage's and GE's name: ``02-fuse-PreRunAfterOptimizeOriginalGraph``.
    A number says how many stages (or passes) came before, so a listing is in run order.
    """

    def __init__(self, folder: str, writer: SnapshotWriter, *, each: bool = False) -> None:
        self.folder = folder
        self.writer = writer
        self.each = each
        self.written: list[str] = []
        self._before = ""
        self._stage: str | None = None
        self._staged = False

    def begin(self, module: ModuleOp) -> None:
        """Make the folder and write the input."""
        from ge_dialect.tools.common import make_folder
        from passes.stages import BEGIN_DUMP

        make_folder(self.folder)
        self._before = self.writer.text(module)
        self._write(BEGIN_DUMP, self._before)

    def before_stage(self, stage: str, module: ModuleOp) -> None:
        """Note the stage for the names of the passes' files."""
        self._stage = stage

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """Write the IR when the pass changed its text."""
        if not self.each:
            return
        text = self.writer.text(module)
        if text != self._before:
            self._write("-".join(filter(None, (self._stage, run.name))), text)
            self._before = text

    def after_stage(self, stage: str, module: ModuleOp) -> None:
        """Write the IR after the stage."""
        from passes.stages import named_pipeline

        self._stage = None
        self._staged = True
        self._write(f"{stage}-{named_pipeline(stage).ge_dump}", self.writer.text(module))

    def end(self, module: ModuleOp) -> None:
        """Write the result of a pipeline without stages."""
        if not self._staged:
            self._write("result", self.writer.text(module))

    def failed(self, item: PassItem | None, module: ModuleOp, error: BaseException) -> None:
        """Write what can still be printed; what stands in the way must not hide the failure."""
        from ge_dialect.tools.common import make_folder

        try:
            text = self.writer.text(module)
            make_folder(self.folder)  # a module that does not verify fails before the beginning
            self._write(f"failed-{item.name if item else 'pipeline'}", text)
        except Exception:  # the module may be half rewritten, the folder unwritable
            return

    def _write(self, name: str, text: str) -> None:
        from ge_dialect.tools.common import atomic_write

        safe = re.sub(r"[^\w.\-]+", "_", name)
        path = os.path.join(self.folder, f"{len(self.written):02d}-{safe}.mlir")
        atomic_write(path, text)
        self.written.append(path)
