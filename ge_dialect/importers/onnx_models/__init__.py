"""Today's models as ONNX files without downloads: in PyTorch's manner, with random weights.

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

#: name -> module, and the name there of the table of configurations
_TABLE = {
    "bert": ("bert", "SIZES"),
    "diffusion": ("diffusion", "SIZES"),
    "gpt2": ("gpt2", "SIZES"),
    "llama": ("llama", "SIZES"),
    "mobilenet_v2": ("mobilenet", "SIZES_V2"),
    "mobilenet_v3": ("mobilenet", "SIZES_V3"),
    "unet": ("unet", "SIZES"),
    "vit": ("vit", "SIZES"),
}
MODELS = tuple(_TABLE)
_RESERVED = ("dynamic", "half", "weights", "seed", "name")
#: Dims that are symbols in the dynamic variant, where a model has them.
DIMS = ("batch", "sequence", "past", "height", "width")
#: Largest values of fields: those that say how many parts there are, and of the others.
_MOST = {"layers": 1000, "levels": 10}
_LARGEST = 2**31 - 1


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
    half: weights, inputs and outputs are float16. weights: False leaves their bytes out; such a
    model can be imported with `abstract_weights`, compiled and timed.
    """

    name: str
    config: Config
    dynamic: bool = False
    half: bool = False
    weights: bool = True
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
        from ge_dialect.tools.common import require_package

        require_package("onnx")
        if self.weights and self._may_be_large():
            self._written(weights=False).need_room()  # before anything is drawn
        return self._written(self.weights).model()

    def _may_be_large(self) -> bool:
        sizes = {f.name: getattr(self.config, f.name) for f in fields(self.config)}  # type: ignore[arg-type]
        one, two = sorted(sizes.values())[-2:]
        return one * two > 1 << 20 or sizes.get("levels", 0) > 4

    def _written(self, weights: bool) -> ModelWriter:
        from ge_dialect.importers.onnx_models.writer import ModelWriter

        writer = ModelWriter(
            self.name,
            self.config.opset,
            seed=self.seed,
            dynamic=self.dynamic,
            half=self.half,
            weights=weights,
        )
        try:
            self.config.build(writer)
        except (ArithmeticError, IndexError, ValueError) as error:
            from ge_dialect.diagnostics import user_error

            sizes = {f.name: getattr(self.config, f.name) for f in fields(self.config)}  # type: ignore[arg-type]
            raise user_error(
                "GX-012",
                f"the sizes of {self.name} do not fit each other",
                found=", ".join(f"{n}={v}" for n, v in sizes.items()),
            ) from error
        return writer

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
        real = np.dtype("float16" if self.half else "float32")
        return {
            i.name: found[i.name].astype(real) if found[i.name].dtype.kind == "f" else found[i.name]
            for i in self.proto.graph.input
        }


def example_model(
    name: str,
    *,
    dynamic: bool = False,
    half: bool = False,
    weights: bool = True,
    seed: int = 0,
    **fields_: int,
) -> ExampleModel:
    """One of `MODELS`: "bert" for the small one of the tests, "bert-base" for another of its sizes.

    dynamic, half, weights: see `ExampleModel`. Further arguments are other values for fields of the
    configuration (layers, width, batch, opset …).
    Raises `GeError` GX-012 for an unknown name, ValueError for an unknown field or a size that
    cannot be.
    """
    base, _, size = name.partition("-")
    config = _sizes(base).get(size or "small") if base in _TABLE else None
    if config is None:
        from ge_dialect.diagnostics import user_error
        from ge_dialect.importers.onnx_random import LIGHT_MODELS

        named = base in _TABLE
        known = [f"{base}-{s}" for s in _sizes(base)] if named else MODELS
        light = [] if named else [f"light:{m}" for m in LIGHT_MODELS if base and base in m]
        raise user_error(
            "GX-012",
            f"no example model is called {name!r}",
            expected=", ".join(known),
            hint=f"there is {light[0]}" if light else None,
        )
    unknown = set(fields_) - {f.name for f in fields(config)}  # type: ignore[arg-type]
    if unknown:
        known = [f.name for f in fields(config)]  # type: ignore[arg-type]
        raise ValueError(
            f"{base} has no field {', '.join(sorted(unknown))}; it has {', '.join(known)}"
        )
    for field, value in fields_.items():
        least, most = 0 if field == "past" else 1, _MOST.get(field, _LARGEST)
        if not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"{base}: {field} must be from {least} to {most}, not {value}")
    changed = replace(config, **fields_)  # type: ignore[type-var]
    return ExampleModel(base, changed, dynamic, half, weights, seed)


def _sizes(base: str) -> dict[str, Config]:
    """Configurations of a model by name."""
    from importlib import import_module

    module, table = _TABLE[base]
    return getattr(import_module(f"{__name__}.{module}"), table)


def example_of(text: str, *, weights: bool = True, seed: int = 0) -> ExampleModel:
    """The model that a short text names: "bert", "bert-base:dynamic", "llama:half,layers=4".

    Behind the colon stand "dynamic", "half" and values for fields of the configuration. Raises
    `GeError` GX-012 for whatever is unknown.
    """
    from ge_dialect.diagnostics import user_error

    name, _, rest = text.partition(":")
    words: set[str] = set()
    numbers: dict[str, int] = {}
    for item in (part.strip() for part in rest.split(",")) if rest else ():
        field, equals, number = (part.strip() for part in item.partition("="))
        if item in ("dynamic", "half"):
            words.add(item)
        elif equals and number.isascii() and number.isdecimal() and field not in _RESERVED:
            numbers[field] = int(number)
        else:
            raise user_error(
                "GX-012",
                "an option of a model is not understood",
                found=item or "nothing",
                expected="dynamic, half, or a field and its value, as in layers=4",
            )
    dynamic, half = "dynamic" in words, "half" in words
    try:
        return example_model(
            name, dynamic=dynamic, half=half, weights=weights, seed=seed, **numbers
        )
    except ValueError as error:
        raise user_error("GX-012", str(error)) from None


__all__ = ["DIMS", "MODELS", "Config", "ExampleModel", "example_model", "example_of"]
