"""Passes written in the shape of GE's Python fusion passes, run as passes of ours.

The names are those of GE's own packages, so a file that says ``from ge.passes import ...`` loads
unchanged with `--load` where GE is not installed; other code imports them from here::

    from passes.ge_adapter import GraphBuilder, PassStage, PatternFusionPass, es, ...

`builder` makes pattern and replacement graphs, `views` show nodes of the target, `matching` finds
and replaces, `fusion` has the base classes and turns them into `passes.base.Pass`;
`passes.ge_modules` stands in for the package ``ge``.
"""

from __future__ import annotations

from passes.ge_adapter.builder import Graph, GraphBuilder, InputType, NodeIo, TensorHolder, es
from passes.ge_adapter.fusion import (
    STAGES,
    DecomposePass,
    FusionBasePass,
    PassContext,
    PassStage,
    PatternFusionPass,
    adapted,
    get_registered_passes,
    pattern,
    register_decompose_pass,
    register_fusion_pass,
)
from passes.ge_adapter.matching import (
    MatchResult,
    Pattern,
    PatternMatcherConfig,
    PatternMatcherConfigBuilder,
    capture_tensor,
    create_pattern,
    create_replacement,
)
from passes.ge_adapter.views import DataType, Format, NodeView, Tensor, TensorDesc

__all__ = [
    "STAGES",
    "DataType",
    "DecomposePass",
    "Format",
    "FusionBasePass",
    "Graph",
    "GraphBuilder",
    "InputType",
    "MatchResult",
    "NodeIo",
    "NodeView",
    "PassContext",
    "PassStage",
    "Pattern",
    "PatternFusionPass",
    "PatternMatcherConfig",
    "PatternMatcherConfigBuilder",
    "Tensor",
    "TensorDesc",
    "TensorHolder",
    "adapted",
    "capture_tensor",
    "create_pattern",
    "create_replacement",
    "es",
    "get_registered_passes",
    "pattern",
    "register_decompose_pass",
    "register_fusion_pass",
]
