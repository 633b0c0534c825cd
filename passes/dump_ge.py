"""`--dump-ge`: the graph after each stage in GE's own files, names and formats."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ge_dialect.diagnostics import GeError
from passes.instrument import Instrument, PassRun

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext
    from passes.pipeline import PassItem

#: Formats of `--dump-ge-format`, and the end of a file's name; GE's default is both.
FORMATS = {"ge-proto": ("ge_proto", ".txt"), "ge-onnx": ("ge_onnx", ".pbtxt")}
#: Longer names of files are cut, as GE does.
MAX_NAME = 255
#: The pass behind which there is no graph any more; the stage's dump is what comes before.
_LOWERING = "lower-to-rt"


class DumpGe(Instrument):
    """Writes ``ge_proto_00000003_graph_1_<stage>.txt`` and ``ge_onnx_…`` after each stage.

    level: 1 with the bytes of constants, 2 without, 3 small, as DUMP_GE_GRAPH. wanted: parts of
    stage names, one of which a dump's name has to hold; none: all. Each format counts on its own,
    and a number says how many dumps there were, written or not.
    """

    def __init__(
        self,
        folder: str,
        ctx: PassContext,
        *,
        level: int = 1,
        formats: tuple[str, ...] = tuple(FORMATS),
        wanted: tuple[str, ...] = (),
        each: bool = False,
    ) -> None:
        self.folder, self.ctx, self.level = folder, ctx, level
        self.formats, self.wanted, self.each = formats, wanted, each
        self.written: list[str] = []
        self._names: dict[str, None] = {}
        self.count = 0
        self._stage: str | None = None
        self._staged = False
        self._lowered: dict[str, str] | None = None
        self._refused = False

    def begin(self, module: ModuleOp) -> None:
        """Make the folder and write the input."""
        from ge_dialect.tools.common import make_folder
        from passes.stages import BEGIN_DUMP

        make_folder(self.folder)
        self._write(BEGIN_DUMP, self._texts(module, BEGIN_DUMP))

    def before_stage(self, stage: str, module: ModuleOp) -> None:
        """Note the stage for the names of the passes' files."""
        self._stage = stage

    def before_pass(self, item: PassItem, module: ModuleOp) -> None:
        """Take the graph down before it is lowered."""
        if item.name == _LOWERING:
            self._lowered = self._texts(module, self._name_of(self._stage or "build"))

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """Write the graph after a pass that changed it, where each pass is asked for."""
        if self.each and run.changed and run.name != _LOWERING:
            name = "_".join(filter(None, (self._stage, run.name)))
            self._write(name, self._texts(module, name))

    def after_stage(self, stage: str, module: ModuleOp) -> None:
        """Write the graph after the stage."""
        self._stage, self._staged = None, True
        name = self._name_of(stage)
        texts = self._lowered if self._lowered is not None else self._texts(module, name)
        self._lowered = None
        self._write(name, texts)

    def end(self, module: ModuleOp) -> None:
        """Write the result of a pipeline without stages."""
        if not self._staged:
            texts = self._lowered if self._lowered is not None else self._texts(module, "result")
            self._write("result", texts)
        if not self.written and not self._refused:
            self.ctx.sink.warning(
                "GX-418",
                "no dump is written: none has a name that the filter asks for",
                found=" | ".join(self.wanted),
                expected="a part of " + ", ".join(self._names),
            )

    @staticmethod
    def _name_of(stage: str) -> str:
        from passes.stages import named_pipeline

        return named_pipeline(stage).ge_dump or stage

    def _accepts(self, name: str) -> bool:
        return not self.wanted or any(part in name for part in self.wanted)

    def _texts(self, module: ModuleOp, name: str) -> dict[str, str]:
        """Text by format; empty where the filter leaves the dump out."""
        self._names[name] = None
        if not self._accepts(name):
            return {}
        from ge_dialect.api import Model
        from ge_dialect.exporters.ge_dump import export_dump

        weights = self.ctx.weights
        model = Model(module) if weights is None else Model(module, weights)
        try:
            return {to: export_dump(model, to, level=self.level) for to in self.formats}
        except GeError as error:
            if not self._refused:  # a dump is a by-product: the run goes on without it
                self._refused = True
                for d in error.diagnostics:
                    self.ctx.sink.emit(replace(d, severity="warning", pass_name=f"dump {name}"))
            return {}

    def _write(self, name: str, texts: dict[str, str]) -> None:
        from ge_dialect.tools.common import atomic_write

        safe = re.sub(r"[^\w.\-]+", "_", name)
        for to, text in texts.items():
            start, end = FORMATS[to]
            stem = f"{start}_{self.count:08d}_graph_1_{safe}"
            path = os.path.join(self.folder, stem[: MAX_NAME - len(end)] + end)
            atomic_write(path, text)
            self.written.append(path)
        self.count += 1
