"""Written by `python -m ge_dialect.builder.stubgen` from the operators' classes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from ge_dialect.builder.values import After, DTypeLike, Node, Ref, Tensor, Value

#: A sub-graph: a function of its inputs that returns its outputs.
Body: TypeAlias = Callable[..., Tensor | Ref | Sequence[Tensor | Ref]]
#: Types of results: like a tensor, or a shape and a dtype.
Results: TypeAlias = Sequence[Tensor | tuple[Sequence[int | None] | None, DTypeLike]]

def Abs(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Absolute value."""

def AccumulateNV2(
    x: Sequence[Value],
    *,
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Sum of N tensors of one shape (what ONNX's Sum becomes when nothing broadcasts)."""

def Acos(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Arc cosine."""

def Acosh(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Inverse hyperbolic cosine; NaN below 1."""

def AdaptiveAvgPool2d(
    x: Value,
    *,
    output_size: Sequence[int],
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Mean over windows that share out an image [N, C, H, W] or [C, H, W]."""

def Add(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 + x2; strings are joined."""

class AddLayerNormResults(NamedTuple):
    y: Tensor
    mean: Tensor
    rstd: Tensor
    x: Tensor

def AddLayerNorm(
    x1: Value,
    x2: Value,
    gamma: Value,
    beta: Value,
    bias: Value | None = None,
    *,
    epsilon: float = 1.0e-05,
    additional_output: bool = False,
    name: str | None = None,
    after: After = (),
) -> AddLayerNormResults:
    """LayerNorm of x = x1 + x2 + bias over the last dims, those of gamma; x is a result as well."""

def AddN(
    x: Sequence[Value],
    *,
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Sum of N tensors of one shape."""

class AddRmsNormResults(NamedTuple):
    y: Tensor
    rstd: Tensor
    x: Tensor

def AddRmsNorm(
    x1: Value,
    x2: Value,
    gamma: Value,
    *,
    epsilon: float = 1.0e-06,
    name: str | None = None,
    after: After = (),
) -> AddRmsNormResults:
    """RmsNorm of x = x1 + x2, which is a result as well; the rounded sum is what is normalised."""

class AddRmsNormCastResults(NamedTuple):
    y1: Tensor
    y2: Tensor
    rstd: Tensor
    x: Tensor

def AddRmsNormCast(
    x1: Value,
    x2: Value,
    gamma: Value,
    *,
    epsilon: float = 1.0e-06,
    name: str | None = None,
    after: After = (),
) -> AddRmsNormCastResults:
    """AddRmsNorm whose result comes in float32 (y1) and in the dtype of x (y2)."""

class AddRmsNormQuantResults(NamedTuple):
    y1: Tensor
    y2: Tensor
    x: Tensor

def AddRmsNormQuant(
    x1: Value,
    x2: Value,
    gamma: Value,
    scales1: Value,
    scales2: Value | None = None,
    zero_points1: Value | None = None,
    zero_points2: Value | None = None,
    beta: Value | None = None,
    *,
    axis: int = -1,
    epsilon: float = 1.0e-06,
    div_mode: bool = True,
    dst_type: int = 2,
    name: str | None = None,
    after: After = (),
) -> AddRmsNormQuantResults:
    """round(y / scales + zero_points) of y = AddRmsNorm(x1, x2) + beta, for two sets of scales."""

def Addcdiv(
    input_data: Value,
    x1: Value,
    x2: Value,
    value: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """input_data + value·x1 / x2; a quotient of integers is truncated toward zero (assumed)."""

def Addcmul(
    input_data: Value,
    x1: Value,
    x2: Value,
    value: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """input_data + value·x1·x2."""

def Adds(x: Value, *, value: float, name: str | None = None, after: After = ()) -> Tensor:
    """x plus the scalar `value`."""

def AffineGrid(
    theta: Value,
    output_size: Value,
    *,
    align_corners: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Grid for GridSampler of the places theta [N, r, r + 1] · (coordinates, 1), r = 2 or 3."""

def AippData(data: Value, *, index: int = 0, name: str | None = None, after: After = ()) -> Tensor:
    """Raw image input that feeds an AIPP pre-processing op."""

class AllGatherMatmulResults(NamedTuple):
    y: Tensor
    gather_out: Tensor

def AllGatherMatmul(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    *,
    group: str,
    is_trans_a: bool = False,
    is_trans_b: bool = False,
    gather_index: int = 0,
    comm_turn: int = 0,
    rank_size: int = 0,
    is_gather_out: bool = True,
    name: str | None = None,
    after: After = (),
) -> AllGatherMatmulResults:
    """gather_out · x2 + bias, where gather_out is x1 of all ranks along axis 0."""

def ApplyAdam(
    var: Ref,
    m: Ref,
    v: Ref,
    beta1_power: Value,
    beta2_power: Value,
    lr: Value,
    beta1: Value,
    beta2: Value,
    epsilon: Value,
    grad: Value,
    *,
    use_locking: bool = False,
    use_nesterov: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """Adam (TensorFlow's): moments m and v, and a step of the variable along m / sqrt(v)."""

class ApplyAdamDResults(NamedTuple):
    var: Ref
    m: Ref
    v: Ref

def ApplyAdamD(
    var: Ref,
    m: Ref,
    v: Ref,
    beta1_power: Value,
    beta2_power: Value,
    lr: Value,
    beta1: Value,
    beta2: Value,
    epsilon: Value,
    grad: Value,
    *,
    use_locking: bool = False,
    use_nesterov: bool = False,
    name: str | None = None,
    after: After = (),
) -> ApplyAdamDResults:
    """ApplyAdam with all three variables as results."""

class ApplyAdamWResults(NamedTuple):
    var: Ref
    m: Ref
    v: Ref

def ApplyAdamW(
    var: Ref,
    m: Ref,
    v: Ref,
    beta1_power: Value,
    beta2_power: Value,
    lr: Value,
    weight_decay: Value,
    beta1: Value,
    beta2: Value,
    epsilon: Value,
    grad: Value,
    max_grad_norm: Value | None = None,
    *,
    amsgrad: bool = False,
    maximize: bool = False,
    name: str | None = None,
    after: After = (),
) -> ApplyAdamWResults:
    """Adam with decoupled weight decay (I. Loshchilov, F. Hutter, 2017)."""

def ApplyGradientDescent(
    var: Ref,
    alpha: Value,
    delta: Value,
    *,
    use_locking: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """var -= alpha·delta."""

def ApplyMomentum(
    var: Ref,
    accum: Ref,
    lr: Value,
    grad: Value,
    momentum: Value,
    *,
    use_nesterov: bool = False,
    use_locking: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """accum = accum·momentum + grad, then var -= lr·accum."""

class ApplyRotaryPosEmbResults(NamedTuple):
    query: Tensor
    key: Tensor

def ApplyRotaryPosEmb(
    query: Value,
    key: Value,
    cos: Value,
    sin: Value,
    *,
    layout: int = 1,
    rotary_mode: str = "half",
    name: str | None = None,
    after: After = (),
) -> ApplyRotaryPosEmbResults:
    """RotaryMul of query and key by one cos and sin, in one node."""

def ArgMaxV2(
    x: Value,
    dimension: Value,
    *,
    dtype: DTypeLike = "int64",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Position of the largest element along `dimension`, which disappears; of equals the first."""

class ArgMaxWithValueResults(NamedTuple):
    indice: Tensor
    values: Tensor

def ArgMaxWithValue(
    x: Value,
    *,
    dimension: int,
    keep_dims: bool = False,
    indice_dtype: DTypeLike = "int32",
    name: str | None = None,
    after: After = (),
) -> ArgMaxWithValueResults:
    """First position of the largest element along `dimension`, and the element."""

def ArgMin(
    x: Value,
    dimension: Value,
    *,
    dtype: DTypeLike = "int64",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Position of the smallest element along `dimension`, which disappears; of equals the first."""

class ArgMinWithValueResults(NamedTuple):
    indice: Tensor
    values: Tensor

def ArgMinWithValue(
    x: Value,
    *,
    dimension: int,
    keep_dims: bool = False,
    indice_dtype: DTypeLike = "int32",
    name: str | None = None,
    after: After = (),
) -> ArgMinWithValueResults:
    """First position of the smallest element along `dimension`, and the element."""

def AsStrided(
    x: Value,
    size: Value,
    stride: Value,
    storage_offset: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """y[i …] is the element of x, read as one row, at storage_offset + the sum of i · stride."""

def AscBackend(
    inputs: Sequence[Value | Ref],
    *,
    body: Body,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """A kernel that was generated for the nodes in its body."""

def AscendAntiQuant(
    x: Value,
    *,
    scale: float,
    offset: float,
    dtype: int = 0,
    sqrt_mode: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(x + offset) · scale as float32 or, with dtype 1, float16; `sqrt_mode` scales twice."""

def AscendAntiQuantV2(
    x: Value,
    scale: Value,
    offset: Value | None = None,
    *,
    dst_type: int = 1,
    sqrt_mode: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(x + offset) · scale with tensors that broadcast to x."""

def AscendDequant(
    x: Value,
    deq_scale: Value,
    *,
    sqrt_mode: bool = False,
    relu_flag: bool = False,
    dtype: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """int32 sums times deq_scale, which serves all or lies along axis 1, with relu on demand."""

def AscendQuant(
    x: Value,
    *,
    scale: float,
    offset: float,
    sqrt_mode: bool = False,
    round_mode: str = "Round",
    dst_type: int = 2,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """round(x · scale + offset), saturated to the dtype with GE's number dst_type."""

def AscendQuantV2(
    x: Value,
    scale: Value,
    offset: Value | None = None,
    *,
    sqrt_mode: bool = False,
    round_mode: str = "round",
    dst_type: int = 2,
    axis: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """round(x · scale + offset) with tensors; vectors lie along `axis`, scalars serve all."""

def AscendRequant(
    x: Value,
    req_scale: Value,
    *,
    relu_flag: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """int32 sums times req_scale, rounded to nearest even and saturated to int8, relu on demand."""

def AscendWeightQuant(
    x: Value,
    offset: Value,
    *,
    dst_type: int = 2,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Applies the offset to quantised weights."""

def Asin(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Arc sine."""

def Asinh(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Inverse hyperbolic sine."""

def Assert(
    input_condition: Value,
    input_data: Sequence[Value] = (),
    *,
    summarize: int = 3,
    name: str | None = None,
    after: After = (),
) -> Node:
    """Ends the run with an error where the condition is false."""

def Assign(
    ref: Ref,
    value: Value,
    *,
    validate_shape: bool = True,
    use_locking: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """ref takes the value; with `validate_shape` both have one shape, else ref takes that too."""

def AssignAdd(
    ref: Ref,
    value: Value,
    *,
    use_locking: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """ref takes ref + value; the value stretches to the ref's shape."""

def AssignSub(
    var: Ref,
    value: Value,
    *,
    use_locking: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """var takes var - value; the value stretches to the variable's shape."""

def AssignVariableOp(
    resource: Value,
    value: Value,
    *,
    dtype: DTypeLike,
    name: str | None = None,
    after: After = (),
) -> Node:
    """Writes a value through a variable handle."""

def Atan(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Arc tangent."""

def Atan2(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Angle of the point (x2, x1) from the x axis, in -pi … pi."""

def Atanh(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Inverse hyperbolic tangent; NaN outside -1 … 1."""

def AtomicAddrClean(
    *,
    automic_add_addr_start: Sequence[int] = (),
    automic_add_mem_size: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Node:
    """Zeroes outputs and workspaces that others add to; GE makes it, sizes are bytes."""

def AvgPool(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Mean of each window without its padding, with SAME or VALID padding."""

def AvgPool3D(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    data_format: str = "NDHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Mean of each window."""

def AvgPoolGrad(
    orig_input_shape: Value,
    input_grad: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of AvgPool: each window's gradient, shared out evenly over its data elements."""

def AvgPoolV2(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding_mode: str = "CALCULATED",
    pads: Sequence[int] = (0, 0, 0, 0),
    data_format: str = "NCHW",
    global_pooling: bool = False,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Mean of each window."""

def Axpy(
    x1: Value,
    x2: Value,
    *,
    alpha: float,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1 + alpha·x2, with broadcast."""

def AxpyV2(
    x1: Value,
    x2: Value,
    alpha: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1 + alpha·x2 with a tensor of one element as factor, in the dtype all meet in."""

def BNInfer(
    x: Value,
    scale: Value,
    offset: Value,
    mean: Value,
    variance: Value,
    *,
    epsilon: float,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(x - mean) / sqrt(variance + epsilon) · scale + offset per channel, axis 1 of x."""

def BNInferGrad(
    grads: Value,
    scale: Value,
    batch_variance: Value,
    *,
    epsilon: float = 0.0001,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """grads·scale / sqrt(batch_variance + epsilon): the gradient under given statistics."""

def BNInference(
    x: Value,
    mean: Value,
    variance: Value,
    momentum: Value,
    scale: Value | None = None,
    offset: Value | None = None,
    *,
    epsilon: float = 1.0e-05,
    use_global_stats: bool = True,
    mode: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Caffe's batch normalisation by given statistics, channels along axis 1."""

def BNInferenceD(
    x: Value,
    mean: Value,
    variance: Value,
    scale: Value | None = None,
    b: Value | None = None,
    *,
    momentum: float = 0.9,
    epsilon: float = 1.0e-05,
    use_global_stats: bool = True,
    mode: int = 1,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Inference batch normalisation of the Caffe path."""

class BNTrainingReduceResults(NamedTuple):
    sum: Tensor
    square_sum: Tensor

def BNTrainingReduce(
    x: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> BNTrainingReduceResults:
    """Sum and sum of squares of each channel."""

def BNTrainingReduceGrad(
    grads: Value,
    x: Value,
    diff_scale: Value,
    diff_offset: Value,
    scale: Value,
    batch_mean: Value,
    batch_variance: Value,
    *,
    epsilon: float = 0.0001,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient with respect to x, from those BNTrainingUpdateGrad gives for scale and offset."""

class BNTrainingUpdateResults(NamedTuple):
    y: Tensor
    mean: Ref
    variance: Ref
    batch_mean: Tensor
    batch_variance: Tensor

def BNTrainingUpdate(
    x: Value,
    sum: Value,
    square_sum: Value,
    scale: Value,
    offset: Value,
    mean: Ref,
    variance: Ref,
    *,
    factor: float,
    epsilon: float,
    name: str | None = None,
    after: After = (),
) -> BNTrainingUpdateResults:
    """Normalises x by the sums of BNTrainingReduce and moves the running statistics."""

class BNTrainingUpdateGradResults(NamedTuple):
    diff_scale: Tensor
    diff_offset: Tensor

def BNTrainingUpdateGrad(
    grads: Value,
    x: Value,
    batch_mean: Value,
    batch_variance: Value,
    *,
    epsilon: float = 0.0001,
    name: str | None = None,
    after: After = (),
) -> BNTrainingUpdateGradResults:
    """Gradients with respect to scale and offset."""

class BNTrainingUpdateV2Results(NamedTuple):
    y: Tensor
    batch_mean: Tensor
    batch_variance: Tensor

def BNTrainingUpdateV2(
    x: Value,
    sum: Value,
    square_sum: Value,
    scale: Value,
    offset: Value,
    *,
    epsilon: float,
    name: str | None = None,
    after: After = (),
) -> BNTrainingUpdateV2Results:
    """BNTrainingUpdate without running statistics."""

class BasicLSTMCellResults(NamedTuple):
    ct: Tensor
    ht: Tensor
    it: Tensor
    jt: Tensor
    ft: Tensor
    ot: Tensor
    tanhct: Tensor

def BasicLSTMCell(
    x: Value,
    h: Value,
    c: Value,
    w: Value,
    b: Value,
    mask: Value | None = None,
    *,
    keep_prob: float = 1.0,
    forget_bias: float = 1.0,
    state_is_tuple: bool = True,
    activation: str = "tanh",
    name: str | None = None,
    after: After = (),
) -> BasicLSTMCellResults:
    """One step of an LSTM: x [B, I], states h and c [B, H], w [I + H, 4H]."""

class BasicRNNCellResults(NamedTuple):
    o_t: Tensor
    h_t: Tensor

def BasicRNNCell(
    x: Value,
    cont: Value | None,
    w_xh_x_static: Value | None,
    h_0: Value | None,
    w_xh: Value,
    bias_h: Value,
    w_hh: Value | None,
    w_ho: Value,
    bias_o: Value,
    *,
    expose_hidden: bool = False,
    num_output: int = 0,
    name: str | None = None,
    after: After = (),
) -> BasicRNNCellResults:
    """h_t = tanh(x·w_xh + bias_h + w_xh_x_static + (cont·h_0)·w_hh), o_t = tanh(h_t·w_ho +
    bias_o).
    """

def BatchMatMul(
    x1: Value,
    x2: Value,
    *,
    adj_x1: bool = False,
    adj_x2: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Matrix products over the last two axes; the axes before broadcast."""

def BatchMatMulV2(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    adj_x1: bool = False,
    adj_x2: bool = False,
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Matrix products over the last two axes (+ bias); the axes before broadcast."""

def BatchMatMulV3(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    adj_x1: bool = False,
    adj_x2: bool = False,
    offset_x: int = 0,
    enable_hf32: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Matrix products over the last two axes (+ bias) of the Ascend C generation, for floats."""

class BatchNormResults(NamedTuple):
    y: Tensor
    batch_mean: Tensor
    batch_variance: Tensor
    reserve_space_1: Tensor
    reserve_space_2: Tensor
    reserve_space_3: Tensor

def BatchNorm(
    x: Value,
    scale: Value,
    offset: Value,
    mean: Value | None = None,
    variance: Value | None = None,
    *,
    epsilon: float = 0.0001,
    data_format: str = "NHWC",
    is_training: bool = True,
    exponential_avg_factor: float = 1.0,
    name: str | None = None,
    after: After = (),
) -> BatchNormResults:
    """(x - mean) / sqrt(variance + epsilon) · scale + offset per channel."""

class BatchNormGradResults(NamedTuple):
    x_backprop: Tensor
    scale_backprop: Tensor
    offset_backprop: Tensor
    reserve_space_4: Tensor
    reserve_space_5: Tensor

def BatchNormGrad(
    y_backprop: Value,
    x: Value,
    scale: Value,
    reserve_space_1: Value,
    reserve_space_2: Value,
    reserve_space_3: Value | None = None,
    *,
    epsilon: float = 0.0001,
    data_format: str = "NHWC",
    is_training: bool = True,
    output_mask: Sequence[bool] = (True, False, False),
    name: str | None = None,
    after: After = (),
) -> BatchNormGradResults:
    """Gradients of BatchNorm with respect to x, scale and offset."""

class BatchNormGradV3Results(NamedTuple):
    dx: Tensor
    dweight: Tensor
    dbias: Tensor

def BatchNormGradV3(
    dy: Value,
    x: Value,
    weight: Value,
    running_mean: Value,
    running_var: Value,
    save_mean: Value,
    save_rstd: Value,
    *,
    is_training: bool = True,
    epsilon: float = 1.0e-05,
    name: str | None = None,
    after: After = (),
) -> BatchNormGradV3Results:
    """Gradients of BatchNormV3 with respect to x, weight and bias."""

class BatchNormV3Results(NamedTuple):
    y: Tensor
    running_mean: Ref
    running_var: Ref
    save_mean: Tensor
    save_rstd: Tensor

def BatchNormV3(
    x: Value,
    weight: Value,
    bias: Value,
    running_mean: Ref,
    running_var: Ref,
    *,
    epsilon: float = 1.0e-05,
    momentum: float = 0.1,
    is_training: bool = True,
    name: str | None = None,
    after: After = (),
) -> BatchNormV3Results:
    """Batch normalisation that moves its running statistics by `momentum` in training."""

def BatchToSpaceND(
    x: Value,
    block_shape: Value,
    crops: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The inverse of SpaceToBatchND; `crops` are cut off instead of paddings put on."""

def Bias(
    x: Value,
    bias: Value,
    *,
    axis: int = 1,
    num_axes: int = 1,
    bias_from_blob: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x + bias (Caffe's), whose dims are those of x from `axis` on."""

def BiasAdd(
    x: Value,
    bias: Value,
    *,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x plus a bias per channel; the channel axis is that of `data_format`."""

def BiasAddGrad(
    x: Value,
    *,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The sum of x over all axes but that of the channels, which is the last, or 1 for NC…."""

def Bitcast(
    x: Value,
    *,
    type: DTypeLike,
    keep_dim: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The bytes of x read as dtype `type`, least significant first."""

def BitwiseAnd(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Bitwise and."""

def BitwiseOr(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Bitwise or."""

def BitwiseXor(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Bitwise exclusive or."""

def BroadcastArgs(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """The shape that two shapes broadcast to."""

class BroadcastGradientArgsResults(NamedTuple):
    y1: Tensor
    y2: Tensor

def BroadcastGradientArgs(
    x1: Value,
    x2: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> BroadcastGradientArgsResults:
    """Axes over which gradients of a broadcast are summed, for each of two shapes."""

def BroadcastTo(x: Value, shape: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x stretched to `shape`, in one direction."""

class CTCLossResults(NamedTuple):
    loss: Tensor
    gradient: Tensor

def CTCLoss(
    inputs: Value,
    labels_indices: Value,
    labels_values: Value,
    sequence_length: Value,
    *,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    name: str | None = None,
    after: After = (),
) -> CTCLossResults:
    """-log P(labels | inputs) of each example, and its gradient with respect to the inputs."""

def Case(
    branch_index: Value,
    input: Sequence[Value | Ref] = (),
    *,
    branches: Sequence[Body],
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Runs branch number branch_index on `input`, the last one for a number that has none."""

def Cast(x: Value, *, dst_type: int, name: str | None = None, after: After = ()) -> Tensor:
    """Converts to the dtype with GE's number `dst_type`."""

def Ceil(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Rounds up."""

def Celu(
    x: Value,
    *,
    alpha1: float = 1.0,
    alpha2: float = 1.0,
    alpha3: float = 1.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """alpha3·x where x ≥ 0, else alpha1·(exp(x / alpha2) - 1)."""

def CeluV2(x: Value, *, alpha: float = 1.0, name: str | None = None, after: After = ()) -> Tensor:
    """max(x, 0) + min(alpha·(exp(x / alpha) - 1), 0)."""

def ClipByValue(
    x: Value,
    clip_value_min: Value,
    clip_value_max: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """min(max(x, clip_value_min), clip_value_max); the bounds stretch to x."""

def ClipByValueV2(
    x: Value,
    clip_value_min: Value,
    clip_value_max: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """min(max(x, clip_value_min), clip_value_max), where all three stretch."""

def Cmo(
    src: Value,
    *,
    max_size: int,
    type: int = 6,
    offset: int = 0,
    name: str | None = None,
    after: After = (),
) -> Node:
    """Cache-maintenance hint (prefetch, write-back, invalidate) on a tensor."""

def Col2im(
    x: Value,
    output_size: Value,
    *,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x [N, C, kh·kw, L] has at l what window l saw of an image; y [N, C, H, W] sums it there."""

class CommonGRUResults(NamedTuple):
    y: Tensor
    y_h: Tensor

def CommonGRU(
    x: Value,
    w: Value,
    r: Value,
    b: Value | None = None,
    sequence_lens: Value | None = None,
    initial_h: Value | None = None,
    *,
    activation_alpha: Sequence[float] = (),
    activation_beta: Sequence[float] = (),
    activations: Sequence[str] = (),
    clip: float = -1.0,
    direction: str = "forward",
    hidden_size: int,
    linear_before_reset: int = 0,
    name: str | None = None,
    after: After = (),
) -> CommonGRUResults:
    """ONNX's GRU: z and r are sigmoids of x · wᵀ + h · rᵀ + b, h̃ a tanh; in the order z, r, h."""

class CommonLSTMResults(NamedTuple):
    y: Tensor
    y_h: Tensor
    y_c: Tensor

def CommonLSTM(
    x: Value,
    w: Value,
    r: Value,
    b: Value | None = None,
    sequence_lens: Value | None = None,
    initial_h: Value | None = None,
    initial_c: Value | None = None,
    p: Value | None = None,
    *,
    activation_alpha: Sequence[float] = (),
    activation_beta: Sequence[float] = (),
    activations: Sequence[str] = (),
    clip: float = -1.0,
    direction: str = "forward",
    hidden_size: int,
    input_forget: int = 0,
    name: str | None = None,
    after: After = (),
) -> CommonLSTMResults:
    """ONNX's LSTM: i, o, f are sigmoids and c̃ a tanh of x · wᵀ + h · rᵀ + b, in this order."""

def Complex(
    real: Value,
    imag: Value,
    *,
    Tout: DTypeLike = "complex64",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """real + i·imag."""

def Concat(
    concat_dim: Value,
    x: Sequence[Value] = (),
    *,
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The N inputs joined along the axis `concat_dim`, which comes first."""

def ConcatD(
    x: Sequence[Value],
    *,
    concat_dim: int,
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The N inputs joined along the axis `concat_dim`, an attribute."""

def ConcatFromSequence(
    handle: Value,
    *,
    axis: int,
    new_axis: int = 0,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Joins the tensors of a list along an axis, a new one with new_axis 1."""

def ConcatOffset(
    concat_dim: Value,
    x: Sequence[Value] = (),
    *,
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Where each of N parts begins in their concatenation along axis `concat_dim`."""

def ConcatV2(
    x: Sequence[Value],
    concat_dim: Value,
    *,
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The N inputs joined along the axis `concat_dim`, which comes last."""

def Const(*, value: Value, name: str | None = None, after: After = ()) -> Tensor:
    """A tensor held by the graph: `value` inline (`dense<…>`), or a weight of the store."""

def ConstPlaceHolder(
    *,
    origin_shape: Sequence[int],
    origin_format: int,
    storage_shape: Sequence[int],
    storage_format: int,
    expand_dim_rules: str,
    dtype: DTypeLike,
    addr: int,
    size: int,
    placement: int = 1,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Constant whose bytes already sit at a given device address."""

def Constant(*, value: Value, name: str | None = None, after: After = ()) -> Tensor:
    """Another name of Const, met in graphs of some front ends."""

def ControlTrigger(*, name: str | None = None, after: After = ()) -> Node:
    """Computes nothing: a place where control edges meet."""

def Conv2D(
    x: Value,
    filter: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NHWC",
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """2-D convolution in `groups` groups of channels; int8 inputs give int32."""

def Conv2DBackpropFilter(
    x: Value,
    filter_size: Value,
    out_backprop: Value,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of Conv2D with respect to its filter, of shape `filter_size`."""

def Conv2DBackpropFilterD(
    x: Value,
    out_backprop: Value,
    *,
    filter_size: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Conv2DBackpropFilter with `filter_size` as an attribute and the sums as float32."""

def Conv2DBackpropInput(
    input_size: Value,
    filter: Value,
    out_backprop: Value,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of Conv2D with respect to x, of shape `input_size`: its transposed convolution."""

def Conv2DBackpropInputD(
    filter: Value,
    out_backprop: Value,
    *,
    input_size: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Conv2DBackpropInput with `input_size` as an attribute; int8 inputs give int32."""

def Conv2DTranspose(
    input_size: Value,
    x: Value,
    filter: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NHWC",
    output_padding: Sequence[int] = (0, 0, 0, 0),
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Transposed 2-D convolution; int8 inputs give int32."""

def Conv2DTransposeD(
    x: Value,
    filter: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    input_size: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NHWC",
    output_padding: Sequence[int] = (0, 0, 0, 0),
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Conv2DTranspose with `input_size` as an attribute."""

def Conv2DV2(
    x: Value,
    filter: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    strides: Sequence[int],
    pads: Sequence[int] = (0, 0, 0, 0),
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
    offset_x: int = 0,
    pad_mode: str = "SPECIFIC",
    enable_hf32: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Conv2D with a pad_mode."""

def Conv3D(
    x: Value,
    filter: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NDHWC",
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """3-D convolution in `groups` groups of channels; int8 inputs give int32."""

def Conv3DBackpropFilter(
    x: Value,
    filter_size: Value,
    out_backprop: Value,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NDHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of Conv3D with respect to its filter, of shape `filter_size`."""

def Conv3DBackpropInput(
    input_size: Value,
    filter: Value,
    out_backprop: Value,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NDHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of Conv3D with respect to x, of shape `input_size`: its transposed convolution."""

def Conv3DTranspose(
    input_size: Value,
    x: Value,
    filter: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NDHWC",
    output_padding: Sequence[int] = (0, 0, 0, 0, 0),
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Transposed 3-D convolution; `input_size` as for Conv2DTranspose."""

def Conv3DV2(
    x: Value,
    filter: Value,
    bias: Value | None = None,
    scale: Value | None = None,
    offset: Value | None = None,
    offset_w: Value | None = None,
    *,
    strides: Sequence[int],
    pads: Sequence[int] = (0, 0, 0, 0, 0, 0),
    dilations: Sequence[int] = (1, 1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NCDHW",
    offset_x: int = 0,
    pad_mode: str = "SPECIFIC",
    enable_hf32: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Conv3D with a pad_mode; what scale and offset, for int8 data, do is not known here."""

def Cos(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Cosine."""

def Cosh(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Hyperbolic cosine."""

def CropAndResize(
    x: Value,
    boxes: Value,
    box_index: Value,
    crop_size: Value,
    *,
    extrapolation_value: float = 0.0,
    method: str = "bilinear",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Boxes cut from images x [N, H, W, C], each sampled at crop_size points: [K, h, w, C]."""

def Cumprod(
    x: Value,
    axis: Value,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Running product along `axis`; `exclusive` leaves out the element, `reverse` runs back."""

def Cumsum(
    x: Value,
    axis: Value,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Running sum along `axis`; `exclusive` leaves out the element itself, `reverse` runs back."""

def DSAGenBitMask(
    count: Value,
    seed: Value,
    dropout: Value,
    *,
    random_algorithm: str = "Philox",
    output_dtype: str = "uint8",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Dropout bit mask from the DSA random engine."""

def DSARandomNormal(
    count: Value,
    seed: Value,
    mean: Value,
    stdev: Value,
    *,
    random_algorithm: str = "Philox",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Normal numbers from the DSA random engine."""

def DSARandomTruncatedNormal(
    count: Value,
    seed: Value,
    mean: Value,
    stdev: Value,
    *,
    random_algorithm: str = "Philox",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Normal numbers within two deviations from the DSA random engine."""

def DSARandomUniform(
    count: Value,
    seed: Value,
    low: Value,
    high: Value,
    *,
    random_algorithm: str = "Philox",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Uniform numbers from the DSA random engine."""

def DSAStatelessGenBitMask(
    count: Value,
    seed: Value,
    dropout: Value,
    offset: Value,
    *,
    random_algorithm: str = "Philox",
    output_dtype: str = "uint8",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """DSAGenBitMask by seed and offset."""

def DSAStatelessRandomNormal(
    count: Value,
    seed: Value,
    mean: Value,
    stdev: Value,
    counter: Value,
    *,
    random_algorithm: str = "Philox",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """DSARandomNormal by seed and counter."""

def DSAStatelessRandomTruncatedNormal(
    count: Value,
    seed: Value,
    mean: Value,
    stdev: Value,
    counter: Value,
    *,
    random_algorithm: str = "Philox",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """DSARandomTruncatedNormal by seed and counter."""

def DSAStatelessRandomUniform(
    count: Value,
    seed: Value,
    low: Value,
    high: Value,
    counter: Value,
    *,
    random_algorithm: str = "Philox",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """DSARandomUniform by seed and counter."""

def Data(x: Value, *, index: int = 0, name: str | None = None, after: After = ()) -> Tensor:
    """Graph input `index`, made visible as a node; passes the graph's argument on."""

class DeepNormResults(NamedTuple):
    mean: Tensor
    rstd: Tensor
    y: Tensor

def DeepNorm(
    x: Value,
    gx: Value,
    beta: Value,
    gamma: Value,
    *,
    alpha: float = 0.3,
    epsilon: float = 1.0e-06,
    name: str | None = None,
    after: After = (),
) -> DeepNormResults:
    """LayerNorm of alpha·x + gx over the last dims, those of gamma."""

def DeformableConv2D(
    x: Value,
    filter: Value,
    offsets: Value,
    bias: Value | None = None,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NHWC",
    deformable_groups: int = 1,
    modulated: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Convolution whose filter elements read at places moved by `offsets`, zero outside of x."""

def DeformableOffsets(
    x: Value,
    offsets: Value,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    ksize: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    data_format: str = "NCHW",
    deformable_groups: int = 1,
    modulated: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x read at the places of a filter's elements, each moved by `offsets`; zero outside of x."""

class DeformableOffsetsGradResults(NamedTuple):
    grad_x: Tensor
    grad_offsets: Tensor

def DeformableOffsetsGrad(
    grad: Value,
    x: Value,
    offsets: Value,
    *,
    strides: Sequence[int],
    pads: Sequence[int],
    ksize: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    data_format: str = "NCHW",
    deformable_groups: int = 1,
    modulated: bool = True,
    name: str | None = None,
    after: After = (),
) -> DeformableOffsetsGradResults:
    """Gradients of DeformableOffsets with respect to x and offsets, where y has the gradient
    grad.
    """

def DepthToSpace(
    x: Value,
    *,
    block_size: int,
    mode: str = "DCR",
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Channels of x moved into blocks of block_size x block_size pixels."""

def DepthwiseConv2D(
    x: Value,
    filter: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    strides: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    pads: Sequence[int],
    data_format: str = "NHWC",
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """2-D convolution of each channel on its own; int8 inputs give int32."""

class DequantSwigluQuantResults(NamedTuple):
    y: Tensor
    scale: Tensor

def DequantSwigluQuant(
    x: Value,
    weight_scale: Value | None = None,
    activation_scale: Value | None = None,
    bias: Value | None = None,
    quant_scale: Value | None = None,
    quant_offset: Value | None = None,
    group_index: Value | None = None,
    *,
    activate_left: bool = False,
    quant_mode: str = "static",
    dst_type: int = 2,
    round_mode: str = "rint",
    activate_dim: int = -1,
    swiglu_mode: int = 0,
    clamp_limit: float = 7.0,
    glu_alpha: float = 1.702,
    glu_bias: float = 1.0,
    name: str | None = None,
    after: After = (),
) -> DequantSwigluQuantResults:
    """quant(swish(a) · b) of the halves a and b of x along `activate_dim`."""

def Dequantize(
    x: Value,
    min_range: Value,
    max_range: Value,
    *,
    mode: str = "MIN_COMBINED",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Numbers of a range min_range … max_range that a quantised dtype counts (TensorFlow's)."""

def DestroyTemporaryVariable(
    x: Value,
    *,
    var_name: str = "",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Ends the life of a temporary variable and forwards its last value."""

def Diag(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """y[i …, i …] = x[i …], else zeros: x of rank r gives rank 2r."""

def Div(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 / x2; the quotient of integers is rounded towards zero."""

def DivNoNan(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 / x2, and 0 where x2 is 0."""

def DropOut(
    x: Value,
    *,
    dropout_ratio: float = 0.5,
    scale_train: bool = True,
    alpha: float = 1.0,
    beta: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Dropout under the name that GE's pass DropOutPass and some graphs have for it."""

def DropOutDoMask(
    x: Value,
    mask: Value,
    keep_prob: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x / keep_prob where the element's bit of `mask` is set, 0 elsewhere; see DropOutGenMask."""

def DropOutDoMaskV3D(
    x: Value,
    mask: Value,
    *,
    keep_prob: float,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x / keep_prob where an element is kept, 0 elsewhere."""

def DropOutGenMask(
    shape: Value,
    prob: Value,
    *,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A mask of one bit per element of a tensor of shape `shape`, each set with probability
    `prob`.
    """

def Dropout(
    x: Value,
    *,
    dropout_ratio: float = 0.5,
    scale_train: bool = True,
    alpha: float = 1.0,
    beta: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Each element of x, or 0 with probability dropout_ratio, drawn anew in every run."""

class DynamicGRUV2Results(NamedTuple):
    y: Tensor
    output_h: Tensor
    update: Tensor
    reset: Tensor
    new: Tensor
    hidden_new: Tensor

def DynamicGRUV2(
    x: Value,
    weight_input: Value,
    weight_hidden: Value,
    bias_input: Value | None = None,
    bias_hidden: Value | None = None,
    seq_length: Value | None = None,
    init_h: Value | None = None,
    *,
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    gate_order: str = "zrh",
    reset_after: bool = True,
    is_training: bool = True,
    name: str | None = None,
    after: After = (),
) -> DynamicGRUV2Results:
    """GRU over the time steps of x [T, B, I], with all gates kept."""

def DynamicGetNext(
    x: Value,
    *,
    output_types: Sequence[DTypeLike] = (),
    output_shapes: Sequence[Sequence[int]] = ((), ()),
    _dynamic_graph_execute_mode: str = "lazy_recompile",
    _getnext_inputs_shape_range: str = "",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """GetNext with shapes known only at run time."""

def DynamicPartition(
    x: Value,
    partitions: Value,
    *,
    num_partitions: int = 1,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Slices of x in num_partitions groups: that of number `partitions` says, in order."""

class DynamicQuantResults(NamedTuple):
    y: Tensor
    scale: Tensor

def DynamicQuant(
    x: Value,
    smooth_scales: Value | None = None,
    group_index: Value | None = None,
    *,
    dst_type: int = 2,
    name: str | None = None,
    after: After = (),
) -> DynamicQuantResults:
    """round(x / scale) with scale = the largest magnitude along the last axis over that of y."""

class DynamicQuantV2Results(NamedTuple):
    y: Tensor
    scale: Tensor
    offset: Tensor

def DynamicQuantV2(
    x: Value,
    smooth_scales: Value | None = None,
    group_index: Value | None = None,
    *,
    dst_type: int = 2,
    is_symmetrical: bool = False,
    quant_mode: str = "pertoken",
    dst_type_max: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> DynamicQuantV2Results:
    """round(x / scale + offset), with scale and offset so that a row's range fills that of y."""

class DynamicRNNResults(NamedTuple):
    y: Tensor
    output_h: Tensor
    output_c: Tensor
    i: Tensor
    j: Tensor
    f: Tensor
    o: Tensor
    tanhc: Tensor

def DynamicRNN(
    x: Value,
    w: Value,
    b: Value,
    seq_length: Value | None = None,
    init_h: Value | None = None,
    init_c: Value | None = None,
    wci: Value | None = None,
    wcf: Value | None = None,
    wco: Value | None = None,
    mask: Value | None = None,
    *,
    cell_type: str = "LSTM",
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    use_peephole: bool = False,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    forget_bias: float = 0.0,
    gate_order: str = "ijfo",
    is_training: bool = True,
    name: str | None = None,
    after: After = (),
) -> DynamicRNNResults:
    """LSTM over the time steps of x [T, B, I], with all gates kept."""

def DynamicStitch(
    indices: Sequence[Value] = (),
    x: Sequence[Value] = (),
    *,
    N: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """y[indices[m][i …]] = x[m][i …] for all m, of which a later one wins."""

def Einsum(
    x: Sequence[Value],
    *,
    equation: str,
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Sum of products over the axes whose letter does not stand behind the arrow of `equation`."""

def Eltwise(
    x: Sequence[Value],
    *,
    N: int | None = None,
    mode: int = 1,
    coeff: Sequence[float] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Of N tensors of one shape the product (`mode` 0), the sum (1) or the largest (2)."""

def Elu(
    x: Value,
    *,
    alpha: float = 1.0,
    scale: float = 1.0,
    input_scale: float = 1.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """scale·x where x > 0, else scale·alpha·(exp(input_scale·x) - 1)."""

class EmbeddingBagResults(NamedTuple):
    y: Tensor
    offset2bag: Tensor
    bag_size: Tensor
    max_indices: Tensor

def EmbeddingBag(
    weight: Value,
    indices: Value,
    offsets: Value | None = None,
    per_sample_weights: Value | None = None,
    *,
    mode: str = "mean",
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
    include_last_offset: bool = False,
    padding_idx: int = -1,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> EmbeddingBagResults:
    """Gathers and pools embedding rows."""

def EmbeddingDenseGrad(
    grad: Value,
    indices: Value,
    *,
    num_weights: int,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Row i of the result [num_weights, D] is the sum of the rows of grad whose index is i."""

def Empty(
    shape: Value,
    *,
    dtype: int = 3,
    init: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A tensor of shape `shape` and the dtype numbered `dtype`; it holds zeros (assumed)."""

def End(
    x: Value,
    *,
    peerIndex: int = 0,
    parentOpType: str = "",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Where a value leaves an engine's part of a graph: y is x."""

def EndOfSequence(
    x: Value,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Passes on the mark that tells whether a source of data has ended."""

def Enter(
    x: Value,
    *,
    frame_name: str,
    is_constant: bool,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x in the frame of a loop, for its first turn; with `is_constant` for each of its turns."""

def Equal(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 = x2."""

def Erf(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Gauss error function."""

def Exit(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x outside of its loop, from the turn in which it is alive."""

def Exp(
    x: Value,
    *,
    base: float = -1.0,
    scale: float = 1.0,
    shift: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """base**(scale·x + shift); base -1 means e."""

def Expand(x: Value, shape: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x and a tensor of shape `shape` broadcast together: x stretched to the common shape."""

def ExpandDims(x: Value, axis: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x with one axis of size 1 at place `axis` of the result."""

def Expm1(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """exp(x) - 1, accurate near 0."""

def Eye(
    *,
    num_rows: int,
    num_columns: int = 0,
    batch_shape: Sequence[int] = (),
    dtype: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Ones on the main diagonal of matrices [batch_shape …, num_rows, num_columns], else zeros."""

def FFN(
    x: Value,
    weight1: Value,
    weight2: Value,
    expert_tokens: Value | None = None,
    bias1: Value | None = None,
    bias2: Value | None = None,
    scale: Value | None = None,
    offset: Value | None = None,
    deq_scale1: Value | None = None,
    deq_scale2: Value | None = None,
    antiquant_scale1: Value | None = None,
    antiquant_scale2: Value | None = None,
    antiquant_offset1: Value | None = None,
    antiquant_offset2: Value | None = None,
    *,
    activation: str,
    inner_precise: int = 0,
    output_dtype: int = -1,
    tokens_index_flag: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """act(x · weight1 + bias1) · weight2 + bias2, with what act gives rounded to x's dtype."""

def FFT(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """y_k = sum over j of x_j · exp(-2πi·j·k / n) along the last axis, of n numbers."""

def FFT2D(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """FFT along the last axis, and along the one before it."""

def FakeQuantWithMinMaxArgs(
    x: Value,
    *,
    min: float = -6.0,
    max: float = 6.0,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x clamped to min … max and rounded to one of 2**num_bits steps (TensorFlow's)."""

def FastGelu(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x·sigmoid(1.702·x), a cheap form of Gelu."""

def FileConstant(
    *,
    file_path: str = "",
    file_id: str = "",
    shape: Sequence[int],
    dtype: DTypeLike,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Constant loaded lazily from an external weight file."""

def Fill(dims: Value, value: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """A tensor of shape `dims` with one value everywhere."""

class FlashAttentionScoreResults(NamedTuple):
    softmax_max: Tensor
    softmax_sum: Tensor
    softmax_out: Tensor
    attention_out: Tensor

def FlashAttentionScore(
    query: Value,
    key: Value,
    value: Value,
    real_shift: Value | None = None,
    drop_mask: Value | None = None,
    padding_mask: Value | None = None,
    atten_mask: Value | None = None,
    prefix: Value | None = None,
    actual_seq_qlen: Value | None = None,
    actual_seq_kvlen: Value | None = None,
    q_start_idx: Value | None = None,
    kv_start_idx: Value | None = None,
    d_scale_q: Value | None = None,
    d_scale_k: Value | None = None,
    d_scale_v: Value | None = None,
    query_rope: Value | None = None,
    key_rope: Value | None = None,
    sink: Value | None = None,
    p_scale: Value | None = None,
    *,
    scale_value: float = 1.0,
    keep_prob: float = 1.0,
    pre_tockens: int = 2147483647,
    next_tockens: int = 2147483647,
    head_num: int,
    input_layout: str,
    inner_precise: int = 0,
    sparse_mode: int = 0,
    pse_type: int = 1,
    seed: int = 0,
    offset: int = 0,
    out_dtype: int = 0,
    softmax_out_layout: str = "",
    name: str | None = None,
    after: After = (),
) -> FlashAttentionScoreResults:
    """dropout(softmax(mask(scores))) · value, with the row's maximum and sum for the gradient."""

class FlashAttentionScoreGradResults(NamedTuple):
    dq: Tensor
    dk: Tensor
    dv: Tensor
    dpse: Tensor

def FlashAttentionScoreGrad(
    query: Value,
    key: Value,
    value: Value,
    dy: Value,
    pse_shift: Value | None = None,
    drop_mask: Value | None = None,
    padding_mask: Value | None = None,
    atten_mask: Value | None = None,
    softmax_max: Value | None = None,
    softmax_sum: Value | None = None,
    softmax_in: Value | None = None,
    attention_in: Value | None = None,
    prefix: Value | None = None,
    actual_seq_qlen: Value | None = None,
    actual_seq_kvlen: Value | None = None,
    q_start_idx: Value | None = None,
    kv_start_idx: Value | None = None,
    *,
    scale_value: float = 1.0,
    keep_prob: float = 1.0,
    pre_tockens: int = 65536,
    next_tockens: int = 65536,
    head_num: int,
    input_layout: str,
    inner_precise: int = 0,
    sparse_mode: int = 0,
    pse_type: int = 1,
    name: str | None = None,
    after: After = (),
) -> FlashAttentionScoreGradResults:
    """What FlashAttentionScore's operands add to a loss, from dy, what its result adds."""

def Flatten(x: Value, *, axis: int = 1, name: str | None = None, after: After = ()) -> Tensor:
    """x as a matrix: axes before `axis`, and the rest; axis may be the rank (one column)."""

def FlattenV2(
    x: Value,
    *,
    axis: int = 1,
    end_axis: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with the axes from `axis` to `end_axis` as one; a scalar becomes a vector."""

def Floor(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Rounds down."""

def FloorDiv(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 / x2 rounded down."""

def FloorMod(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Remainder with the sign of x2."""

def For(
    start: Value,
    limit: Value,
    delta: Value,
    input: Sequence[Value | Ref] = (),
    *,
    body: Body,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Runs `body` on the counter and its own results, for start, start + delta … before limit."""

def ForeachAbs(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """|x|, element by element."""

def ForeachAcos(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The angle in 0 … pi whose cosine is x."""

def ForeachAddList(
    x1: Sequence[Value],
    x2: Sequence[Value],
    alpha: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 + alpha·x2, place by place."""

def ForeachAddScalar(
    x: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x + scalar."""

def ForeachAddScalarList(
    x: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x + the number at its place in scalars."""

def ForeachAddcdivList(
    x1: Sequence[Value],
    x2: Sequence[Value],
    x3: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """ForeachAddcdivScalarList: scalars is a vector (assumed)."""

def ForeachAddcdivScalar(
    x1: Sequence[Value],
    x2: Sequence[Value],
    x3: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 + scalar·x2 / x3, place by place."""

def ForeachAddcdivScalarList(
    x1: Sequence[Value],
    x2: Sequence[Value],
    x3: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 + s·x2 / x3, place by place, each with its own s of scalars."""

def ForeachAddcmulList(
    x1: Sequence[Value],
    x2: Sequence[Value],
    x3: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """ForeachAddcmulScalarList: scalars is a vector (assumed)."""

def ForeachAddcmulScalar(
    x1: Sequence[Value],
    x2: Sequence[Value],
    x3: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 + scalar·x2·x3, place by place."""

def ForeachAddcmulScalarList(
    x1: Sequence[Value],
    x2: Sequence[Value],
    x3: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 + s·x2·x3, place by place, each with its own s of scalars."""

def ForeachAsin(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The angle in -pi/2 … pi/2 whose sine is x."""

def ForeachAtan(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The angle in -pi/2 … pi/2 whose tangent is x."""

def ForeachCopy(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """A copy of each tensor."""

def ForeachCos(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Cosine of x."""

def ForeachCosh(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Hyperbolic cosine of x."""

def ForeachDivList(
    x1: Sequence[Value] = (),
    x2: Sequence[Value] = (),
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 / x2, place by place."""

def ForeachDivScalar(
    x: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x / scalar."""

def ForeachDivScalarList(
    x: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x / the number at its place in scalars."""

def ForeachErf(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Error function of x."""

def ForeachErfc(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """1 - Erf(x), without loss where it is small."""

def ForeachExp(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """e to the power of x."""

def ForeachExpm1(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """e to the power of x, minus 1."""

def ForeachLerpList(
    x1: Sequence[Value] = (),
    x2: Sequence[Value] = (),
    weight: Sequence[Value] = (),
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """ForeachLerpScalar with a weight for each element."""

def ForeachLerpScalar(
    x1: Sequence[Value],
    x2: Sequence[Value],
    weight: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 + weight·(x2 - x1), place by place."""

def ForeachLog(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Natural logarithm of x."""

def ForeachLog10(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Logarithm of x to base 10."""

def ForeachLog1p(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Natural logarithm of 1 + x."""

def ForeachLog2(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Logarithm of x to base 2."""

def ForeachMaximumList(
    x1: Sequence[Value] = (),
    x2: Sequence[Value] = (),
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The larger of x1 and x2; NaN wins, place by place."""

def ForeachMaximumScalar(
    x: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The larger of x and scalar; NaN wins."""

def ForeachMaximumScalarList(
    x: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The larger of x and the number at its place in scalars; NaN wins."""

def ForeachMinimumList(
    x1: Sequence[Value] = (),
    x2: Sequence[Value] = (),
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The smaller of x1 and x2; NaN wins, place by place."""

def ForeachMinimumScalar(
    x: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The smaller of x and scalar; NaN wins."""

def ForeachMinimumScalarList(
    x: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The smaller of x and the number at its place in scalars; NaN wins."""

def ForeachMulList(
    x1: Sequence[Value] = (),
    x2: Sequence[Value] = (),
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1·x2, place by place."""

def ForeachMulScalar(
    x: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x·scalar."""

def ForeachMulScalarList(
    x: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x·the number at its place in scalars."""

def ForeachNeg(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """-x; integers wrap."""

def ForeachNorm(
    x: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The norm of each tensor as a scalar: (sum of |x| to the power of p) to the power of 1 / p."""

def ForeachPowList(
    x1: Sequence[Value] = (),
    x2: Sequence[Value] = (),
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 to the power of x2, as Pow has it, place by place."""

def ForeachPowScalar(
    x: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x to the power of scalar, as Pow has it."""

def ForeachPowScalarAndTensor(
    scalar: Value,
    x: Sequence[Value] = (),
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """scalar to the power of each element of x, as Pow has it."""

def ForeachPowScalarList(
    x: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x to the power of the number at its place in scalars, as Pow has it."""

def ForeachReciprocal(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """1 / x."""

def ForeachRoundOffNumber(
    x: Sequence[Value],
    roundMode: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x rounded: roundMode 1 to nearest even, 2 down, 3 up, 4 halves away from 0, 5 toward 0."""

def ForeachSigmoid(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """1 / (1 + e to the power of -x)."""

def ForeachSign(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """-1, 0 or 1, as x is; NaN stays."""

def ForeachSin(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Sine of x."""

def ForeachSinh(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Hyperbolic sine of x."""

def ForeachSqrt(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Square root of x; NaN below 0."""

def ForeachSubList(
    x1: Sequence[Value],
    x2: Sequence[Value],
    alpha: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x1 - alpha·x2, place by place."""

def ForeachSubScalar(
    x: Sequence[Value],
    scalar: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x - scalar."""

def ForeachSubScalarList(
    x: Sequence[Value],
    scalars: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x - the number at its place in scalars."""

def ForeachTan(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Tangent of x."""

def ForeachTanh(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Hyperbolic tangent of x."""

def FullyConnection(
    x: Value,
    w: Value,
    b: Value | None = None,
    offset_w: Value | None = None,
    *,
    num_output: int,
    transpose: bool = False,
    axis: int = 1,
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with its axes from `axis` on (1 or 2) made one, times the transpose of w, plus b."""

def FusedAscBackend(
    inputs: Sequence[Value | Ref],
    *,
    body: Body,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Several AscBackend nodes as one kernel; its body holds them."""

class FusedInferAttentionScoreResults(NamedTuple):
    attention_out: Tensor
    softmax_lse: Tensor

def FusedInferAttentionScore(
    query: Value,
    key: Sequence[Value] = (),
    value: Sequence[Value] = (),
    pse_shift: Value | None = None,
    atten_mask: Value | None = None,
    actual_seq_lengths: Value | None = None,
    actual_seq_lengths_kv: Value | None = None,
    dequant_scale1: Value | None = None,
    quant_scale1: Value | None = None,
    dequant_scale2: Value | None = None,
    quant_scale2: Value | None = None,
    quant_offset2: Value | None = None,
    antiquant_scale: Value | None = None,
    antiquant_offset: Value | None = None,
    block_table: Value | None = None,
    query_padding_size: Value | None = None,
    kv_padding_size: Value | None = None,
    key_antiquant_scale: Value | None = None,
    key_antiquant_offset: Value | None = None,
    value_antiquant_scale: Value | None = None,
    value_antiquant_offset: Value | None = None,
    key_shared_prefix: Value | None = None,
    value_shared_prefix: Value | None = None,
    actual_shared_prefix_len: Value | None = None,
    query_rope: Value | None = None,
    key_rope: Value | None = None,
    key_rope_antiquant_scale: Value | None = None,
    dequant_scale_query: Value | None = None,
    learnable_sink: Value | None = None,
    q_start_idx: Value | None = None,
    kv_start_idx: Value | None = None,
    *,
    num_heads: int,
    scale: float = 1.0,
    pre_tokens: int = 2147483647,
    next_tokens: int = 2147483647,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 0,
    block_size: int = 0,
    antiquant_mode: int = 0,
    softmax_lse_flag: bool = False,
    key_antiquant_mode: int = 0,
    value_antiquant_mode: int = 0,
    query_quant_mode: int = 0,
    pse_type: int = 0,
    out_dtype: int = 0,
    name: str | None = None,
    after: After = (),
) -> FusedInferAttentionScoreResults:
    """PromptFlashAttention and IncreFlashAttention behind one door, with log-sum-exp on demand."""

def FusedMulAdd(
    x1: Value,
    x2: Value,
    x3: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1·x2 + x3, with broadcast."""

def FusedMulAddN(
    x1: Value,
    x2: Value,
    x3: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1·x3 + x2, where x3 holds one value."""

def GEMM(
    a: Value,
    b: Value,
    c: Value,
    alpha: Value,
    beta: Value,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """alpha · a · b + beta · c of matrices, each of a and b transposed first where asked."""

def GLU(x: Value, *, dim: int = -1, name: str | None = None, after: After = ()) -> Tensor:
    """a·sigmoid(b) of the halves a and b of x along `dim`."""

def Gather(
    x: Value,
    indices: Value,
    *,
    validate_indices: bool = True,
    batch_dims: int = 0,
    is_preprocessed: bool = False,
    negative_index_support: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Slices of x along axis `batch_dims` (0) at `indices`; the axes before are common."""

def GatherElements(
    x: Value,
    index: Value,
    *,
    dim: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """y[…, i, …] = x[…, index[…, i, …], …] with the index standing at `dim`."""

def GatherNd(
    x: Value,
    indices: Value,
    *,
    negative_index_support: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The slices of x at the index tuples along the last axis of `indices`."""

def GatherShapes(
    x: Sequence[Value],
    *,
    axes: Sequence[Sequence[int]],
    dtype: int = 3,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Dims of several inputs in one vector: entry [i, a] of `axes` takes dim a of input i."""

def GatherV2(
    x: Value,
    indices: Value,
    axis: Value,
    *,
    batch_dims: int = 0,
    is_preprocessed: bool = False,
    negative_index_support: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Slices of x along `axis` at `indices`; the first `batch_dims` axes are common."""

class GeGluV2Results(NamedTuple):
    y: Tensor
    gelu: Tensor

def GeGluV2(
    x: Value,
    *,
    dim: int = -1,
    approximate: int = 1,
    activate_left: bool = False,
    name: str | None = None,
    after: After = (),
) -> GeGluV2Results:
    """y = a·gelu and gelu = Gelu(b) of the halves a and b of x along `dim`."""

def Gelu(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x·Φ(x) in its tanh approximation."""

def GeluGrad(
    dy: Value,
    x: Value,
    y: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """dy times the derivative of Gelu (its tanh form) at x; y = Gelu(x) is not needed."""

def GeluV2(
    x: Value,
    *,
    approximate: str = "none",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x·Φ(x); `approximate` is "none" (erf) or "tanh"."""

def GetDynamicDims(
    input: Sequence[Value],
    *,
    shape_info: Sequence[int],
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The numbers of all inputs, each of which is a shape, that stand where its dim is unknown."""

def GetNext(
    *,
    output_types: Sequence[DTypeLike] = (),
    output_shapes: Sequence[Sequence[int]] = (),
    output_num: int = 1,
    channel_name: str = "",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Takes the next batch from a data channel."""

def GlobalAveragePool(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Mean over all axes from the third on (NCHW, NCDHW), which stay with size 1."""

def Greater(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 > x2."""

def GreaterEqual(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 ≥ x2."""

def GridSample(
    x: Value,
    grid: Value,
    *,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
    channel_last: bool = False,
    scheduler_mode: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """GridSampler2D or GridSampler3D by the rank of x; x with channels last is not evaluated."""

def GridSampler2D(
    x: Value,
    grid: Value,
    *,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x [N, C, H, W] sampled at grid [N, H', W', 2] of coordinates (x, y)."""

def GridSampler3D(
    x: Value,
    grid: Value,
    *,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x [N, C, D, H, W] sampled at grid [N, D', H', W', 3] of coordinates (x, y, z)."""

class GroupNormResults(NamedTuple):
    y: Tensor
    mean: Tensor
    variance: Tensor

def GroupNorm(
    x: Value,
    gamma: Value,
    beta: Value,
    *,
    num_groups: int,
    data_format: str = "NCHW",
    eps: float = 0.0001,
    is_training: bool = True,
    name: str | None = None,
    after: After = (),
) -> GroupNormResults:
    """Normalisation over groups of neighbouring channels, scaled and shifted per channel."""

class GroupNormSiluResults(NamedTuple):
    y: Tensor
    mean: Tensor
    rstd: Tensor

def GroupNormSilu(
    x: Value,
    gamma: Value | None = None,
    beta: Value | None = None,
    *,
    num_groups: int,
    eps: float = 1.0e-05,
    activate_silu: bool = True,
    name: str | None = None,
    after: After = (),
) -> GroupNormSiluResults:
    """GroupNorm with rstd as last result, then y·sigmoid(y) unless `activate_silu` is false."""

class GroupNormV2Results(NamedTuple):
    y: Tensor
    mean: Tensor
    rstd: Tensor

def GroupNormV2(
    x: Value,
    gamma: Value,
    beta: Value,
    *,
    num_groups: int,
    data_format: str = "NHWC",
    eps: float = 1.0e-05,
    is_training: bool = True,
    name: str | None = None,
    after: After = (),
) -> GroupNormV2Results:
    """GroupNorm with rstd = 1 / sqrt(variance + eps) as last result."""

def GroupedMatmul(
    x: Sequence[Value] = (),
    weight: Sequence[Value] = (),
    bias: Sequence[Value] = (),
    scale: Sequence[Value] = (),
    offset: Sequence[Value] = (),
    antiquant_scale: Sequence[Value] = (),
    antiquant_offset: Sequence[Value] = (),
    group_list: Value | None = None,
    per_token_scale: Value | None = None,
    *,
    split_item: int = 0,
    dtype: int = 0,
    transpose_weight: bool = False,
    transpose_x: bool = False,
    group_type: int = -1,
    group_list_type: int = 0,
    act_type: int = 0,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The products of several pairs of matrices, each x[i] · weight[i] (+ bias[i])."""

def GuaranteeConst(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """y is x, of which the framework says that it never changes."""

def HardMax(x: Value, *, axis: int = -1, name: str | None = None, after: After = ()) -> Tensor:
    """1 at the largest element along `axis`, the first of equals, and 0 elsewhere."""

def HardSigmoid(
    input_x: Value,
    *,
    alpha: float = 0.16666666,
    beta: float = 0.5,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """min(max(alpha·x + beta, 0), 1)."""

def HardSwish(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x·min(max(x + 3, 0), 6) / 6."""

def HcomAllGather(
    x: Value,
    *,
    rank_size: int,
    group: str,
    fusion: int = 0,
    fusion_id: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x of all ranks, one behind the other along axis 0, on each of them."""

def HcomAllGatherV(
    x: Value,
    send_count: Value,
    recv_counts: Value,
    recv_displacements: Value | None = None,
    *,
    group: str,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The first send_count elements of x of every rank, that of rank i at recv_displacements[i]."""

def HcomAllReduce(
    x: Value,
    *,
    reduction: str,
    group: str,
    fusion: int = 1,
    fusion_id: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The reduction (sum, max, min, prod) of x over the ranks, on each of them."""

def HcomAllToAll(
    x: Value,
    *,
    rank_size: int,
    group: str,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Block i of y is what rank i has in x for this rank; blocks of equal size along axis 0."""

def HcomAllToAllV(
    send_data: Value,
    send_counts: Value,
    send_displacements: Value,
    recv_counts: Value,
    recv_displacements: Value,
    *,
    group: str,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Blocks of elements of several sizes: send_counts[i] from send_displacements[i] go to
    rank i.
    """

def HcomAllToAllVC(
    send_data: Value,
    send_count_matrix: Value,
    *,
    rank: int,
    group: str,
    fusion: int = 0,
    fusion_id: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """HcomAllToAllV by one matrix: send_count_matrix[i, j] elements go from rank i to rank j."""

def HcomBroadcast(
    x: Sequence[Value],
    *,
    root_rank: int,
    group: str,
    fusion: int = 0,
    fusion_id: int = -1,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The tensors of the root, on every rank; all ranks bring tensors of the same types."""

def HcomReceive(
    *,
    group: str,
    sr_tag: int,
    src_rank: int,
    shape: Sequence[int],
    dtype: DTypeLike,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """What member `src_rank` of the group sends with the same tag: of this shape and dtype."""

def HcomReduce(
    x: Value,
    *,
    root_rank: int,
    reduction: str,
    group: str,
    fusion: int = 0,
    fusion_id: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The reduction of x over the ranks, on the root; another rank keeps its x (assumed)."""

def HcomReduceScatter(
    x: Value,
    *,
    reduction: str,
    fusion: int = 0,
    fusion_id: int = -1,
    group: str,
    rank_size: int,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The reduction of x over the ranks, of which each rank gets its block of axis 0."""

def HcomReduceScatterV(
    x: Value,
    recv_count: Value,
    send_counts: Value,
    send_displacements: Value | None = None,
    *,
    reduction: str,
    group: str,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The reduction of x over the ranks, of which rank i gets send_counts[i] elements."""

def HcomRemoteRead(
    remote: Value,
    *,
    dtype: DTypeLike,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """One-sided read from remote memory."""

def HcomRemoteWrite(
    remote: Value,
    local: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Node:
    """One-sided write to remote memory."""

def HcomSend(
    x: Value,
    *,
    group: str,
    sr_tag: int,
    dest_rank: int,
    name: str | None = None,
    after: After = (),
) -> Node:
    """Hands x to member `dest_rank` of the group, once it receives with the same tag."""

def HostCol2Im(
    x: Value,
    image_shape: Value,
    block_shape: Value,
    *,
    strides: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    dilations: Sequence[int] | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Sums columns back into images: x [N, C·window, L] gives [N, C, *image_shape]."""

def HostDFT(
    x: Value,
    dft_length: Value | None = None,
    axis: Value | None = None,
    *,
    inverse: bool = False,
    onesided: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Discrete Fourier transform of x along `axis` (default -2); the inverse divides by the
    length.
    """

def HostMelWeightMatrix(
    num_mel_bins: Value,
    dft_length: Value,
    sample_rate: Value,
    lower_edge_hertz: Value,
    upper_edge_hertz: Value,
    *,
    dtype: DTypeLike = "float32",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Triangular filters from the bins of a transform to mel bands: [dft_length / 2 + 1, bands]."""

def HostSTFT(
    x: Value,
    frame_step: Value,
    window: Value | None = None,
    frame_length: Value | None = None,
    *,
    onesided: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Fourier transforms of the frames of x [N, L, 1 or 2]: [N, frames, bins, 2]."""

def HostTfIdfVectorizer(
    x: Value,
    *,
    mode: str,
    min_gram_length: int,
    max_gram_length: int,
    max_skip_count: int,
    ngram_counts: Sequence[int],
    ngram_indexes: Sequence[int],
    pool_int64s: Sequence[int],
    weights: Sequence[float] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """How often n-grams of a pool occur in the rows of x, plain or weighted. No operator of GE."""

class HostUniqueResults(NamedTuple):
    y: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor

def HostUnique(
    x: Value,
    *,
    sorted: bool = True,
    axis: int | None = None,
    name: str | None = None,
    after: After = (),
) -> HostUniqueResults:
    """The distinct elements of x (or slices along `axis`), with three maps. No operator of GE."""

def IFFT(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """y_j = sum over k of x_k · exp(2πi·j·k / n) / n along the last axis: FFT undone."""

def Identity(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """y is x."""

def IdentityN(
    x: Sequence[Value],
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Each y is the x at its place."""

def If(
    cond: Value,
    input: Sequence[Value | Ref] = (),
    *,
    then_branch: Body,
    else_branch: Body,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Runs `then_branch` where the scalar condition is not zero, else `else_branch`."""

def Im2col(
    x: Value,
    *,
    ksizes: Sequence[int],
    strides: Sequence[int] = (1,),
    dilations: Sequence[int] = (1,),
    padding_mode: str = "CALCULATED",
    pads: Sequence[int] = (0,),
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Unfolds sliding windows to columns."""

def Imag(
    input: Value,
    *,
    Tout: DTypeLike = "float32",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The imaginary part."""

def IncreFlashAttention(
    query: Value,
    key: Sequence[Value] = (),
    value: Sequence[Value] = (),
    pse_shift: Value | None = None,
    atten_mask: Value | None = None,
    actual_seq_lengths: Value | None = None,
    dequant_scale1: Value | None = None,
    quant_scale1: Value | None = None,
    dequant_scale2: Value | None = None,
    quant_scale2: Value | None = None,
    quant_offset2: Value | None = None,
    antiquant_scale: Value | None = None,
    antiquant_offset: Value | None = None,
    block_table: Value | None = None,
    kv_padding_size: Value | None = None,
    *,
    num_heads: int,
    scale_value: float = 1.0,
    input_layout: str = "BSH",
    num_key_value_heads: int = 1,
    block_size: int = 0,
    inner_precise: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Attention of one new position to the keys and values so far: a step of decoding."""

def Index(
    x: Value,
    indexed_sizes: Value,
    indexed_strides: Value,
    indices: Sequence[Value] = (),
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x at index tensors that broadcast together, one for each axis that indexed_sizes marks."""

def IndexByTensor(
    x: Value,
    indices: Sequence[Value] = (),
    *,
    indices_mask: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Index with its marks as the attribute indices_mask; none marks the first axes."""

def IndexPutV2(
    x: Value,
    value: Value,
    indexed_sizes: Value,
    indexed_strides: Value,
    indices: Sequence[Value] = (),
    *,
    accumulate: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with `value` written, or added with `accumulate`, where Index would read."""

def InplaceIndexAdd(
    var: Value,
    indices: Value,
    updates: Value,
    alpha: Value | None = None,
    *,
    axis: int,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """var with alpha · updates added to its slices along `axis` at `indices`, one by one."""

class InstanceNormResults(NamedTuple):
    y: Tensor
    mean: Tensor
    variance: Tensor

def InstanceNorm(
    x: Value,
    gamma: Value,
    beta: Value,
    *,
    data_format: str = "NDHWC",
    epsilon: float = 1.0e-06,
    name: str | None = None,
    after: After = (),
) -> InstanceNormResults:
    """Normalisation over the spatial axes of each channel; mean and variance keep ones."""

def InterleaveRope(
    x: Value,
    cos: Value,
    sin: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Pairs of neighbours of x taken apart into halves, then RotaryMul: x'·cos + turn(x')·sin."""

def Invert(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Bitwise not."""

def Iou(
    bboxes: Value,
    gtboxes: Value,
    *,
    mode: str = "iou",
    eps: float = 1.0,
    aligned: bool = False,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Overlap ratio of boxes."""

def IsFinite(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """True where x is neither infinite nor NaN."""

def IsInf(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """True where x is infinite."""

def IsNan(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """True where x is not a number."""

def IsVariableInitialized(
    x: Value,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Returns a bool that tells whether a variable holds a value."""

def IteratorGetNext(
    x: Value,
    *,
    output_types: Sequence[int] = (),
    output_shapes: Sequence[Sequence[int]] = ((), ()),
    output_num: int = 1,
    _kernel: str = "dp",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Takes the next element from an iterator."""

def IteratorV2(
    *,
    output_types: Sequence[int] = (),
    output_shapes: Sequence[Sequence[int]] = ((), ()),
    container: str = "",
    shared_name: str = "",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Creates an iterator handle."""

class KvRmsNormRopeCacheResults(NamedTuple):
    k_cache: Ref
    ckv_cache: Ref
    k_rope: Tensor
    c_kv: Tensor

def KvRmsNormRopeCache(
    kv: Value,
    gamma: Value,
    cos: Value,
    sin: Value,
    index: Value,
    k_cache: Ref,
    ckv_cache: Ref,
    k_rope_scale: Value | None = None,
    c_kv_scale: Value | None = None,
    k_rope_offset: Value | None = None,
    c_kv_offset: Value | None = None,
    v: Value | None = None,
    *,
    epsilon: float = 1.0e-05,
    cache_mode: str = "Norm",
    is_output_kv: bool = False,
    name: str | None = None,
    after: After = (),
) -> KvRmsNormRopeCacheResults:
    """RmsNorm of one part of kv, rotary embedding of the other, both written to caches."""

def L2Loss(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Half the sum of squares, a scalar."""

def L2Normalize(
    x: Value,
    *,
    axis: Sequence[int] = (),
    eps: float = 0.0001,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x / sqrt(max(sum of squares over `axis`, eps)); no axis means all."""

def LRN(
    x: Value,
    *,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x / (bias + alpha · s)^beta with s the sum of squares over neighbouring channels."""

class LSTMResults(NamedTuple):
    h: Tensor
    h_t: Tensor
    c_t: Tensor

def LSTM(
    x: Value,
    cont: Value,
    w_x: Value,
    bias: Value,
    w_h: Value,
    x_static: Value | None = None,
    h_0: Value | None = None,
    c_0: Value | None = None,
    w_x_static: Value | None = None,
    *,
    num_output: int = 0,
    expose_hidden: bool = False,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> LSTMResults:
    """Caffe-style LSTM over a sequence."""

def LabelGotoEx(*, _label_switch_index: int, name: str | None = None, after: After = ()) -> Node:
    """Jumps to a label."""

def LabelSet(*, _label_switch_index: int, name: str | None = None, after: After = ()) -> Node:
    """Defines a jump target in the task list."""

def LabelSwitchByIndex(
    index: Value,
    *,
    _label_switch_list: Sequence[int],
    name: str | None = None,
    after: After = (),
) -> Node:
    """Jumps to the label at the given list index; lowered form of If, Case and While."""

class LayerNormResults(NamedTuple):
    y: Tensor
    mean: Tensor
    variance: Tensor

def LayerNorm(
    x: Value,
    gamma: Value,
    beta: Value,
    *,
    begin_norm_axis: int = 0,
    begin_params_axis: int = 0,
    epsilon: float = 1.0e-07,
    name: str | None = None,
    after: After = (),
) -> LayerNormResults:
    """(x - mean) / sqrt(variance + epsilon) · gamma + beta over the axes from begin_norm_axis
    on.
    """

class LayerNormBetaGammaBackpropV2Results(NamedTuple):
    pd_gamma: Tensor
    pd_beta: Tensor

def LayerNormBetaGammaBackpropV2(
    dy: Value,
    res_for_gamma: Value,
    *,
    shape_gamma: Sequence[int],
    name: str | None = None,
    after: After = (),
) -> LayerNormBetaGammaBackpropV2Results:
    """Sums of dy·res_for_gamma and of dy over the axes that `shape_gamma` lacks in front."""

class LayerNormGradResults(NamedTuple):
    pd_x: Tensor
    pd_gamma: Tensor
    pd_beta: Tensor

def LayerNormGrad(
    dy: Value,
    x: Value,
    variance: Value,
    mean: Value,
    gamma: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> LayerNormGradResults:
    """Gradients of LayerNorm with respect to x, gamma and beta."""

class LayerNormGradV3Results(NamedTuple):
    pd_x: Tensor
    pd_gamma: Tensor
    pd_beta: Tensor

def LayerNormGradV3(
    dy: Value,
    x: Value,
    rstd: Value,
    mean: Value,
    gamma: Value,
    *,
    output_mask: Sequence[bool] = (True, True, True),
    name: str | None = None,
    after: After = (),
) -> LayerNormGradV3Results:
    """LayerNormGrad by rstd instead of the variance; all results are made whatever output_mask."""

class LayerNormV3Results(NamedTuple):
    y: Tensor
    mean: Tensor
    rstd: Tensor

def LayerNormV3(
    x: Value,
    gamma: Value,
    beta: Value,
    *,
    begin_norm_axis: int = 0,
    begin_params_axis: int = 0,
    epsilon: float = 1.0e-05,
    name: str | None = None,
    after: After = (),
) -> LayerNormV3Results:
    """LayerNorm that gives rstd = 1 / sqrt(variance + epsilon) instead of the variance."""

class LayerNormV4Results(NamedTuple):
    y: Tensor
    mean: Tensor
    rstd: Tensor

def LayerNormV4(
    x: Value,
    normalized_shape: Value,
    gamma: Value | None = None,
    beta: Value | None = None,
    *,
    epsilon: float = 1.0e-05,
    name: str | None = None,
    after: After = (),
) -> LayerNormV4Results:
    """LayerNorm over the last dims of x, which `normalized_shape` repeats; mean and rstd in f32."""

def LeakyRelu(
    x: Value,
    *,
    negative_slope: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x where x > 0, else negative_slope·x."""

def LeftShift(x: Value, y: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x·2^y modulo the width of the dtype, with broadcast."""

def Lerp(
    start: Value,
    end: Value,
    weight: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """start + weight·(end - start)."""

def Less(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 < x2."""

def LessEqual(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 ≤ x2."""

def LinSpace(
    start: Value,
    stop: Value,
    num: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """`num` numbers from start to stop, both included, at equal distances; start alone for one."""

def Log(
    x: Value,
    *,
    base: float = -1.0,
    scale: float = 1.0,
    shift: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Logarithm of scale·x + shift; base -1 means e."""

def Log1p(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """log(1 + x), accurate near 0."""

def LogSigmoid(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """log(sigmoid(x)) = -log(1 + exp(-x))."""

def LogSoftmaxGrad(
    grad: Value,
    x: Value,
    *,
    axis: Sequence[int] = (-1,),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """grad - exp(x)·(sum of grad over `axis`), where x is the logarithm of a softmax."""

def LogSoftmaxV2(
    logits: Value,
    *,
    axes: Sequence[int] = (-1,),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """log of the softmax over all of `axes` together."""

def LogicalAnd(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Boolean and."""

def LogicalNot(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Boolean not."""

def LogicalOr(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Boolean or."""

def LoopCond(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x, which says whether a loop turns once more."""

def LpNorm(
    x: Value,
    *,
    p: int = 2,
    axes: Sequence[int] = (),
    keepdim: bool = False,
    epsilon: float = 1.0e-12,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The p-th root of the sum of |x|**p over `axes`, but at least epsilon (assumed)."""

def LpNormV2(
    x: Value,
    *,
    p: float = 2.0,
    axes: Sequence[int] = (),
    keepdim: bool = False,
    epsilon: float = 1.0e-12,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """LpNorm of any real order, also infinite ones."""

def MVNV2(
    x: Value,
    *,
    eps: float = 1.0e-09,
    axes: Sequence[int] = (0, 2, 3),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(x - mean) / (deviation + eps) over `axes` together (ONNX's MeanVarianceNormalization)."""

def MakeIterator(
    x: Value,
    x1: Value,
    *,
    _kernel: str = "dp",
    name: str | None = None,
    after: After = (),
) -> Node:
    """Binds a data set to an iterator."""

def MapIndex(
    x: Value,
    data_seq: Value,
    level_index: Value | None = None,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Which row of data_seq, a table with rows as long as x, is equal to x; -1 for none."""

def MapStage(
    key: Value,
    indices: Value,
    values: Sequence[Value] = (),
    *,
    capacity: int = 0,
    memory_limit: int = 0,
    dtypes: Sequence[DTypeLike] = (),
    container: str = "",
    shared_name: str = "",
    name: str | None = None,
    after: After = (),
) -> Node:
    """Stores a tuple under a key in a staging map."""

def MaskedFill(
    x: Value,
    mask: Value,
    value: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with `value` where `mask` is true; the mask broadcasts with x."""

def MaskedSelect(x: Value, mask: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """The elements of x where `mask` is true, as a vector; the two broadcast."""

def MaskedSoftmaxWithRelPosBias(
    x: Value,
    atten_mask: Value | None,
    relative_pos_bias: Value,
    *,
    scale_value: float = 1.0,
    inner_precision_mode: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """softmax of x · scale_value + atten_mask + relative_pos_bias along the last axis."""

def MatMul(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    *,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1 · x2 (+ bias) of matrices, each transposed first where asked."""

def MatMulV2(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    offset_x: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1 · x2 (+ bias) of matrices, each transposed first where asked; int8 gives int32."""

def MatMulV3(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    offset_w: Value | None = None,
    *,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    offset_x: int = 0,
    opImplMode: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """MatMulV2 of the Ascend C generation, for floats; opImplMode chooses among equal results."""

def MatmulAllReduce(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    x3: Value | None = None,
    antiquant_scale: Value | None = None,
    antiquant_offset: Value | None = None,
    dequant_scale: Value | None = None,
    pertoken_scale: Value | None = None,
    comm_quant_scale_1: Value | None = None,
    comm_quant_scale_2: Value | None = None,
    *,
    group: str,
    reduce_op: str = "sum",
    is_trans_a: bool = False,
    is_trans_b: bool = False,
    comm_turn: int = 0,
    antiquant_group_size: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The reduction over the ranks of x1 · x2 + bias + x3, each rounded before it travels."""

def MatmulReduceScatter(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    *,
    group: str,
    reduce_op: str = "sum",
    is_trans_a: bool = False,
    is_trans_b: bool = False,
    comm_turn: int = 0,
    rank_size: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The sum over the ranks of x1 · x2 + bias, of which each rank gets its block of rows."""

def MatrixDeterminant(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Determinants of the square matrices in the last two axes."""

def MatrixDiagV2(
    diagonal: Value,
    k: Value,
    num_rows: Value,
    num_cols: Value,
    padding_value: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Matrices with the given diagonals k[0] … k[1], `padding_value` elsewhere."""

def MaxPool(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Largest element of each window, with SAME or VALID padding."""

def MaxPool3D(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    pads: Sequence[int] = (0, 0, 0, 0, 0, 0),
    dilation: Sequence[int] = (1, 1, 1, 1, 1),
    ceil_mode: int = 0,
    data_format: str = "NDHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Largest element of each window; padding is ignored, not zero."""

class MaxPool3DWithArgmaxV2Results(NamedTuple):
    y: Tensor
    argmax: Tensor

def MaxPool3DWithArgmaxV2(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int] = (0, 0, 0, 0, 0, 0),
    dilation: Sequence[int] = (1, 1, 1, 1, 1),
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    dtype: int = 3,
    name: str | None = None,
    after: After = (),
) -> MaxPool3DWithArgmaxV2Results:
    """Largest element of each window and its place, the first of equals; NaN is the largest."""

def MaxPoolGrad(
    x1: Value,
    x2: Value,
    grad: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of MaxPool at x1: a window's gradient goes to its largest element, the first of
    equals; x2 = MaxPool(x1) is not needed.
    """

def MaxPoolGradWithArgmax(
    x: Value,
    grad: Value,
    argmax: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    include_batch_in_index: bool = False,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of MaxPoolWithArgmax at x: each gradient is added at the place argmax names."""

def MaxPoolGradWithArgmaxV1(
    x: Value,
    grad: Value,
    argmax: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dtype: int = 3,
    dilation: Sequence[int] = (1, 1, 1, 1),
    ceil_mode: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of MaxPoolWithArgmaxV1 at x: each gradient is added at its place, -1 is nowhere."""

def MaxPoolV3(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding_mode: str = "CALCULATED",
    pads: Sequence[int] = (0, 0, 0, 0),
    data_format: str = "NCHW",
    global_pooling: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Largest element of each window; padding is ignored, not zero."""

class MaxPoolWithArgmaxResults(NamedTuple):
    y: Tensor
    argmax: Tensor

def MaxPoolWithArgmax(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    Targmax: int = 9,
    include_batch_in_index: bool = False,
    data_format: str = "NHWC",
    nan_prop: bool = False,
    name: str | None = None,
    after: After = (),
) -> MaxPoolWithArgmaxResults:
    """Largest element of each window and its place, the first of equals, SAME or VALID padding."""

class MaxPoolWithArgmaxV1Results(NamedTuple):
    y: Tensor
    argmax: Tensor

def MaxPoolWithArgmaxV1(
    x: Value,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dtype: int = 3,
    dilation: Sequence[int] = (1, 1, 1, 1),
    ceil_mode: bool = False,
    name: str | None = None,
    after: After = (),
) -> MaxPoolWithArgmaxV1Results:
    """Largest element of each window and its place row·width + column, the first of equals."""

def Maximum(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """The larger one; NaN wins."""

def MemSet(
    *,
    sizes: Sequence[int],
    dtypes: Sequence[DTypeLike] = (),
    values_int: Sequence[int] = (),
    values_float: Sequence[float] = (),
    name: str | None = None,
    after: After = (),
) -> Node:
    """Fills memory blocks of `sizes` bytes, each with a value of its dtype, zero where none is
    given.
    """

def MemcpyAddrAsync(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """A copy of x whose addresses are read when it runs."""

def MemcpyAsync(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """A copy of x by a stream's task."""

class MergeResults(NamedTuple):
    y: Tensor
    value_index: Tensor

def Merge(x: Sequence[Value], *, name: str | None = None, after: After = ()) -> MergeResults:
    """The input that is alive, the first of several, and its number."""

def Minimum(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """The smaller one; NaN wins."""

def MirrorPad(
    x: Value,
    paddings: Value,
    *,
    mode: str,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with its mirror image around it; `paddings` holds (before, after) per axis."""

def Mish(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x·tanh(log(1 + exp(x)))."""

class MlaPrologResults(NamedTuple):
    query: Tensor
    query_rope: Tensor
    kv_cache: Ref
    kr_cache: Ref

def MlaProlog(
    token_x: Value,
    weight_dq: Value,
    weight_uq_qr: Value,
    weight_uk: Value,
    weight_dkv_kr: Value,
    rmsnorm_gamma_cq: Value,
    rmsnorm_gamma_ckv: Value,
    rope_sin: Value,
    rope_cos: Value,
    cache_index: Value,
    kv_cache: Ref,
    kr_cache: Ref,
    dequant_scale_x: Value | None = None,
    dequant_scale_w_dq: Value | None = None,
    dequant_scale_w_uq_qr: Value | None = None,
    dequant_scale_w_dkv_kr: Value | None = None,
    quant_scale_ckv: Value | None = None,
    quant_scale_ckr: Value | None = None,
    smooth_scales_cq: Value | None = None,
    *,
    rmsnorm_epsilon_cq: float = 1.0e-05,
    rmsnorm_epsilon_ckv: float = 1.0e-05,
    cache_mode: str = "PA_BSND",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> MlaPrologResults:
    """Fused projections, norm, rope and cache write that precede latent attention."""

def Mod(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Remainder with the sign of x1."""

def MoeComputeExpertTokens(
    sorted_experts: Value,
    *,
    num_experts: int,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """How many of the sorted experts are at most 0, 1, … num_experts - 1."""

def MoeDistributeCombine(
    expand_x: Value,
    expert_ids: Value,
    expand_idx: Value,
    ep_send_counts: Value,
    expert_scales: Value,
    tp_send_counts: Value | None = None,
    x_active_mask: Value | None = None,
    activation_scale: Value | None = None,
    weight_scale: Value | None = None,
    group_list: Value | None = None,
    expand_scales: Value | None = None,
    *,
    group_ep: str,
    ep_world_size: int,
    ep_rank_id: int,
    moe_expert_num: int,
    group_tp: str = "",
    tp_world_size: int = 0,
    tp_rank_id: int = 0,
    expert_shard_type: int = 0,
    shared_expert_num: int = 1,
    shared_expert_rank_num: int = 0,
    global_bs: int = 0,
    out_dtype: int = 0,
    comm_quant_mode: int = 0,
    group_list_type: int = 0,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Inverse of the dispatch: returns and mixes expert outputs."""

class MoeDistributeDispatchResults(NamedTuple):
    expand_x: Tensor
    dynamic_scales: Tensor
    expand_idx: Tensor
    expert_token_nums: Tensor
    ep_recv_count: Tensor
    tp_recv_count: Tensor
    expand_scales: Tensor

def MoeDistributeDispatch(
    x: Value,
    expert_ids: Value,
    scales: Value | None = None,
    x_active_mask: Value | None = None,
    expert_scales: Value | None = None,
    *,
    group_ep: str,
    ep_world_size: int,
    ep_rank_id: int,
    moe_expert_num: int,
    group_tp: str = "",
    tp_world_size: int = 0,
    tp_rank_id: int = 0,
    expert_shard_type: int = 0,
    shared_expert_num: int = 1,
    shared_expert_rank_num: int = 0,
    quant_mode: int = 0,
    global_bs: int = 0,
    expert_token_nums_type: int = 1,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> MoeDistributeDispatchResults:
    """All-to-all dispatch of tokens to experts over ranks, with optional quantisation."""

def MoeFinalizeRouting(
    expanded_x: Value,
    x1: Value,
    x2: Value | None,
    bias: Value,
    scales: Value,
    expanded_row_idx: Value,
    expanded_expert_idx: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1 + x2 + the sum over choices k of scales[i, k] · (expanded_x[r] + bias[e]) for each
    row i.
    """

def MoeFinalizeRoutingV2(
    expanded_x: Value,
    expanded_row_idx: Value,
    x1: Value | None = None,
    x2: Value | None = None,
    bias: Value | None = None,
    scales: Value | None = None,
    expert_idx: Value | None = None,
    *,
    drop_pad_mode: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """MoeFinalizeRouting with everything but the experts' results left out on demand."""

class MoeGatingTopKResults(NamedTuple):
    y: Tensor
    expert_idx: Tensor
    out: Tensor

def MoeGatingTopK(
    x: Value,
    bias: Value | None = None,
    *,
    k: int,
    k_group: int = 1,
    group_count: int = 1,
    group_select_mode: int = 0,
    renorm: int = 0,
    norm_type: int = 0,
    out_flag: bool = False,
    routed_scaling_factor: float = 1.0,
    eps: float = 1.0e-20,
    name: str | None = None,
    after: After = (),
) -> MoeGatingTopKResults:
    """The k best experts of each row of x, out of its k_group best groups, and their weights."""

class MoeGatingTopKSoftmaxResults(NamedTuple):
    y: Tensor
    expert_idx: Tensor
    row_idx: Tensor

def MoeGatingTopKSoftmax(
    x: Value,
    finished: Value | None = None,
    *,
    k: int,
    name: str | None = None,
    after: After = (),
) -> MoeGatingTopKSoftmaxResults:
    """The k largest of softmax(x) along the last axis, and their experts."""

class MoeGatingTopKSoftmaxV2Results(NamedTuple):
    y: Tensor
    expert_idx: Tensor
    softmax_result: Tensor

def MoeGatingTopKSoftmaxV2(
    x: Value,
    finished: Value | None = None,
    *,
    k: int,
    renorm: int = 0,
    output_softmax_result_flag: bool = False,
    name: str | None = None,
    after: After = (),
) -> MoeGatingTopKSoftmaxV2Results:
    """MoeGatingTopKSoftmax; with renorm 1 the softmax goes over the k largest of x only."""

class MoeInitRoutingResults(NamedTuple):
    expanded_x: Tensor
    expanded_row_idx: Tensor
    expanded_expert_idx: Tensor

def MoeInitRouting(
    x: Value,
    row_idx: Value,
    expert_idx: Value,
    *,
    active_num: int,
    name: str | None = None,
    after: After = (),
) -> MoeInitRoutingResults:
    """Rows of x [rows, H] once per choice of expert_idx [rows, k], sorted by expert."""

class MoeInitRoutingV2Results(NamedTuple):
    expanded_x: Tensor
    expanded_row_idx: Tensor
    expanded_expert_idx: Tensor
    expert_token_idx: Tensor

def MoeInitRoutingV2(
    x: Value,
    row_idx: Value | None,
    expert_idx: Value,
    *,
    active_num: int = -1,
    expert_capacity: int = -1,
    expert_num: int = -1,
    expanded_expert_idx_flag: bool = True,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> MoeInitRoutingV2Results:
    """MoeInitRouting with capacity, drop mode and expert counts."""

class MoeInitRoutingV3Results(NamedTuple):
    expanded_x: Tensor
    expanded_row_idx: Tensor
    expert_tokens_count_or_cumsum: Tensor
    expanded_scale: Tensor

def MoeInitRoutingV3(
    x: Value,
    expert_idx: Value,
    scale: Value | None = None,
    offset: Value | None = None,
    *,
    active_num: int = -1,
    expert_capacity: int = -1,
    expert_num: int = -1,
    drop_pad_mode: int = 0,
    expert_tokens_num_type: int = 0,
    expert_tokens_num_flag: bool = False,
    quant_mode: int = -1,
    active_expert_range: Sequence[int] = (),
    row_idx_type: int = 0,
    name: str | None = None,
    after: After = (),
) -> MoeInitRoutingV3Results:
    """Rows of x [R, H] once per choice of expert_idx [R, K], sorted by expert."""

def MseLoss(
    predict: Value,
    label: Value,
    *,
    reduction: str = "mean",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(predict - label)², or the sum or the mean of all of it."""

def MseLossGrad(
    predict: Value,
    label: Value,
    dout: Value,
    *,
    reduction: str = "mean",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """2·(predict - label)·dout, over the number of elements for the mean."""

def Mul(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 · x2; operands of different dtypes meet in the common one."""

def Muls(x: Value, *, value: float, name: str | None = None, after: After = ()) -> Tensor:
    """x times the scalar `value`."""

def Multinomial(
    logits: Value,
    num_samples: Value,
    *,
    dtype: DTypeLike = "int64",
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """`num_samples` class numbers per row of `logits`, each drawn with its softmax probability."""

def MultinomialWithReplacement(
    x: Value,
    seed: Value,
    offset: Value,
    *,
    numsamples: int,
    replacement: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """`numsamples` classes per row of weights x ([classes] or [rows, classes])."""

class NLLLossResults(NamedTuple):
    y: Tensor
    total_weight: Tensor

def NLLLoss(
    x: Value,
    target: Value,
    weight: Value | None = None,
    *,
    reduction: str = "mean",
    ignore_index: int = -100,
    name: str | None = None,
    after: After = (),
) -> NLLLossResults:
    """-weight[target]·x[target] per example, where x holds logarithms of probabilities."""

def NLLLossGrad(
    x: Value,
    y_grad: Value,
    target: Value,
    weight: Value,
    total_weight: Value,
    *,
    reduction: str = "mean",
    ignore_index: int = -100,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """-weight[target]·y_grad at the target of each example, over total_weight for the mean."""

def NPUAllocFloatStatus(
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Allocates the overflow status buffer."""

def NPUClearFloatStatus(
    addr: Value,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Clears the overflow status register."""

def NPUClearFloatStatusV2(*, name: str | None = None, after: After = ()) -> Node:
    """Clears the overflow status of the core."""

def NPUGetFloatStatus(
    addr: Value,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Reads the overflow status register."""

def NPUGetFloatStatusV2(
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Reads the overflow status of the core."""

def Neg(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Negation."""

def NetOutput(input: Sequence[Value | Ref], *, name: str | None = None, after: After = ()) -> Node:
    """The end of every graph and body: its inputs are the outputs, in order."""

def NextIteration(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x in the next turn of its loop; a dead x ends the loop."""

def NoOp(*, name: str | None = None, after: After = ()) -> Node:
    """Computes nothing: a place where control edges meet."""

def NonMaxSuppressionV3(
    boxes: Value,
    scores: Value,
    max_output_size: Value,
    iou_threshold: Value,
    score_threshold: Value,
    *,
    offset: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Greedy choice of boxes, [boxes, 4], by their scores, [boxes]: the numbers of those taken."""

def NonMaxSuppressionV6(
    boxes: Value,
    scores: Value,
    max_output_size: Value | None = None,
    iou_threshold: Value | None = None,
    score_threshold: Value | None = None,
    *,
    center_point_box: int = 0,
    max_boxes_size: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Greedy choice of boxes, for each image and class on its own."""

def NonZero(
    x: Value,
    *,
    transpose: bool = False,
    dtype: DTypeLike = "int64",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Coordinates of the elements that are not zero, in row-major order: a row each, or, with
    `transpose`, a column each.
    """

def NotEqual(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 ≠ x2."""

def OneHot(
    x: Value,
    depth: Value,
    on_value: Value,
    off_value: Value,
    *,
    axis: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """`on_value` where the position along the new axis is the index, `off_value` elsewhere."""

def OnesLike(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Ones in the shape and dtype of x."""

def Opaque(
    input: Sequence[Value | Ref],
    *,
    type: str,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """A node of a type the library does not know; keeps its declared result types."""

def OutfeedEnqueueOp(
    x: Sequence[Value],
    *,
    channel_name: str = "",
    name: str | None = None,
    after: After = (),
) -> Node:
    """Sends tensors out of the device to a host channel."""

def OutfeedEnqueueOpV2(
    x: Sequence[Value],
    tensor_name: Value,
    *,
    channel_name: str = "",
    slice_size: int = 0,
    wait_time: int = 0,
    slice_sync: bool = False,
    name: str | None = None,
    after: After = (),
) -> Node:
    """OutfeedEnqueueOp with the tensor name as an input."""

def PRelu(x: Value, weight: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x where x > 0, else weight·x."""

def PSROIPooling(
    x: Value,
    rois: Value,
    *,
    spatial_scale: float,
    output_dim: int,
    group_size: int,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Mean of each of group_size x group_size bins of each box, bin (i, j) in its own channels."""

def PSROIPoolingV2(
    x: Value,
    rois: Value,
    *,
    spatial_scale: float,
    output_dim: int,
    group_size: int,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """PSROIPooling."""

def Pack(
    x: Sequence[Value],
    *,
    axis: int = 0,
    N: int | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The N inputs, all of one shape, stacked on a new axis at place `axis` of the result."""

def Pad(x: Value, paddings: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x with zeros around it; `paddings` holds (before, after) per axis."""

def PadD(
    x: Value,
    *,
    paddings: Sequence[Sequence[int]],
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with zeros around it; `paddings` holds (before, after) per axis, as an attribute."""

def PadV2(
    x: Value,
    paddings: Value,
    constant_values: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with `paddings` [rank, 2] elements of constant_values before and behind each axis."""

def PadV3(
    x: Value,
    paddings: Value,
    constant_values: Value | None = None,
    *,
    mode: str = "constant",
    paddings_contiguous: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with padding around it: constant, or the border repeated (edge) or mirrored (reflect)."""

def ParallelConcatStart(
    *,
    dtype: DTypeLike = "int32",
    shape: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Room for what several nodes join into: a tensor of shape `shape`; it holds zeros
    (assumed).
    """

def PartitionedCall(
    args: Sequence[Value | Ref],
    *,
    f: Body,
    config: str = "",
    config_proto: str = "",
    executor_type: str = "",
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Calls the body `f` on its inputs; a unit of partitioning, or of a fused operator."""

def Permute(
    x: Value,
    *,
    order: Sequence[int] = (0,),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with its axes in another order: axis i of y is axis order[i] of x."""

def PhonyConcat(
    x: Sequence[Value],
    *,
    concat_dim: Sequence[int],
    N: Sequence[int] | None = None,
    keep_input_offset: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x joined along axis concat_dim[0], by giving each its place in the result's memory."""

def PhonySplit(
    x: Value,
    *,
    split_dim: Sequence[int],
    num_split: Sequence[int],
    keep_output_offset: bool = True,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """num_split[0] equal parts of x along axis split_dim[0], as places in its memory."""

def PlaceHolder(
    x: Value,
    *,
    peerIndex: int = 0,
    parentId: str = "",
    parentOpType: str = "",
    anchorIndex: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Where a value enters an engine's part of a graph: y is x."""

def PlaceholderWithDefault(
    x: Value,
    *,
    shape: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """y is x, a default that stands for an input which is not fed here; `shape` describes it."""

def Pooling(
    x: Value,
    *,
    mode: int = 0,
    global_pooling: bool = False,
    window: Sequence[int] = (1, 1),
    stride: Sequence[int] = (1, 1),
    pad: Sequence[int] = (0, 0, 0, 0),
    dilation: Sequence[int] = (1, 1, 1, 1),
    ceil_mode: int = 0,
    data_format: str = "NCHW",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Caffe's pooling: `mode` 0 takes the largest element of each window, 1 the mean."""

def Pow(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 to the power x2; operands of different dtypes meet in the common one."""

def Power(
    x: Value,
    *,
    power: float = 1.0,
    scale: float = 1.0,
    shift: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(shift + scale·x)**power (Caffe's)."""

def PreventGradient(
    x: Value,
    *,
    message: str = "",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """y is x; automatic differentiation stops here with `message`."""

def Print(x: Sequence[Value], *, name: str | None = None, after: After = ()) -> Node:
    """Prints its inputs, in the order of the graph's effects."""

def PrintV2(
    x: Value,
    *,
    output_stream: str = "stderr",
    name: str | None = None,
    after: After = (),
) -> Node:
    """Prints a string, in the order of the graph's effects; `output_stream` says where to."""

def PromptFlashAttention(
    query: Value,
    key: Value,
    value: Value,
    pse_shift: Value | None = None,
    atten_mask: Value | None = None,
    actual_seq_lengths: Value | None = None,
    actual_seq_lengths_kv: Value | None = None,
    deq_scale1: Value | None = None,
    quant_scale1: Value | None = None,
    deq_scale2: Value | None = None,
    quant_scale2: Value | None = None,
    quant_offset2: Value | None = None,
    *,
    num_heads: int,
    scale_value: float = 1.0,
    pre_tokens: int = 214748647,
    next_tokens: int = 0,
    input_layout: str = "BSH",
    num_key_value_heads: int = 1,
    sparse_mode: int = 0,
    inner_precise: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """softmax(mask(scale_value · query · keyᵀ + pse_shift)) · value over a prompt."""

def QuantBatchMatmul(
    x1: Value,
    x2: Value,
    bias: Value,
    deq_scale: Value,
    *,
    adj_x1: bool = False,
    adj_x2: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(x1·x2 + bias)·deq_scale as float16, each matrix transposed first where asked."""

def QuantBatchMatmulV3(
    x1: Value,
    x2: Value,
    scale: Value,
    offset: Value | None = None,
    bias: Value | None = None,
    pertoken_scale: Value | None = None,
    *,
    dtype: int,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    group_size: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1·x2 with its scales, as the dtype with GE's number `dtype`."""

def QuantConv2D(
    x: Value,
    filter: Value,
    scale: Value,
    bias: Value | None = None,
    offset: Value | None = None,
    *,
    dtype: int,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int] = (1, 1, 1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
    offset_x: int = 0,
    round_mode: str = "rint",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(convolution of int8 data + bias)·scale as the dtype with GE's number `dtype`."""

def Quantize(
    x: Value,
    scales: Value,
    zero_points: Value | None = None,
    *,
    dtype: str,
    axis: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """round(x / scales) + zero_points, saturated (PyTorch's quantize_per_tensor, …_per_channel)."""

def QueueData(
    *,
    index: int = 0,
    queue_name: str = "",
    output_types: Sequence[DTypeLike] = (),
    output_shapes: Sequence[Sequence[int]] = ((), ()),
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Input fed from a runtime queue instead of a host call."""

def QueueDequeue(
    handle: Value,
    *,
    timeout_ms: int = -1,
    component_types: Sequence[DTypeLike],
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Takes a tuple of tensors from a queue."""

def QueueEnqueue(
    handle: Value,
    components: Sequence[Value] = (),
    *,
    timeout_ms: int = -1,
    name: str | None = None,
    after: After = (),
) -> Node:
    """Puts a tuple of tensors on a queue."""

def ROIAlign(
    features: Value,
    rois: Value,
    rois_n: Value | None = None,
    *,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sample_num: int = 2,
    roi_end_mode: int = 1,
    pool_mode: str = "avg",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Interpolated samples of features [N, C, H, W] in boxes, pooled to a fixed size."""

def ROIPooling(
    x: Value,
    rois: Value,
    roi_actual_num: Value | None = None,
    *,
    pooled_h: int,
    pooled_w: int,
    spatial_scale_h: float,
    spatial_scale_w: float,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Largest element of x [N, C, H, W] in each of pooled_h x pooled_w bins of each box."""

def RandomShuffle(
    x: Value,
    *,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The slices of x along axis 0 in a random order."""

def RandomStandardNormal(
    shape: Value,
    *,
    dtype: DTypeLike,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Normally distributed numbers of mean 0 and deviation 1, of shape `shape`."""

def RandomUniform(
    shape: Value,
    *,
    dtype: DTypeLike,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Uniform numbers in [0, 1) of shape `shape` and dtype `dtype`."""

def RandomUniformInt(
    shape: Value,
    min: Value,
    max: Value,
    *,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Integers of shape `shape`, equally likely in min … max - 1."""

def Range(
    start: Value,
    limit: Value,
    delta: Value,
    *,
    is_closed: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """start, start + delta, … up to but not including `limit`; with `is_closed` including it."""

def Rank(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """The number of axes of x as an int32 scalar."""

def ReFormat(src: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x under another format's name; no element moves."""

def Read(ref: Ref, *, name: str | None = None, after: After = ()) -> Tensor:
    """The tensor a ref holds at this point of the order."""

def ReadVariableOp(
    x: Value,
    *,
    dtype: int = 3,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Reads the value behind a variable handle."""

def Real(
    input: Value,
    *,
    Tout: DTypeLike = "float32",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The real part."""

def RealDiv(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 / x2; the result of integers is the quotient rounded towards zero."""

def Reciprocal(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """1 / x."""

def Recv(*, event_id: int, name: str | None = None, after: After = ()) -> Node:
    """Makes its stream wait for an event."""

def ReduceAll(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """And over `axes`."""

def ReduceAllD(
    x: Value,
    *,
    axes: Sequence[int],
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """And over `axes`, an attribute."""

def ReduceAny(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Or over `axes`."""

def ReduceAnyD(
    x: Value,
    *,
    axes: Sequence[int],
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Or over `axes`, an attribute."""

def ReduceLogSum(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The logarithm of the sum over `axes`; no axes leave the logarithm alone."""

def ReduceLogSumExp(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    noop_with_empty_axes: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Logarithm of the sum of the exponentials over `axes`, without overflow."""

def ReduceMax(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    noop_with_empty_axes: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Largest element over `axes`."""

def ReduceMaxD(
    x: Value,
    *,
    axes: Sequence[int],
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Largest element over `axes`, an attribute."""

def ReduceMean(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    noop_with_empty_axes: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Mean over `axes`."""

def ReduceMeanD(
    x: Value,
    *,
    axes: Sequence[int],
    keep_dims: bool = False,
    noop_with_empty_axes: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Mean over `axes`, an attribute."""

def ReduceMeanWithCast(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    noop_with_empty_axes: bool = True,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Mean over `axes` of x cast to `dtype` (float16, float32, int8 or uint8) where one is
    given.
    """

def ReduceMin(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    noop_with_empty_axes: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Smallest element over `axes`."""

def ReduceMinD(
    x: Value,
    *,
    axes: Sequence[int],
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Smallest element over `axes`, an attribute."""

def ReduceProd(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    noop_with_empty_axes: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Product over `axes`."""

def ReduceProdD(
    x: Value,
    *,
    axes: Sequence[int],
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Product over `axes`, an attribute."""

class ReduceStdV2Results(NamedTuple):
    std: Tensor
    mean: Tensor

def ReduceStdV2(
    x: Value,
    *,
    dim: Sequence[int] = (),
    correction: int = 1,
    keepdim: bool = False,
    is_mean_out: bool = True,
    name: str | None = None,
    after: After = (),
) -> ReduceStdV2Results:
    """Standard deviation and mean over `dim`; the variance divides by n - correction."""

def ReduceStdWithMean(
    x: Value,
    mean: Value,
    *,
    dim: Sequence[int] = (),
    unbiased: bool = True,
    keepdim: bool = False,
    invert: bool = False,
    epsilon: float = 0.001,
    correction: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Standard deviation over `dim` about a mean that is given and stretches to x."""

def ReduceSum(
    x: Value,
    axes: Value,
    *,
    keep_dims: bool = False,
    noop_with_empty_axes: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Sum over `axes`."""

def ReduceSumD(
    x: Value,
    *,
    axes: Sequence[int],
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Sum over `axes`, an attribute."""

def RefData(x: Ref, *, index: int = 0, name: str | None = None, after: After = ()) -> Ref:
    """Graph input `index` that the graph may update in place."""

def RefEnter(
    x: Value | Ref,
    *,
    frame_name: str,
    is_constant: bool,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Enter, of a tensor or a handle."""

def RefExit(x: Value | Ref, *, name: str | None = None, after: After = ()) -> Tensor:
    """Exit, of a tensor or a handle."""

def RefIdentity(x: Ref, *, name: str | None = None, after: After = ()) -> Ref:
    """The handle x itself: a further name of a variable."""

class RefMergeResults(NamedTuple):
    y: Tensor
    value_index: Tensor

def RefMerge(
    x: Sequence[Value | Ref],
    *,
    name: str | None = None,
    after: After = (),
) -> RefMergeResults:
    """Merge, of tensors or handles."""

def RefNextIteration(x: Value | Ref, *, name: str | None = None, after: After = ()) -> Tensor:
    """NextIteration, of a tensor or a handle."""

class RefSwitchResults(NamedTuple):
    output_false: Tensor
    output_true: Tensor

def RefSwitch(
    data: Value | Ref,
    pred: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> RefSwitchResults:
    """Switch, of a tensor or a handle."""

def Reinterpret(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """The bytes of x seen with the declared type; stands where GE lets two ends of an edge
    differ.
    """

def Relu(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """max(x, 0)."""

def Relu6(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """min(max(x, 0), 6)."""

def ReluGrad(
    gradients: Value,
    features: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """gradients where features are positive, else 0."""

def Reshape(
    x: Value,
    shape: Value,
    *,
    axis: int = 0,
    num_axes: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with its elements in another shape."""

def Resize(
    x: Value,
    roi: Value | None = None,
    scales: Value | None = None,
    sizes: Value | None = None,
    *,
    coordinate_transformation_mode: str = "half_pixel",
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    extrapolation_value: float = 0.0,
    mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
    antialias: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x interpolated to another size along each axis, the axes one after the other."""

def ResizeBilinearV2(
    x: Value,
    size: Value,
    *,
    align_corners: bool = False,
    half_pixel_centers: bool = False,
    dtype: DTypeLike = "float32",
    scales: Sequence[float] = (0.0, 0.0),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x [N, C, H, W] interpolated linearly to another size, borders repeated."""

def ResizeNearestNeighborV2(
    x: Value,
    size: Value,
    *,
    align_corners: bool = False,
    half_pixel_centers: bool = False,
    scales: Sequence[float] = (0.0, 0.0),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x [N, C, H, W] at the nearest positions of another size."""

def ReverseSequence(
    x: Value,
    seq_lengths: Value,
    *,
    seq_dim: int,
    batch_dim: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with the first `seq_lengths[b]` elements along `seq_dim` reversed, for b on `batch_dim`."""

def ReverseV2(x: Value, axis: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x with the order along each axis in `axis` reversed."""

def RightShift(x: Value, y: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x / 2^y rounded down, with broadcast."""

def Rint(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Rounds to the nearest integer, ties to even."""

class RmsNormResults(NamedTuple):
    y: Tensor
    rstd: Tensor

def RmsNorm(
    x: Value,
    gamma: Value,
    *,
    epsilon: float = 1.0e-06,
    name: str | None = None,
    after: After = (),
) -> RmsNormResults:
    """x · rstd · gamma with rstd = 1 / sqrt(mean of squares + epsilon) over the dims of gamma."""

class RmsNormGradResults(NamedTuple):
    dx: Tensor
    dgamma: Tensor

def RmsNormGrad(
    dy: Value,
    x: Value,
    rstd: Value,
    gamma: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> RmsNormGradResults:
    """Gradients of RmsNorm with respect to x and gamma."""

def Roll(
    x: Value,
    *,
    shifts: Sequence[int],
    dims: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x rotated by `shifts` along `dims`; what leaves at one end comes in at the other."""

def RotaryMul(
    x: Value,
    r1: Value,
    r2: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x·r1 + turn(x)·r2, where turn puts the negated second half before the first."""

def RotaryPositionEmbedding(
    x: Value,
    cos: Value,
    sin: Value,
    *,
    mode: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x·cos + turn(x)·sin; `mode` 0 pairs elements of the two halves, 1 neighbours."""

def Round(x: Value, *, decimals: int = 0, name: str | None = None, after: After = ()) -> Tensor:
    """Rounds to `decimals` digits, ties to even."""

def Rsqrt(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """1 / sqrt(x)."""

def SGD(
    parameters: Ref,
    gradient: Value,
    learning_rate: Value,
    accum: Ref,
    momentum: Value,
    stat: Ref,
    *,
    dampening: float = 0.0,
    weight_decay: float = 0.0,
    nesterov: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """Gradient descent with momentum, dampening and weight decay (PyTorch's, but see below)."""

def Scale(
    x: Value,
    scale: Value,
    bias: Value | None = None,
    *,
    axis: int = 1,
    num_axes: int = 1,
    scale_from_blob: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x·scale + bias (Caffe's), whose dims are those of x from `axis` on; see Bias."""

def ScaledMaskedSoftmax(
    x: Value,
    mask: Value | None = None,
    *,
    scale: float = 1.0,
    fixed_triu_mask: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """softmax of x · scale along the last axis, without what `mask` marks."""

def ScatterElements(
    data: Value,
    indices: Value,
    updates: Value,
    *,
    axis: int = 0,
    reduction: str = "none",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A copy of data with `updates` written along `axis` at `indices`, which have one shape."""

def ScatterNd(
    indices: Value,
    x: Value,
    shape: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Zeros of shape `shape` with the slices x added at the index tuples in `indices`."""

def ScatterNdUpdate(
    var: Ref,
    indices: Value,
    updates: Value,
    *,
    use_locking: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """var takes the slices `updates` at the index tuples along the last axis of indices."""

class ScatterPaKvCacheResults(NamedTuple):
    key_cache: Ref
    value_cache: Ref

def ScatterPaKvCache(
    key: Value,
    key_cache: Ref,
    slot_mapping: Value,
    value: Value,
    value_cache: Ref,
    compress_lens: Value | None = None,
    compress_seq_offset: Value | None = None,
    seq_lens: Value | None = None,
    *,
    cache_mode: str = "Norm",
    scatter_mode: str = "None",
    strides: Sequence[int] = (1, 1),
    offsets: Sequence[int] = (0, 0),
    name: str | None = None,
    after: After = (),
) -> ScatterPaKvCacheResults:
    """Keys and values of new tokens go to their slots of a paged cache."""

def ScatterUpdate(
    var: Ref,
    indices: Value,
    updates: Value,
    *,
    use_locking: bool = False,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """Rows of var replaced: var[indices] = updates. Of several writes to a row the last wins."""

def SearchSorted(
    sorted_sequence: Value,
    values: Value,
    sorter: Value | None = None,
    *,
    dtype: DTypeLike = "int64",
    right: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Where each value would be put into its row of sorted_sequence [… , N], to keep it sorted."""

def Select(
    condition: Value,
    x1: Value,
    x2: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1 where the condition holds, else x2; the values do not broadcast."""

def SelectV2(
    condition: Value,
    then: Value,
    else_: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """`then` where the condition holds, else `else`, all three with broadcast."""

def Selu(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """1.0507·x where x > 0, else 1.0507·1.67326·(exp(x) - 1)."""

def Send(*, event_id: int, name: str | None = None, after: After = ()) -> Node:
    """Records an event on its stream."""

def SequenceAt(
    handle: Value,
    index: Value,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A tensor of a list; index counts from the end where it is negative."""

def SequenceConstruct(
    inputs: Sequence[Value],
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A list of tensors of one dtype."""

def SequenceEmpty(
    *,
    dtype: DTypeLike = "float32",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A list without tensors."""

def SequenceErase(
    handle: Value,
    index: Value | None = None,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A list without the tensor at index, the last one without index."""

def SequenceInsert(
    handle: Value,
    value: Value,
    index: Value | None = None,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A list with a tensor before index, behind all without index."""

def SequenceLength(
    handle: Value,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The number of tensors of a list."""

def Shape(x: Value, *, dtype: int = 3, name: str | None = None, after: After = ()) -> Tensor:
    """The shape of x as a vector of the dtype numbered `dtype`."""

def ShapeN(
    x: Sequence[Value],
    *,
    dtype: int = 3,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """The shape of each of its inputs, as vectors of the dtype numbered `dtype`."""

def Shrink(
    input_x: Value,
    *,
    lambd: float = 0.5,
    bias: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x - bias above lambd, x + bias below -lambd, 0 between."""

def Sigmoid(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """1 / (1 + exp(-x))."""

def SigmoidCrossEntropyWithLogits(
    predict: Value,
    target: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """-target·log(s) - (1 - target)·log(1 - s) with s = sigmoid(predict)."""

def SigmoidGrad(
    y: Value,
    dy: Value,
    *,
    complex_conj: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """dy·y·(1 - y), where y is a sigmoid; real numbers are their own conjugates."""

def Sign(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """-1, 0 or 1."""

def Sin(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Sine."""

def Sinh(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Hyperbolic sine."""

def Size(x: Value, *, dtype: int = 3, name: str | None = None, after: After = ()) -> Tensor:
    """The number of elements of x as a scalar of the dtype numbered `dtype`."""

def Slice(
    x: Value,
    offsets: Value,
    size: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The block of x that starts at `offsets` and has `size`; a size -1 reaches to the end."""

def SliceD(
    x: Value,
    *,
    offsets: Sequence[int],
    size: Sequence[int],
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Slice with its block as attributes."""

def SmoothL1Loss(
    predict: Value,
    label: Value,
    *,
    sigma: float = 1.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """d² / (2·sigma) where d = |predict - label| is less than sigma, else d - sigma / 2."""

class SoftmaxCrossEntropyLossResults(NamedTuple):
    loss: Tensor
    log_prop: Tensor

def SoftmaxCrossEntropyLoss(
    scores: Value,
    labels: Value,
    weights: Value | None = None,
    *,
    ignore_index: int = 0,
    reduction: str = "mean",
    name: str | None = None,
    after: After = (),
) -> SoftmaxCrossEntropyLossResults:
    """NLLLoss of the logarithm of the softmax of the scores over the classes, and that
    logarithm.
    """

class SoftmaxCrossEntropyWithLogitsResults(NamedTuple):
    loss: Tensor
    backprop: Tensor

def SoftmaxCrossEntropyWithLogits(
    features: Value,
    labels: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> SoftmaxCrossEntropyWithLogitsResults:
    """The cross entropy of labels [N, C] and softmax(features), and its gradient."""

def SoftmaxGrad(
    softmax: Value,
    grad_softmax: Value,
    *,
    axes: Sequence[int] = (-1,),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """softmax·(grad_softmax - sum of softmax·grad_softmax over `axes`)."""

def SoftmaxGradExt(
    grad: Value,
    x1: Value,
    x2: Value,
    *,
    axes: int = 1,
    keep_dims: bool = True,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x2·x1·(grad - sum of x1·grad along axis `axes`): SoftmaxGrad and a scale in one."""

def SoftmaxV2(
    x: Value,
    *,
    axes: Sequence[int] = (-1,),
    half_to_float: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """exp(x) normalised to sum 1 over all of `axes` together."""

def Softplus(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """log(1 + exp(x))."""

def Softsign(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x / (1 + |x|)."""

class SortResults(NamedTuple):
    y1: Tensor
    y2: Tensor

def Sort(
    x: Value,
    *,
    axis: int = -1,
    descending: bool = False,
    stable: bool = False,
    y2_dtype: DTypeLike = "int32",
    name: str | None = None,
    after: After = (),
) -> SortResults:
    """x in order along `axis`, and where each element came from."""

def SpaceToBatchND(
    x: Value,
    block_shape: Value,
    paddings: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Axes 1 … m of x padded, cut into blocks of block_shape, whose places go to the batch."""

def SpaceToDepth(
    x: Value,
    *,
    block_size: int,
    data_format: str = "NHWC",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Blocks of block_size x block_size pixels of x moved into channels, the place in the
    block first.
    """

class SparseSoftmaxCrossEntropyWithLogitsResults(NamedTuple):
    loss: Tensor
    backprop: Tensor

def SparseSoftmaxCrossEntropyWithLogits(
    features: Value,
    labels: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> SparseSoftmaxCrossEntropyWithLogitsResults:
    """SoftmaxCrossEntropyWithLogits with the numbers of the classes as labels [N]."""

def Split(
    split_dim: Value,
    x: Value,
    *,
    num_split: int,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x cut into `num_split` equal parts along the axis `split_dim`, which comes first."""

def SplitD(
    x: Value,
    *,
    split_dim: int,
    num_split: int,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x cut into `num_split` equal parts along the axis `split_dim`, an attribute."""

def SplitToSequence(
    x: Value,
    split: Value | None = None,
    *,
    axis: int = 0,
    keepdims: bool = True,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The parts of a tensor along an axis, as a list."""

def SplitV(
    x: Value,
    size_splits: Value,
    split_dim: Value,
    *,
    num_split: int,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x cut along the axis `split_dim` into parts of sizes `size_splits`; one may be -1."""

def SplitVD(
    x: Value,
    *,
    size_splits: Sequence[int],
    split_dim: int,
    num_split: int,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x cut along the axis `split_dim` into parts of sizes `size_splits`, all attributes."""

def Sqrt(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Square root."""

def Square(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x·x."""

def SquareSumV1(
    x: Value,
    *,
    axis: Sequence[int],
    keep_dims: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Sum of squares over `axis`."""

def SquaredDifference(
    x1: Value,
    x2: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """(x1 - x2)²."""

def Squeeze(
    x: Value,
    *,
    axis: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x without the axes in `axis`, which have size 1; without all of size 1 if none is given."""

def SqueezeV2(
    x: Value,
    *,
    axis: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x without the axes in `axis`, which have size 1; without all of size 1 if none is given."""

def SqueezeV3(
    x: Value,
    axes: Value | None = None,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Squeeze with the axes as an optional input."""

def Stack(
    max_size: Value,
    *,
    stack_name: str = "",
    elem_type: DTypeLike,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Creates a stack handle for loop gradients."""

def StackClose(handle: Value, *, name: str | None = None, after: After = ()) -> Node:
    """Frees a stack."""

def StackPop(
    handle: Value,
    *,
    elem_type: DTypeLike,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Pops a tensor from a stack."""

def StackPush(
    handle: Value,
    element: Value,
    *,
    swap_memory: bool = False,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Pushes a tensor on a stack."""

def StatefulPartitionedCall(
    args: Sequence[Value | Ref],
    *,
    f: Body,
    config: str = "",
    config_proto: str = "",
    executor_type: str = "",
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """PartitionedCall of a body that may hold state."""

def StatelessBernoulli(
    shape: Value,
    prob: Value,
    seed: Value,
    offset: Value,
    *,
    dtype: DTypeLike = "float32",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Numbers 1 with probability `prob`, else 0, of shape `shape`; by seed and offset."""

def StatelessBernoulliV2(
    x: Value,
    seed: Value,
    offset: Value,
    *,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Numbers 1, each with the probability at its place of x, else 0; by seed and offset."""

def StatelessCase(
    branch_index: Value,
    input: Sequence[Value | Ref] = (),
    *,
    branches: Sequence[Body],
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Case, of branches without state."""

def StatelessDropOutGenMask(
    shape: Value,
    prob: Value,
    seed: Value,
    seed1: Value,
    offset: Value | None = None,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The mask of DropOutGenMask, by seed, seed1 and offset."""

def StatelessIf(
    cond: Value,
    input: Sequence[Value | Ref] = (),
    *,
    then_branch: Body,
    else_branch: Body,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """If, of bodies without state."""

def StatelessRandomNormalV2(
    shape: Value,
    key: Value,
    counter: Value,
    alg: Value,
    *,
    dtype: DTypeLike = "float32",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Normal numbers of mean 0 and deviation 1, TensorFlow's for this key and counter."""

def StatelessRandomUniformV2(
    shape: Value,
    key: Value,
    counter: Value,
    alg: Value,
    *,
    dtype: DTypeLike = "float32",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Uniform numbers in [0, 1) of shape `shape`, TensorFlow's for this key and counter."""

def StatelessRandperm(
    n: Value,
    seed: Value,
    offset: Value,
    *,
    layout: int = 0,
    dtype: DTypeLike = "int64",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The numbers 0 … n - 1 in an order that follows from seed and offset."""

def StatelessWhile(
    input: Sequence[Value | Ref],
    *,
    cond: Body,
    body: Body,
    parallel_iterations: int = 10,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """While, of bodies without state."""

def StopGradient(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """y is x; of meaning to automatic differentiation only."""

def StreamActive(
    *,
    active_stream_list: Sequence[int],
    _active_label_list: Sequence[str] = (),
    is_loop_active: bool = False,
    name: str | None = None,
    after: After = (),
) -> Node:
    """Starts the listed streams; used for branches and the iteration loop."""

class StreamMergeResults(NamedTuple):
    y: Tensor
    value_index: Tensor

def StreamMerge(
    x: Sequence[Value],
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> StreamMergeResults:
    """Lowered Merge; the branch that ran writes the shared output address."""

def StreamSwitch(
    pred: Value,
    value: Value,
    *,
    switch_condition: int = 0,
    _switch_data_type: int = 0,
    true_branch_stream: int,
    active_stream_list: Sequence[int] = (),
    _stream_switch_type: int = 0,
    name: str | None = None,
    after: After = (),
) -> Node:
    """Compares two scalars on the device and activates a stream when true (0 eq, 1 ne, 2 gt, 3
    ge, 4 lt, 5 le).
    """

def StridedSlice(
    x: Value,
    begin: Value,
    end: Value,
    strides: Value,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x[begin:end:strides] by TensorFlow's rule."""

def StridedSliceAssign(
    var: Ref,
    begin: Value,
    end: Value,
    strides: Value,
    input_value: Value,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
    after: After = (),
) -> Ref:
    """var takes input_value where StridedSlice by the same bounds and masks would read."""

def StridedSliceD(
    x: Value,
    *,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """StridedSlice with its bounds as attributes."""

def StridedSliceGrad(
    shape: Value,
    begin: Value,
    end: Value,
    strides: Value,
    dy: Value,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Zeros of shape `shape` with dy where StridedSlice by the same bounds and masks would read."""

def StridedSliceV2(
    x: Value,
    begin: Value,
    end: Value,
    axes: Value | None = None,
    strides: Value | None = None,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x[begin:end:strides] on the axes named in `axes`, all others whole."""

def StringLength(
    x: Value,
    *,
    unit: str = "BYTE",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The length of each string: in bytes of UTF-8 (unit BYTE), or in characters (UTF8_CHAR)."""

def Sub(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 - x2."""

def SuperKernel(
    x: Sequence[Value | Ref],
    *,
    body: Body,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Several AI Core kernels as one launch; its body holds the nodes it stands for."""

def SwiGlu(x: Value, *, dim: int = -1, name: str | None = None, after: After = ()) -> Tensor:
    """a·sigmoid(a)·b of the halves a and b of x along `dim`."""

def SwiGluGrad(
    y_grad: Value,
    x: Value,
    *,
    dim: int = -1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Gradient of SwiGlu: y_grad has half the size of x along `dim`."""

def Swish(x: Value, *, scale: float = 1.0, name: str | None = None, after: After = ()) -> Tensor:
    """x·sigmoid(scale·x)."""

class SwitchResults(NamedTuple):
    output_false: Tensor
    output_true: Tensor

def Switch(
    data: Value,
    pred: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> SwitchResults:
    """data as output_true where pred holds, else as output_false; the other output is dead."""

def SwitchByIndex(x: Value, *, indices: int, name: str | None = None, after: After = ()) -> Node:
    """Picks a task branch by a uint64 index tensor."""

def SwitchN(
    data: Value,
    pred_value: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """data as the output numbered pred_value; the others are dead."""

def Sxpy(
    x1: Value,
    x2: Value,
    alpha: Value | None = None,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x1 - alpha·x2, with a factor of 1 where it is absent, in the dtype all meet in."""

def Tan(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Tangent."""

def Tanh(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Hyperbolic tangent."""

def TanhGrad(
    y: Value,
    dy: Value,
    *,
    complex_conj: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """dy·(1 - y²), where y is a hyperbolic tangent; with `complex_conj` of the conjugate of y."""

def TemporaryVariable(
    *,
    shape: Sequence[int],
    dtype: int,
    var_name: str = "",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Scratch variable living only for one step."""

class TensorArrayResults(NamedTuple):
    handle: Tensor
    flow: Tensor

def TensorArray(
    size: Value,
    *,
    dtype: DTypeLike,
    element_shape: Sequence[int] = (-2,),
    dynamic_size: bool = False,
    clear_after_read: bool = True,
    identical_element_shapes: bool = False,
    tensor_array_name: str = "",
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> TensorArrayResults:
    """Creates a handle of a dynamically sized list of tensors."""

def TensorArrayRead(
    handle: Value,
    index: Value,
    flow_in: Value,
    *,
    dtype: DTypeLike,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Reads one element of a tensor array."""

def TensorArrayWrite(
    handle: Value,
    index: Value,
    value: Value,
    flow_in: Value,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Writes one element of a tensor array."""

def TensorMove(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """A copy of x in memory of its own. The prototype is not in the public data (assumed)."""

def TensorScatterUpdate(
    x: Value,
    indices: Value,
    updates: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A copy of x with the slices `updates` at the index tuples in `indices`."""

def Threshold(
    x: Value,
    *,
    threshold: float = 0.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """1 where x is greater than `threshold`, else 0 (Caffe)."""

def ThresholdV2(
    x: Value,
    threshold: Value,
    value: Value | None = None,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x where it is greater than `threshold`, else `value`, 0 where that is absent."""

def ThresholdedRelu(
    x: Value,
    *,
    alpha: float = 1.0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x where it is greater than alpha, else 0."""

def Tile(x: Value, multiples: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x repeated `multiples` times along each axis; missing axes of x on the left count as 1."""

def TileD(
    x: Value,
    *,
    multiples: Sequence[int],
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x repeated `multiples` times along each axis, an attribute."""

class TopKResults(NamedTuple):
    values: Tensor
    indices: Tensor

def TopK(
    x: Value,
    k: Value,
    *,
    sorted: bool = True,
    largest: bool = True,
    dim: int = -1,
    name: str | None = None,
    after: After = (),
) -> TopKResults:
    """The k largest (or smallest) elements along `dim` and their positions, in order."""

class TopKV2Results(NamedTuple):
    values: Tensor
    indices: Tensor

def TopKV2(
    x: Value,
    k: Value,
    *,
    sorted: bool = True,
    dim: int = -1,
    largest: bool = True,
    indices_dtype: int = 3,
    name: str | None = None,
    after: After = (),
) -> TopKV2Results:
    """TopK with positions of dtype `indices_dtype` (GE's number: 3 int32, 9 int64)."""

def TransData(
    src: Value,
    *,
    src_format: str,
    dst_format: str,
    src_subformat: int = 0,
    dst_subformat: int = 0,
    groups: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """src stored in another layout; the values and the logical shape stay."""

def TransDataRNN(
    src: Value,
    *,
    src_format: str,
    dst_format: str,
    input_size: int,
    hidden_size: int,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """TransData for recurrent formats with input and hidden sizes."""

def TransQuantParamV2(
    scale: Value,
    offset: Value | None = None,
    *,
    round_mode: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """A scale and an offset packed for the device."""

def TransShape(
    x: Value,
    *,
    outShape: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x in the shape `outShape`; passes on layouts put it in."""

def Transpose(x: Value, perm: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x with its axes in the order `perm`: axis i of y is axis perm[i] of x."""

def TransposeBatchMatMul(
    x1: Value,
    x2: Value,
    bias: Value | None = None,
    scale: Value | None = None,
    *,
    perm_x1: Sequence[int] = (),
    perm_x2: Sequence[int] = (),
    perm_y: Sequence[int] = (),
    enable_hf32: bool = False,
    batch_split_factor: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Matrix products of rank-3 operands, each permuted before, and the result permuted after."""

def TransposeD(
    x: Value,
    *,
    perm: Sequence[int],
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with its axes in the order `perm`, an attribute."""

def Tril(x: Value, *, diagonal: int = 0, name: str | None = None, after: After = ()) -> Tensor:
    """x with zeros above a diagonal of its last two axes; `diagonal` k lies k to the right."""

def Trilu(
    x: Value,
    k: Value | None = None,
    *,
    upper: int = 1,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """The upper (upper 1) or lower triangle of the last two axes; zeros elsewhere."""

def Triu(x: Value, *, diagonal: int = 0, name: str | None = None, after: After = ()) -> Tensor:
    """x with zeros below a diagonal of its last two axes; `diagonal` k lies k to the right."""

def Trunc(input_x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Rounds toward zero; integers stay."""

def TruncateDiv(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1 / x2 rounded towards zero."""

def TruncatedNormal(
    shape: Value,
    *,
    seed: int = 0,
    seed2: int = 0,
    dtype: DTypeLike = "float32",
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Normal numbers of mean 0 and deviation 1, those beyond two deviations drawn again."""

class UniqueResults(NamedTuple):
    y: Tensor
    idx: Tensor

def Unique(
    x: Value,
    *,
    out_idx: DTypeLike = "int32",
    name: str | None = None,
    after: After = (),
) -> UniqueResults:
    """The distinct values of a vector in order of first occurrence, and where each x went."""

class UniqueConsecutiveResults(NamedTuple):
    y: Tensor
    idx: Tensor
    count_: Tensor

def UniqueConsecutive(
    x: Value,
    *,
    return_idx: bool = False,
    return_counts: bool = False,
    axis: int = 1000,
    out_idx: DTypeLike = "int64",
    name: str | None = None,
    after: After = (),
) -> UniqueConsecutiveResults:
    """x without repetitions of the element (along `axis`: slice) before."""

class UniqueWithCountsResults(NamedTuple):
    y: Tensor
    idx: Tensor
    count_: Tensor

def UniqueWithCounts(
    x: Value,
    *,
    out_idx: DTypeLike,
    name: str | None = None,
    after: After = (),
) -> UniqueWithCountsResults:
    """Unique, and how often each value occurs."""

class UniqueWithCountsAndSortingResults(NamedTuple):
    y: Tensor
    indices: Tensor
    counts: Tensor

def UniqueWithCountsAndSorting(
    x: Value,
    *,
    return_inverse: bool = False,
    return_counts: bool = False,
    sorted: bool = True,
    out_idx: DTypeLike = "int64",
    name: str | None = None,
    after: After = (),
) -> UniqueWithCountsAndSortingResults:
    """The distinct elements of x as a vector, where each x went, and how often each occurs."""

def Unpack(
    x: Value,
    *,
    num: int,
    axis: int = 0,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """x cut into `num` slices along `axis`, which disappears."""

def UnsortedSegmentSum(
    x: Value,
    segment_ids: Value,
    num_segments: Value,
    *,
    is_preprocessed: bool = False,
    check_ids: bool = False,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Row i is the sum of the slices of x whose `segment_ids` is i; a negative id counts
    nowhere.
    """

def Unsqueeze(
    x: Value,
    *,
    axes: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with axes of size 1 at the places `axes` of the result."""

def UnsqueezeV2(
    x: Value,
    *,
    axis: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x with new axes of size 1 at the places `axis` of the result."""

def UnsqueezeV3(x: Value, axes: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Unsqueeze with the axes as an input."""

def VarHandleOp(
    *,
    container: str = "",
    shared_name: str = "",
    dtype: DTypeLike,
    shape: Sequence[int] = (-1,),
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Produces a resource handle for a variable."""

def VarIsInitializedOp(
    x: Value,
    *,
    results: Results | None = None,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """Returns a bool that tells whether the variable behind a handle holds a value."""

def Variable(
    *,
    index: int = 0,
    value: Value | None = None,
    container: str = "",
    shared_name: str = "",
    name: str | None = None,
    after: After = (),
) -> Ref:
    """State that outlives a run. Its type is declared; `value` is what it holds at first."""

def ViewCopy(
    dst: Value,
    dst_size: Value,
    dst_stride: Value,
    dst_storage_offset: Value,
    src: Value,
    src_size: Value,
    src_stride: Value,
    src_storage_offset: Value,
    *,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """dst with a strided view of it taken from a strided view of src of the same size."""

def WeightQuantBatchMatmulV2(
    x: Value,
    weight: Value,
    antiquant_scale: Value,
    antiquant_offset: Value | None = None,
    quant_scale: Value | None = None,
    quant_offset: Value | None = None,
    bias: Value | None = None,
    *,
    transpose_x: bool = False,
    transpose_weight: bool = False,
    antiquant_group_size: int = 0,
    dtype: int = -1,
    inner_precise: int = 0,
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """x times (weight + antiquant_offset)·antiquant_scale, plus bias, of matrices."""

def Where(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Coordinates of the true elements, a row each, in row-major order."""

def While(
    input: Sequence[Value | Ref],
    *,
    cond: Body,
    body: Body,
    parallel_iterations: int = 10,
    name: str | None = None,
    after: After = (),
) -> tuple[Tensor, ...]:
    """Runs `body` on its own results as long as `cond` gives a scalar that is not zero."""

def Xlogy(x1: Value, x2: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """x1·log(x2), and 0 where x1 is 0, whatever x2 is."""

def ZerosLike(x: Value, *, name: str | None = None, after: After = ()) -> Tensor:
    """Zeros in the shape and dtype of x."""

def _ParallelConcatStart(
    *,
    dtype: DTypeLike = "int32",
    shape: Sequence[int] = (),
    name: str | None = None,
    after: After = (),
) -> Tensor:
    """ParallelConcatStart under TensorFlow's name, which real graphs have."""
