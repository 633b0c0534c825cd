"""Written-down calls of the operators on lists of tensors.

The form is that of `rules_templates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Template = tuple[str, dict[str, Any]]

_PAIR = ("x1*2:M,N; x2*2:M,N", "x1*1:M; x2*1:M")
_THREE = ("x1*2:M,N; x2*2:M,N; x3*2:M,N", "x1*1:M; x2*1:M; x3*1:M")


def _calls(*texts: str) -> tuple[Template, ...]:
    return tuple((text, {}) for text in texts)


FOREACH: dict[str, Sequence[Template]] = {
    "ForeachRoundOffNumber": _calls("x*2:M,N; roundMode::int8:==1", "x*1:M; roundMode::int8:==4"),
    "ForeachNorm": _calls("x*2:M,N; scalar::int64:==2", "x*1:M; scalar::int64:==1"),
    "ForeachPowScalarAndTensor": _calls("scalar::float32:+; x*2:M,N", "scalar::int64:==2; x*1:M"),
    "ForeachLerpScalar": _calls(*(t + "; weight::float32" for t in _PAIR)),
    "ForeachLerpList": _calls(_PAIR[0] + "; weight*2:M,N", _PAIR[1] + "; weight*1:M"),
}
for _name in ("Add", "Sub", "Mul", "Div", "Maximum", "Minimum", "Pow"):
    FOREACH[f"Foreach{_name}Scalar"] = _calls("x*2:M,N; scalar:", "x*1:M; scalar:1")
    FOREACH[f"Foreach{_name}ScalarList"] = _calls("x*2:M,N; scalars:2", "x*1:M; scalars:1")
    _alpha = "; alpha:" if _name in ("Add", "Sub") else ""
    FOREACH[f"Foreach{_name}List"] = _calls(*(t + _alpha for t in _PAIR))
for _name in ("Addcdiv", "Addcmul"):
    FOREACH[f"Foreach{_name}Scalar"] = _calls(*(t + "; scalar:" for t in _THREE))
    for _kind in ("ScalarList", "List"):
        FOREACH[f"Foreach{_name}{_kind}"] = _calls(
            _THREE[0] + "; scalars:2", _THREE[1] + "; scalars:1"
        )
