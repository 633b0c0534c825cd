"""The dialects of this project for stock xDSL tools, through the `xdsl.universe` entry point.

Only factories stand here: every start of `xdsl-opt` imports this module.
"""

from __future__ import annotations

from xdsl.ir import Dialect
from xdsl.universe import Universe


def _ge() -> Dialect:
    from ge_dialect.ir.stubs import stub_dialect

    return stub_dialect()


def _rt() -> Dialect:
    from ge_dialect.rt.dialect import RT

    return RT


GE_UNIVERSE = Universe(all_dialects={"ge": _ge, "rt": _rt})
