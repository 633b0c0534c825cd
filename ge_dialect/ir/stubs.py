"""Stand-ins for operator classes in a stock xDSL context.

Such a context reads the list of a dialect's operations once and never asks again, so lazy loading
needs one small class per name. A stub only forwards: `parse` and `create` are all that xDSL's
parser uses, and what they return is an instance of the real class, loaded at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.ir import Attribute, Dialect, Operation
from xdsl.parser import Parser

from ge_dialect.ir.attributes import GE_ATTRIBUTES, GE_TYPES


class OperatorStub(Operation):
    """Base of all stubs; `name` is the operation name."""

    @classmethod
    def ge_real(cls) -> Any:
        """The operator class this stub stands for."""
        from ge_dialect.ops.registry import op_class

        return op_class(cls.name[3:])

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        """Read the custom form as the real class does."""
        return cls.ge_real().parse(parser)

    @classmethod
    def create(
        cls,
        *,
        properties: Mapping[str, Attribute] = {},
        attributes: Mapping[str, Attribute] = {},
        **rest: Any,
    ) -> Any:
        """Make the real operator; properties written among the attributes are moved over.

        xDSL does that itself only for classes it knows the definition of.
        """
        real = cls.ge_real()
        declared = real.get_irdl_definition().properties
        moved = {k: v for k, v in attributes.items() if k in declared and k not in properties}
        return real.create(
            properties={**properties, **moved},
            attributes={k: v for k, v in attributes.items() if k not in moved},
            **rest,
        )


def stub_dialect() -> Dialect:
    """The `ge` dialect for stock contexts: stubs, the graph, all types and attributes."""
    from ge_dialect.ir.graph import GraphOp
    from ge_dialect.ops.registry import op_names

    stubs: list[type[Operation]] = [
        type(name, (OperatorStub,), {"name": f"ge.{name}", "__module__": __name__})
        for name in op_names()
    ]
    return Dialect("ge", [GraphOp, *stubs], [*GE_TYPES, *GE_ATTRIBUTES])
