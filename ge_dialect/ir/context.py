"""The xDSL context of our tools: `ge` operators are loaded on first use of a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.ir import Dialect, Operation

from ge_dialect.ir.attributes import GE_ATTRIBUTES, GE_TYPES

#: The one operation of the `ge` dialect that is no operator.
_GRAPH = "ge.graph"


def _ge_dialect() -> Dialect:
    from ge_dialect.ir.graph import GraphOp

    return Dialect("ge", [GraphOp], [*GE_TYPES, *GE_ATTRIBUTES])


def _rt_dialect() -> Dialect:
    from ge_dialect.rt.dialect import RT

    return RT


def _func_dialect() -> Dialect:
    from xdsl.dialects.func import Func

    return Func


@dataclass
class GeContext(Context):
    """A context that resolves `ge.*` operator names through the operator registry."""

    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        if name.startswith("ge.") and name not in self._loaded_ops and name != _GRAPH:
            from ge_dialect.ops.registry import has_op, op_class

            if has_op(name[3:]):
                self._loaded_ops[name] = op_class(name[3:])
        elif "." in name and name.split(".", 1)[0] not in self._registered_dialects:
            self._adopt(name.split(".", 1)[0])
        return super().get_optional_op(name, dialect_stack=dialect_stack)

    def _adopt(self, dialect: str) -> None:
        """Register one of xDSL's own dialects (arith, scf …) when a name of it is first met."""
        from xdsl.dialects import get_all_dialects

        factory = get_all_dialects().get(dialect)
        if factory is not None:
            self.register_dialect(dialect, factory)

    def clone(self) -> GeContext:
        return GeContext(
            self.allow_unregistered,
            self._loaded_dialects.copy(),
            self._loaded_ops.copy(),
            self._loaded_attrs.copy(),
            self._loaded_types.copy(),
            self._registered_dialects.copy(),
        )


#: Dialects our tools know besides `builtin`: name -> factory.
DIALECTS = {"ge": _ge_dialect, "rt": _rt_dialect, "func": _func_dialect}


def make_context(allow_unregistered: bool = False) -> GeContext:
    """A fresh context with `builtin` loaded and our dialects registered lazily."""
    ctx = GeContext(allow_unregistered)
    ctx.load_dialect(Builtin)
    for name, factory in DIALECTS.items():
        ctx.register_dialect(name, factory)
    return ctx
