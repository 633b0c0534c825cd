"""Passes in the shape of GE's Python fusion passes; in GE the imports would be `ge.passes`."""

from __future__ import annotations

from typing import Any, ClassVar

from passes.base import Contract, Pass
from passes.ge_adapter import (
    DecomposePass,
    Graph,
    GraphBuilder,
    NodeView,
    PassStage,
    Pattern,
    PatternFusionPass,
    adapted,
    create_pattern,
    create_replacement,
    es,
    register_decompose_pass,
    register_fusion_pass,
)


@register_fusion_pass(name="SoftCapOddPass", stage=PassStage.AFTER_BUILTIN_FUSION_PASS)
class OddPass(PatternFusionPass):
    """-SoftCap(-x) becomes SoftCap(x): tanh is odd."""

    contract: ClassVar[Contract] = Contract(values="exact")

    def patterns(self) -> list[Pattern]:
        """One graph, whose SoftCap is captured."""
        builder = GraphBuilder("odd")
        x = builder.create_input(0)
        capped = es.SoftCap(es.Neg(x))
        graph = builder.build_and_reset([es.Neg(capped)])
        return [create_pattern(graph).capture_tensor(capped)]

    def meet_requirements(self, match_result: Any) -> bool:
        """Only for a cap that GE's kernel takes."""
        if match_result.get_captured_tensor(0).node.get_attr("cap") > 1000.0:
            return match_result.refuse("the cap is too large")
        return True

    def replacement(self, match_result: Any) -> Graph:
        """SoftCap with the same cap."""
        builder = GraphBuilder("odd_replacement")
        x = builder.create_input(0)
        cap = match_result.get_captured_tensor(0).node.get_attr("cap")
        return create_replacement(builder.build_and_reset([es.SoftCap(x, cap=cap)]))

    @staticmethod
    def examples() -> list[str]:
        """Graphs the kit starts from."""
        return [
            "ge.graph @g(%x: tensor<2x3xf32>) {\n"
            "  %n = ge.Neg(%x) : tensor<2x3xf32>\n"
            "  %s = ge.SoftCap(%n) {cap = 4.0} : tensor<2x3xf32>\n"
            "  %y = ge.Neg(%s) : tensor<2x3xf32>\n"
            "  ge.NetOutput(%y)\n"
            "}\n"
        ]


@register_decompose_pass(
    name="SoftCapSplitPass",
    stage=PassStage.AFTER_ORIGIN_GRAPH_OPTIMIZE,
    op_types=["SoftCap"],
)
class SplitPass(DecomposePass):
    """SoftCap becomes three nodes again, for a device without it."""

    contract: ClassVar[Contract] = Contract(values="exact", grows=True)

    def meet_requirements(self, node: NodeView) -> bool:
        """Only float32: the three nodes would round narrower types more often."""
        return node.get_input_desc(0).get_data_type().name == "DT_FLOAT"

    def replacement(self, node: NodeView) -> Graph:
        """cap * tanh(x / cap)."""
        builder = GraphBuilder("split")
        x = builder.create_input(0)
        cap = node.get_attr("cap")
        return create_replacement(builder.build_and_reset([es.Tanh(es.RealDiv(x, cap)) * cap]))


SoftCapOdd: type[Pass] = adapted(OddPass)
SoftCapSplit: type[Pass] = adapted(SplitPass)
