"""What a reduction gives, and the files and the command that show the failure again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ge_dialect.api import Model
from passes.pipeline import Pipeline
from passes.registry import PASSES


@dataclass(repr=False)
class Reduced:
    """A small failing case.

    model, pipeline, inputs (by name; empty where values play no role): the case. steps: what was
    reduced, in order. failure: how it fails. complete: whether nothing more can be left out (False
    where time ran out). trials: how often the oracle was asked.
    """

    model: Model
    pipeline: Pipeline
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    steps: list[str] = field(default_factory=list)
    failure: str = ""
    arguments: tuple[str, ...] = ()
    needs_inputs: bool = False
    complete: bool = True
    trials: int = 0
    ops_before: int = 0
    test: str | None = None
    path: str | None = None

    @property
    def ops(self) -> int:
        """Number of nodes left, those of bodies included (not counting NetOutput)."""
        return sum(
            1
            for op in self.model.module.walk()
            if op.name.startswith("ge.") and op.name not in ("ge.graph", "ge.NetOutput")
        )

    @property
    def command(self) -> str:
        """One shell command that shows the failure; `save` writes the files it names."""
        path = self.path or "reduced.mlir"
        if self.test is not None:
            line = self.test.replace("{pipeline}", shlex.quote(str(self.pipeline)))
            return line.replace("{}", shlex.quote(path))
        words = ["ge-opt", path, *load_arguments(self.pipeline), f"--pipeline={self.pipeline}"]
        words += self.arguments
        if self.needs_inputs:
            words.append(f"--validate-inputs={_npz(path)}")
        return " ".join(shlex.quote(w) for w in words)

    def text(self) -> str:
        """The graph as text."""
        return self.model.text()

    def save(self, path: str | os.PathLike[str]) -> str:
        """Write the graph to `path`, weights and inputs beside it, and return the command."""
        import numpy as np

        from ge_dialect.api import save

        self.path = os.fspath(path)
        save(self.model, self.path)
        if self.needs_inputs:
            np.savez(_npz(self.path), **{k: _plain(v) for k, v in self.inputs.items()})
        return self.command

    def __repr__(self) -> str:
        return f"<Reduced: {self.ops} ops, {self.pipeline}>"

    def __str__(self) -> str:
        lines = [f"failure: {self.failure}", f"pipeline: {self.pipeline}", self.text().rstrip()]
        for name, value in self.inputs.items():
            lines.append(f"input {name}: {_shown(value)}")
        lines.append(f"reproduce: {self.command}")
        return "\n".join(lines)


def _npz(path: str) -> str:
    return path.removesuffix(".mlir") + ".npz"


def _plain(value: Any) -> Any:
    """What numpy's file format takes: dtypes of ml_dtypes are widened, the reader narrows them."""
    import numpy as np

    array = np.asarray(value)
    return array if array.dtype.kind in "biufcSU" else array.astype(np.float32)


def _shown(value: Any) -> str:
    import numpy as np

    array = np.asarray(value)
    text = np.array2string(array, threshold=24, edgeitems=3, separator=", ", max_line_width=10**6)
    return f"{array.dtype}{list(array.shape)} {' '.join(text.split())}"


def load_arguments(pipeline: Pipeline) -> list[str]:
    """`--load` for what is loaded, and for passes of a script or not registered at all."""
    import inspect

    from passes.plugins import load_words

    out: dict[str, None] = dict.fromkeys(load_words())
    for item in pipeline.passes():
        registered = item.instance is None or item.name in PASSES
        if not registered or item.cls.__module__ == "__main__":
            try:
                source = inspect.getsourcefile(item.cls)
            except TypeError:
                source = None
            if source:
                out[f"--load={source}"] = None
    return list(out)
