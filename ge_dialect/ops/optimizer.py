"""Optimisers: one step of training, which changes variables in place.

Numbers such as the learning rate are scalars or hold one element. The variables of a node have one
shape, which is also that of the gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import refine
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import bool_, float_, opt_tin, ref_in, ref_out, tin
from ge_dialect.ir.types import ref_type
from ge_dialect.ops._bases import REAL, UNARY

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _step(
    n: InferNode, variables: Sequence[str], gradient: str, numbers: Sequence[str], results: int
) -> Sequence[Attribute]:
    """Checks one step; results: how many of the variables come out again."""
    first = variables[0]
    shape = n.shape(first)
    for name in (*variables[1:], gradient):
        shape = refine(shape, n.shape(name), f"shapes of {first} and {name}")
    n.one_value(*numbers, any_rank=True)
    return [ref_type(n.logical(name)) for name in variables[:results]]


class _Adam(GeOp):
    """What both forms of Adam share; the variables that a form gives out are those it lists."""

    var = ref_in("T")
    m = ref_in("T")
    v = ref_in("T")
    beta1_power = tin("T")
    beta2_power = tin("T")
    lr = tin("T")
    beta1 = tin("T")
    beta2 = tin("T")
    epsilon = tin("T")
    grad = tin("T")
    use_locking = bool_(False)
    use_nesterov = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        numbers = ("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon")
        return _step(n, ("var", "m", "v"), "grad", numbers, len(cls.ge_table().outputs))


@ge_op
class ApplyAdam(_Adam):
    """Adam (TensorFlow's): moments m and v, and a step of the variable along m / sqrt(v).

    m += (1 - beta1)·(grad - m); v += (1 - beta2)·(grad² - v); var -= lr·sqrt(1 - beta2_power) /
    (1 - beta1_power) · m / (sqrt(v) + epsilon), with `use_nesterov` of beta1·m + (1 - beta1)·grad
    instead of m.
    """

    name = "ge.ApplyAdam"
    TYPES: ClassVar = {"T": UNARY}  # integers, which the prototype takes, have no such step
    EFFECTS: ClassVar = Effects.writes("var", "m", "v", reads=("var", "m", "v"))

    var_ = ref_out("T", name="var")


@ge_op
class ApplyAdamD(_Adam):
    """ApplyAdam with all three variables as results."""

    name = "ge.ApplyAdamD"
    TYPES: ClassVar = {"T": UNARY}  # integers, which the prototype takes, have no such step
    EFFECTS: ClassVar = Effects.writes("var", "m", "v", reads=("var", "m", "v"))

    var_ = ref_out("T", name="var")
    m_ = ref_out("T", name="m")
    v_ = ref_out("T", name="v")


@ge_op
class ApplyAdamW(GeOp):
    """Adam with decoupled weight decay (I. Loshchilov, F. Hutter, 2017).

    The powers are those of the step before: bias correction takes beta1_power·beta1 and
    beta2_power·beta2. var is multiplied by 1 - lr·weight_decay first; `maximize` turns the gradient
    around. As on the device, `amsgrad` has to be false.
    """

    name = "ge.ApplyAdamW"
    TYPES: ClassVar = {"T": REAL}  # other numbers, which the prototype takes, have no such step
    EFFECTS: ClassVar = Effects.writes("var", "m", "v", reads=("var", "m", "v"))

    var = ref_in("T")
    m = ref_in("T")
    v = ref_in("T")
    beta1_power = tin("T")
    beta2_power = tin("T")
    lr = tin("T")
    weight_decay = tin("T")
    beta1 = tin("T")
    beta2 = tin("T")
    epsilon = tin("T")
    grad = tin("T")
    max_grad_norm = opt_tin("T")
    var_ = ref_out("T", name="var")
    m_ = ref_out("T", name="m")
    v_ = ref_out("T", name="v")
    amsgrad = bool_(False)
    maximize = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("amsgrad"):
            n.fail("amsgrad is not supported", found=True, expected=False)
        numbers = ("beta1_power", "beta2_power", "lr", "weight_decay", "beta1", "beta2", "epsilon")
        return _step(n, ("var", "m", "v"), "grad", numbers, 3)


@ge_op
class ApplyGradientDescent(GeOp):
    """var -= alpha·delta."""

    name = "ge.ApplyGradientDescent"
    TYPES: ClassVar = {"T": "NumberType"}
    EFFECTS: ClassVar = Effects.writes("var", reads=("var",))

    var = ref_in("T")
    alpha = tin("T")
    delta = tin("T")
    var_ = ref_out("T", name="var")
    use_locking = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _step(n, ("var",), "delta", ("alpha",), 1)


@ge_op
class ApplyMomentum(GeOp):
    """accum = accum·momentum + grad, then var -= lr·accum.

    With `use_nesterov` var -= lr·(grad + momentum·accum).
    """

    name = "ge.ApplyMomentum"
    TYPES: ClassVar = {"T": "NumberType"}
    EFFECTS: ClassVar = Effects.writes("var", "accum", reads=("var", "accum"))

    var = ref_in("T")
    accum = ref_in("T")
    lr = tin("T")
    grad = tin("T")
    momentum = tin("T")
    var_ = ref_out("T", name="var")
    use_nesterov = bool_(False)
    use_locking = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _step(n, ("var", "accum"), "grad", ("lr", "momentum"), 1)


@ge_op
class SGD(GeOp):
    """Gradient descent with momentum, dampening and weight decay (PyTorch's, but see below).

    g = gradient + weight_decay·parameters; a = accum·momentum + g - dampening·(1 - stat)·g;
    parameters -= learning_rate·a, with `nesterov` learning_rate·(g + momentum·a). Where momentum
    is not 0, accum becomes a and stat 0. Unlike PyTorch's, dampening acts without momentum too.
    """

    name = "ge.SGD"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed
    EFFECTS: ClassVar = Effects.writes(
        "parameters", "accum", "stat", reads=("parameters", "accum", "stat")
    )

    parameters = ref_in("T")
    gradient = tin("T")
    learning_rate = tin("T")
    accum = ref_in("T")
    momentum = tin("T")
    stat = ref_in("T")
    parameters_ = ref_out("T", name="parameters")
    dampening = float_(0.0)
    weight_decay = float_(0.0)
    nesterov = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("weight_decay") < 0:
            n.fail("weight_decay is negative", found=n.attr("weight_decay"), expected="≥ 0")
        if n.attr("nesterov") and n.attr("dampening"):
            n.fail("nesterov allows no dampening", found=n.attr("dampening"), expected=0.0)
        variables = ("parameters", "accum", "stat")
        return _step(n, variables, "gradient", ("learning_rate", "momentum"), 1)
