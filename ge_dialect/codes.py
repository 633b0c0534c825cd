"""Registry of diagnostic codes: one line each, in numeric order, never reused.

Ranges: 0xx tools, 1xx text, 2xx operators, verifier and inference, 3xx importers and weights,
4xx passes and pipelines, 5xx target and build, 6xx runtime.
"""

from __future__ import annotations

CODES: dict[str, str] = {
    # tools
    "GX-001": "an input cannot be read",
    "GX-002": "an output cannot be written",
    "GX-003": "the input is not UTF-8 text",
    "GX-004": "a package of ours is hidden by another of the same name",
    "GX-005": "the system refused an operation",
    "GX-006": "internal error",
    "GX-007": "an optional package is missing",
    "GX-008": "wrong command line",
    "GX-009": "the input is empty",
    "GX-011": "no such graph, or several to choose from",
    # text
    "GX-101": "the text is not of the expected form",
    "GX-102": "a value is not defined",
    "GX-103": "a value is used before its definition",
    "GX-104": "an operator has no such attribute",
    "GX-105": "an operator has no such input",
    "GX-106": "the inputs of an operator are wrong",
    "GX-107": "an argument of a graph cannot order anything",
    "GX-108": "an attribute has an impossible value",
    "GX-109": "the number of results is wrong",
    "GX-110": "the text is nested too deeply",
    "GX-111": "a sub-graph of an operator is missing or has the wrong arguments",
    "GX-112": "there is no such operator or operation",
    "GX-113": "a dense literal is wrong",
    "GX-114": "a value is defined twice",
    "GX-115": "a string does not end",
    "GX-119": "the text makes no sense to the reader",
    "GX-120": "the text is not UTF-8",
    # operators, verifier, inference
    "GX-220": "a tensor has a rank that the operator does not take",
    "GX-221": "shapes do not agree",
    "GX-222": "an axis is out of range",
    "GX-223": "an attribute has a value that the operator does not take",
    "GX-224": "a list has the wrong number of entries",
    "GX-225": "dtypes do not agree",
    "GX-226": "the number of inputs or outputs does not fit",
    "GX-227": "a size is impossible",
    "GX-228": "something that the operator needs is missing",
    # importers and weights
    "GX-300": "a weight folder is missing",
    "GX-301": "a weight index is malformed",
    "GX-302": "a side file lies outside its folder",
    "GX-303": "a weight shard is truncated or does not fit its index",
    "GX-304": "unknown weight",
    "GX-305": "an abstract weight has no bytes",
    "GX-306": "a weight name is taken",
    "GX-307": "a dtype cannot be stored as a weight",
    "GX-308": "a weight recipe is malformed",
    "GX-309": "a weight recipe cannot be evaluated",
    "GX-310": "a weight folder cannot be written",
    "GX-330": "the file is not a readable ONNX model",
    "GX-331": "an ONNX operator is not supported",
    "GX-332": "a form of an ONNX operator is not supported",
    "GX-333": "the ONNX graph is invalid",
    "GX-334": "external data of an ONNX model is missing, wrong or outside its folder",
    "GX-335": "an element type is not supported",
    "GX-336": "a declared type contradicts the inferred one",
    "GX-337": "an opset is not supported",
    "GX-338": "the kind of an input is not recognised",
    # passes and pipelines
    "GX-401": "pipeline text is malformed",
    "GX-402": "unknown pass, stage or pipeline",
    "GX-403": "unknown pass option",
    "GX-404": "pass option has the wrong type",
    "GX-405": "a pass requires a property that nothing establishes",
    "GX-406": "a pass raised an exception",
    "GX-407": "the IR does not verify after a pass",
    "GX-408": "a fixpoint group did not settle",
    "GX-409": "a pass misreported whether it changed the IR",
    "GX-410": "a pipeline includes itself",
    "GX-411": "a pass that grows the graph by contract was expected not to",
    "GX-412": "a reproducer is malformed",
    "GX-413": "diagnostics differ from those expected in the input",
    "GX-414": "a rewrite budget is exhausted",
    "GX-420": "remark: a rewrite was applied",
    "GX-421": "remark: a rewrite was not applied",
    "GX-422": "remark: an analysis result",
    # target and build
    "GX-501": "unknown SoC",
    "GX-502": "a SoC file does not fit its schema",
    "GX-503": "no engine takes a node",
    "GX-504": "a node has no engine",
    "GX-510": "a compiled static model cannot hold a node",
    "GX-511": "a shape is not known at build time",
    "GX-512": "a limit of the SoC is exceeded",
    "GX-513": "a build step finds its preparation missing",
    # runtime
}


def title(code: str) -> str:
    """One-line meaning of a code; foreign codes (GE's own) are their own title."""
    return CODES.get(code, code)
