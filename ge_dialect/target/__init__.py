"""What the compiler knows about the machine: SoC files, op library, cost model."""

from __future__ import annotations

from ge_dialect.target.soc_file import SoC, load_soc, soc_names

__all__ = ["SoC", "load_soc", "soc_names"]
