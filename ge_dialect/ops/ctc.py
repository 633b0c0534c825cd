"""Loss of a labelling without alignment (connectionist temporal classification).

Source: A. Graves, Supervised Sequence Labelling with Recurrent Neural Networks, chapter 7; the
attributes are TensorFlow's, whose operator of this name the prototype repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, merge_dim, require_rank
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class CTCLoss(GeOp):
    """-log P(labels | inputs) of each example, and its gradient with respect to the inputs.

    inputs are scores [time, batch, classes], of which the softmax is taken; the last class is the
    blank. An example takes its first sequence_length steps. A path gives a class to each step; it
    reads as the labels when runs of a class are merged and blanks left out. P sums over all paths
    that do.

    labels are sparse: row i of labels_indices is (example, place) of labels_values[i], in ascending
    order. Labels from classes - 1 on end an example's labels.

    `preprocess_collapse_repeated` merges repeated labels first. Without `ctc_merge_repeated` runs
    are not merged. More labels than steps are an error, or, with
    `ignore_longer_outputs_than_inputs`, have the loss 0. Where no path reads as the labels, the
    loss is infinite and the gradient the softmax.
    """

    name = "ge.CTCLoss"
    TYPES: ClassVar = {"T": "float32, float64"}

    inputs = tin("T")
    labels_indices = tin("int64")
    labels_values = tin("int32")
    sequence_length = tin("int32")
    loss = tout("T")
    gradient = tout("T")
    preprocess_collapse_repeated = bool_(False)
    ctc_merge_repeated = bool_(True)
    ignore_longer_outputs_than_inputs = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, lengths = n.shape("inputs"), n.shape("sequence_length")
        indices, values = n.shape("labels_indices"), n.shape("labels_values")
        require_rank(shape, 3, "inputs")
        require_rank(lengths, 1, "sequence_length")
        require_rank(indices, 2, "labels_indices")
        require_rank(values, 1, "labels_values")
        if indices is not None:
            merge_dim(indices[1], 2, "columns of labels_indices and (example, place)")
            if values is not None:
                merge_dim(indices[0], values[0], "rows of labels_indices and labels_values")
        batch = UNKNOWN if lengths is None else lengths[0]
        if shape is not None:
            if shape[2] == 0:
                n.fail("there is no class, not even the blank", found=0, expected="one class")
            batch = merge_dim(shape[1], batch, "examples of inputs and sequence_length")
            shape = (shape[0], batch, shape[2])
        return tensor_type((batch,), n.elem("inputs")), tensor_type(shape, n.elem("inputs"))
