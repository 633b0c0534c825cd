"""SoC descriptions: TOML files with the provenance of every number, validated on load."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.plugins import entries

SCHEMA = 1
PROVENANCES = ("documented", "fitted", "assumed")
FOLDER = Path(__file__).with_name("soc")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a number is from: `kind` is documented, fitted or assumed; `note` says more."""

    kind: str
    note: str


@dataclass(frozen=True, slots=True)
class Cube:
    """Matrix half of the AI Core. Rates are per core; sizes in bytes."""

    cores: int
    clock_hz: int
    macs_per_cycle_f16: int
    macs_per_cycle_i8: int
    macs_per_cycle_f32: int
    l1_bytes: int
    l0a_bytes: int
    l0b_bytes: int
    l0c_bytes: int
    tile: int


@dataclass(frozen=True, slots=True)
class Vector:
    """Vector half of the AI Core. `cycles_transcendental` is relative to a simple instruction."""

    cores: int
    clock_hz: int
    bytes_per_cycle: int
    ub_bytes: int
    cycles_transcendental: int


@dataclass(frozen=True, slots=True)
class AiCpu:
    """ARM cores on the die; `kernel_ns` is the fixed cost of one kernel, rates are per core."""

    cores: int
    kernel_ns: int
    bytes_per_s: int
    flops_per_s: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Device memory and L2. `alignment` is that of planned blocks, in bytes."""

    hbm_bytes: int
    hbm_bytes_per_s: int
    l2_bytes: int
    l2_bytes_per_s: int
    alignment: int
    copy_bytes_per_s: int


@dataclass(frozen=True, slots=True)
class Queue:
    """Limits of streams and events."""

    streams: int
    events: int
    depth: int
    reserved: int


@dataclass(frozen=True, slots=True)
class Device:
    """Fixed costs on the device, in ns."""

    task_gap_ns: int
    event_signal_ns: int
    event_record_ns: int
    copy_launch_ns: int
    aicpu_dispatch_ns: int


@dataclass(frozen=True, slots=True)
class Host:
    """Fixed costs on the host, in ns, and the host-device link."""

    model_execute_ns: int
    op_eager_ns: int
    launch_ns: int
    stream_sync_ns: int
    copy_bytes_per_s: int
    copy_ns: int


@dataclass(frozen=True, slots=True)
class CostClass:
    """Launch time and efficiencies (shares of peak, 0 to 1) of one class of kernels."""

    launch_ns: int
    compute: float
    memory: float


COST_CLASSES = (
    "matmul",
    "conv",
    "attention",
    "elementwise",
    "norm",
    "reduction",
    "pool",
    "layout",
    "move",
)


@dataclass(frozen=True)
class SoC:
    """A device: its parts, the cost classes by name, and the provenance of `section.name`."""

    name: str
    generation: str
    arch: str
    npu_arch: int
    cube: Cube
    vector: Vector
    aicpu: AiCpu
    memory: Memory
    queue: Queue
    device: Device
    host: Host
    cost: dict[str, CostClass]
    provenance: dict[str, Provenance]


_SECTIONS: dict[str, type] = {
    "cube": Cube,
    "vector": Vector,
    "aicpu": AiCpu,
    "memory": Memory,
    "queue": Queue,
    "device": Device,
    "host": Host,
}
_IDENTITY = {"name": str, "generation": str, "arch": str, "npu_arch": int}


def soc_names() -> list[str]:
    """Names of the SoC files that come with the package, and of those that plug-ins offer."""
    return sorted({*_own_names(), *entries.names("socs")})


@cache
def _own_names() -> tuple[str, ...]:
    return tuple(_parse(path)["soc"]["name"] for path in FOLDER.glob("*.toml"))


def is_own_soc(name: str) -> bool:
    """Whether a SoC file of that name comes with the package."""
    return name.lower().removeprefix("ascend") in {
        own.lower().removeprefix("ascend") for own in _own_names()
    }


def load_soc(name: str = "Ascend910B2") -> SoC:
    """The SoC of that name ("Ascend910B2" or "910B2"), or of a TOML file given by path.

    A plug-in may bring more. Raises GeError GX-501 for an unknown name, GX-502 for a file that does
    not fit the schema. Our own files are read once; others may change, or go with a plug-in.
    """
    if name.endswith(".toml"):
        return read_soc(Path(name))
    short = name.lower().removeprefix("ascend")
    path = FOLDER / f"ascend{short}.toml"
    if not short.isalnum() or not path.is_file():
        for offered in entries.names("socs"):
            if offered.lower().removeprefix("ascend") == short:
                found = entries.entry("socs", offered)
                return read_soc(Path(entries.resource(found, f"{offered.lower()}.toml")))
        raise GeError(
            [
                Diagnostic(
                    "GX-501",
                    f"no SoC is called '{name}'",
                    expected="one of " + ", ".join(soc_names()) + ", or the path of a .toml file",
                )
            ]
        )
    return _own_soc(path)


@cache
def _own_soc(path: Path) -> SoC:
    return read_soc(path)


def read_soc(path: Path) -> SoC:
    """Reads and validates one SoC file; all problems are reported at once (GX-502)."""
    return _build(_parse(path), str(path))


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        problem = Diagnostic("GX-502", f"the SoC file cannot be read: {error}", location=str(path))
        raise GeError([problem]) from error


def _build(data: dict[str, Any], where: str) -> SoC:
    reader = _Reader(where)
    if data.get("schema") != SCHEMA:
        reader.problem("schema", f"schema version {data.get('schema')!r}", str(SCHEMA))
    known = {"schema", "soc", "cost", *_SECTIONS}
    for name in sorted(set(data) - known):
        reader.problem(name, "unknown section", "one of " + ", ".join(sorted(known)))
    identity = data.get("soc", {})
    for name, kind in _IDENTITY.items():
        if not isinstance(identity.get(name), kind):
            reader.problem(f"soc.{name}", f"{identity.get(name)!r}", kind.__name__)
    parts = {name: reader.section(name, data.get(name), cls) for name, cls in _SECTIONS.items()}
    costs = data.get("cost", {})
    for name in sorted(set(costs) - set(COST_CLASSES)):
        reader.problem(f"cost.{name}", "unknown class", "one of " + ", ".join(COST_CLASSES))
    cost = {
        name: reader.section(f"cost.{name}", costs.get(name), CostClass) for name in COST_CLASSES
    }
    if reader.problems:
        raise GeError(reader.problems)
    return SoC(
        **{name: identity[name] for name in _IDENTITY},
        **parts,
        cost=cost,
        provenance=reader.provenance,
    )


class _Reader:
    """Checks entries and collects problems and provenances."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.problems: list[Diagnostic] = []
        self.provenance: dict[str, Provenance] = {}

    def problem(self, key: str, found: str, expected: str) -> None:
        self.problems.append(
            Diagnostic(
                "GX-502",
                f"SoC file: '{key}' is wrong",
                location=self.where,
                found=found,
                expected=expected,
            )
        )

    def section(self, name: str, table: object, cls: type) -> Any:
        if not isinstance(table, dict):
            self.problem(name, "no such section", f"a table [{name}]")
            return None
        hints = get_type_hints(cls)
        names = [f.name for f in fields(cls)]
        for key in sorted(set(table) - set(names)):
            self.problem(f"{name}.{key}", "unknown parameter", "one of " + ", ".join(names))
        values = {key: self.number(f"{name}.{key}", table.get(key), hints[key]) for key in names}
        return None if None in values.values() else cls(**values)

    def number(self, key: str, entry: object, kind: type) -> int | float | None:
        if not isinstance(entry, dict) or set(entry) != {"value", "from", "note"}:
            self.problem(key, f"{entry!r}", "{ value = …, from = …, note = … }")
            return None
        value, source = entry["value"], entry["from"]
        if source not in PROVENANCES:
            self.problem(key, f"from = {source!r}", "one of " + ", ".join(PROVENANCES))
        if not isinstance(entry["note"], str):
            self.problem(key, f"note = {entry['note']!r}", "a string")
        number = isinstance(value, int) or (kind is float and isinstance(value, float))
        if not number or isinstance(value, bool) or value <= 0 or (kind is float and value > 1):
            limit = "a share in (0, 1]" if kind is float else "a positive integer"
            self.problem(key, f"value = {value!r}", limit)
            return None
        self.provenance[key] = Provenance(str(source), str(entry["note"]))
        return kind(value)
