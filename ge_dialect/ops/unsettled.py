"""Operators that are declared and carried, but not evaluated, each with its reason.

The coverage page prints this table; a test holds it against the registry.
"""

from __future__ import annotations

#: Reason -> operators, separated by blanks.
UNSETTLED: dict[str, str] = {
    "acts on streams, labels, events or addresses of a compiled model, which stand in `rt`": (
        "AtomicAddrClean Cmo ConstPlaceHolder HcomRemoteRead HcomRemoteWrite LabelGotoEx LabelSet "
        "LabelSwitchByIndex MemSet Recv Send StreamActive StreamMerge StreamSwitch SwitchByIndex"
    ),
    "takes from, or feeds, something outside the graph: a channel, a queue, an iterator, a file": (
        "AippData DynamicGetNext EndOfSequence FileConstant GetNext IteratorGetNext IteratorV2 "
        "MakeIterator MapStage OutfeedEnqueueOp OutfeedEnqueueOpV2 QueueData QueueDequeue "
        "QueueEnqueue"
    ),
    "works on handles of dtype resource, or on variables of one step: state here is a `!ge.ref`, "
    "into which the importer would have to translate it": (
        "AssignVariableOp DestroyTemporaryVariable IsVariableInitialized ReadVariableOp Stack "
        "StackClose StackPop StackPush TemporaryVariable TensorArray TensorArrayRead "
        "TensorArrayWrite VarHandleOp VarIsInitializedOp"
    ),
    "keeps a list of tensors behind a handle of dtype resource, which is no array; the importer of "
    "ONNX takes sequences apart instead": (
        "ConcatFromSequence SequenceAt SequenceConstruct SequenceEmpty SequenceErase "
        "SequenceInsert SequenceLength SplitToSequence"
    ),
    "reads or clears a register of the hardware": (
        "NPUAllocFloatStatus NPUClearFloatStatus NPUClearFloatStatusV2 NPUGetFloatStatus "
        "NPUGetFloatStatusV2"
    ),
    "whether `count` is a number or a shape, and which share `dropout` keeps, is not public": (
        "DSAGenBitMask DSARandomNormal DSARandomTruncatedNormal DSARandomUniform "
        "DSAStatelessGenBitMask DSAStatelessRandomNormal DSAStatelessRandomTruncatedNormal "
        "DSAStatelessRandomUniform"
    ),
    "the placement of the formats of recurrent layers is private to its kernel": "TransDataRNN",
    "public documents disagree on the layout of the result": "Im2col",
    "only its first result is defined in public, the others differ between PyTorch's kernels": (
        "EmbeddingBag"
    ),
    "the order in which tokens arrive, and what expand_idx holds, is not public": (
        "MoeDistributeCombine MoeDistributeDispatch"
    ),
    "the prototype on record is not the published one, so what its results hold is open": (
        "MoeInitRoutingV2"
    ),
    "the order of Caffe's gates in its weights on the device is not public": "LSTM",
    "the layouts of its caches (modes PA, PA_NZ) are not public as a whole": "MlaProlog",
    "whether its mean and variance are statistics, or what the host made of them, is not public": (
        "BNInferenceD"
    ),
    "which of its axes are the boxes and what eps is added to is described in two ways": "Iou",
    "what becomes of sums out of range is not public": "AscendWeightQuant",
    "what it is, only the dump knows that holds it": "Opaque",
}

REASONS: dict[str, str] = {
    name: reason for reason, names in UNSETTLED.items() for name in names.split()
}
