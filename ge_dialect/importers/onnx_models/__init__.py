"""Today's models as ONNX files without downloads: graphs of PyTorch's exporter, random weights.

    example = example_model("bert")              # small; "bert-base" has the published sizes
    example.proto                                # onnx.ModelProto
    example.inputs(seed=0)                       # arrays by input name

`ge-translate model:NAME` imports one, `python -m ge_dialect.importers.onnx_models` writes it as a
file. Weights are normal, scaled by their fan-in; they depend only on the seed and on their name.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto

    from ge_dialect.importers.onnx_models.writer import ModelWriter

#: name -> module and the name there of the configuration, without its "SMALL" or "BASE"
_TABLE = {
    "bert": ("bert", ""),
    "diffusion": ("diffusion", ""),
    "gpt2": ("gpt2", ""),
    "llama": ("llama", ""),
    "mobilenet_v2": ("mobilenet", "_V2"),
    "mobilenet_v3": ("mobilenet", "_V3"),
    "unet": ("unet", ""),
    "vit": ("vit", ""),
}
MODELS = tuple(_TABLE)
SIZES = ("small", "base")
#: Dims that are symbols in the dynamic variant, where a model has them.
DIMS = ("batch", "sequence", "past", "height", "width")


class Config(Protocol):
    """What a model's configuration is: a frozen dataclass of sizes."""

    @property
    def opset(self) -> int:
        """The opset written for; later ones use the operators they have for whole layers."""
        ...

    def build(self, w: ModelWriter) -> None:
        """Write the graph."""
        ...

    def inputs(self, rng: np.random.Generator, sizes: dict[str, int]) -> dict[str, Any]:
        """Arrays for the inputs, with these dims."""
        ...


@dataclass(frozen=True)
class ExampleModel:
    """One model in one configuration.

    dynamic: dims that the user chooses (`dims`) are symbols of the graph, not numbers.
    """

    name: str
    config: Config
    dynamic: bool = False
    seed: int = 0

    @property
    def dims(self) -> dict[str, int]:
        """Sizes of the inputs: those of a static graph, suggestions for a dynamic one."""
        held = {f.name: getattr(self.config, f.name) for f in fields(self.config)}  # type: ignore[arg-type]
        # the width of a language model is that of its features
        spatial = "height" in held
        return {n: held[n] for n in DIMS if n in held and (n != "width" or spatial)}

    @cached_property
    def proto(self) -> ModelProto:
        """The model; raises `GeError` GX-007 without the onnx package."""
        from ge_dialect.importers.onnx_models.writer import ModelWriter
        from ge_dialect.tools.common import require_package

        require_package("onnx")
        writer = ModelWriter(self.name, self.config.opset, seed=self.seed, dynamic=self.dynamic)
        self.config.build(writer)
        return writer.model()

    def inputs(self, seed: int = 0, **dims: int) -> dict[str, np.ndarray[Any, Any]]:
        """Random inputs by name; a dynamic model takes other dims than its own."""
        import numpy as np

        unknown = set(dims) - (set(self.dims) if self.dynamic else set())
        if unknown:
            raise ValueError(
                f"{self.name} has no such dims: {', '.join(sorted(unknown))}"
                + ("" if self.dynamic else " (it is static)")
            )
        found = self.config.inputs(np.random.default_rng(seed), {**self.dims, **dims})
        return {i.name: found[i.name] for i in self.proto.graph.input}


def example_model(
    name: str, size: str | None = None, *, dynamic: bool = False, seed: int = 0, **sizes: int
) -> ExampleModel:
    """One of `MODELS`, as "bert" or "bert-base".

    size: "small", for tests (the default), or "base", the published sizes. dynamic: with symbolic
    dims. sizes: other values for fields of the configuration (layers, width, batch …).
    Raises `GeError` GX-001 for an unknown name, ValueError for an unknown size or field.
    """
    from importlib import import_module

    from ge_dialect.diagnostics import user_error

    base, _, suffix = name.partition("-")
    size = size or suffix or "small"
    if base not in _TABLE or size not in SIZES:
        raise user_error(
            "GX-001",
            f"no example model is called {name!r}",
            expected=", ".join(MODELS) + ', each also with "-base"',
        )
    module, tail = _TABLE[base]
    found = import_module(f"{__name__}.{module}")
    config = getattr(found, size.upper() + tail)
    unknown = set(sizes) - {f.name for f in fields(config)}
    if unknown:
        raise ValueError(f"{base} has no field {', '.join(sorted(unknown))}")
    return ExampleModel(base, replace(config, **sizes), dynamic, seed)


def example_of(text: str, seed: int = 0) -> ExampleModel:
    """The model that a short text names: "bert", "bert-base:dynamic", "llama:layers=4,batch=1".

    Behind the colon stand "dynamic" and values for fields of the configuration. Raises `GeError`
    GX-001 for whatever is unknown.
    """
    from ge_dialect.diagnostics import user_error

    name, _, rest = text.partition(":")
    dynamic, sizes = False, {}
    for item in rest.split(",") if rest else ():
        field, equals, number = item.strip().partition("=")
        if item.strip() == "dynamic":
            dynamic = True
        elif equals and number.strip().isdecimal():
            sizes[field.strip()] = int(number)
        else:
            raise user_error(
                "GX-001", "a model's options are not understood", found=item.strip() or "nothing",
                expected="dynamic, or a field and its value, as in layers=4",
            )  # fmt: skip
    try:
        return example_model(name, dynamic=dynamic, seed=seed, **sizes)
    except ValueError as error:
        raise user_error("GX-001", str(error)) from None


__all__ = ["DIMS", "MODELS", "SIZES", "Config", "ExampleModel", "example_model", "example_of"]
