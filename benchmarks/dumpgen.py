"""A synthetic dump of GE in the usual layout: convolutions with constants, activations, sums."""

from __future__ import annotations

from typing import Any

from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_print import print_text


def _attr(field: str, value: Any) -> Msg:
    return Msg("AttrDef", -1, {field: value})


def _list(field: str, values: list[Any], kind: str) -> Msg:
    f: dict[str, Any] = {field: values} if values else {}
    return _attr("list", Msg("ListValue", -1, {**f, "val_type": f"VT_LIST_{kind}"}))


def _desc(shape: list[int], number: int) -> Msg:
    attrs = {
        "format_for_int": _attr("i", 0),
        "origin_data_type": _attr("s", "DT_FLOAT16"),
        "origin_format": _attr("s", "NCHW"),
        "origin_format_for_int": _attr("i", 0),
        "origin_shape": _list("i", shape, "INT"),
        "origin_shape_initialized": _attr("b", True),
    }
    return Msg(
        "TensorDescriptor",
        -1,
        {
            "dtype": "DT_FLOAT16",
            "shape": Msg("ShapeDef", -1, {"dim": shape}),
            "layout": "NCHW",
            "attr": attrs,
            "has_out_attr": True,
            "size": 2 * number,
            "device_type": "NPU",
            "real_dim_cnt": len(shape),
        },
    )


def _common(number: int) -> dict[str, Msg]:
    """What GE and FE write on every operator."""
    return {
        "OwnerGraphIsUnknown": _attr("b", False),
        "_datadump_original_op_names": _list("s", [f"origin_{number}"], "STRING"),
        "_fe_imply_type": _attr("i", 6),
        "_ge_attr_op_kernel_lib_name": _attr("s", "AIcoreEngine"),
        "_lxfusion_engine_name": _attr("s", "AIcoreEngine"),
        "_lxfusion_op_kernel_lib_name": _attr("s", "AIcoreEngine"),
        "_no_task": _attr("b", False),
        "_op_no_tiling": _attr("b", False),
        "fusion_scope": _attr("i", number),
        "imply_type": _attr("i", 1),
        "is_first_node": _attr("b", number == 0),
        "tvm_blockdim": _attr("i", 24),
    }


def _names(inputs: list[str]) -> dict[str, Msg]:
    pairs = sorted((n, i) for i, n in enumerate(inputs))
    return {
        "_input_name_key": _attr("list", Msg("ListValue", -1, {"s": [n for n, _ in pairs]})),
        "_input_name_value": _attr("list", Msg("ListValue", -1, {"i": [i for _, i in pairs]})),
        "_output_name_key": _attr("list", Msg("ListValue", -1, {"s": ["y"]})),
        "_output_name_value": _attr("list", Msg("ListValue", -1, {"i": [0]})),
    }


def _op(name: str, type_: str, inputs: list[str], ins: list[Msg], outs: list[Msg],
        attrs: dict[str, Msg], number: int) -> Msg:  # fmt: skip
    f: dict[str, Any] = {"name": name, "type": type_, "input": inputs, "attr": attrs}
    f |= {"has_out_attr": True, "id": number, "input_desc": ins, "output_desc": outs}
    return Msg("OpDef", -1, {k: v for k, v in f.items() if v})


def dump_text(size: int = 1_400_000) -> str:
    """A ModelDef of about that many bytes; nodes stand in reverse order."""
    ops: list[Msg] = []
    x = _desc([1, 64, 56, 56], 200704)
    before = "data"
    ops.append(_op("data", "Data", [], [x], [x], {"index": _attr("i", 0)}, 0))
    number, length = 1, 0
    while length < size:
        w = _desc([64, 64, 3, 3], 36864 + number)
        name = f"block{number}/conv"
        const = {**_common(number), "value": _attr("t", Msg("TensorDef", -1, {"desc": w}))}
        conv = {
            **_common(number + 1),
            **_names(["x", "filter"]),
            "strides": _list("i", [1, 1, 1, 1], "INT"),
            "pads": _list("i", [1, 1, 1, 1], "INT"),
            "dilations": _list("i", [1, 1, 1, 1], "INT"),
            "groups": _attr("i", 1),
            "data_format": _attr("s", "NCHW"),
            "offset_x": _attr("i", 0),
        }
        own = _desc([1, 64, 56, 56], 200704 + number)
        new = [
            _op(f"{name}/w", "Const", [], [], [w], const, number),
            _op(name, "Conv2D", [f"{before}:0", f"{name}/w:0"], [x, w], [own], conv, number + 1),
            _op(f"{name}/relu", "Relu", [f"{name}:0"], [own], [own],
                {**_common(number + 2), **_names(["x"])}, number + 2),
            _op(f"{name}/add", "Add", [f"{name}/relu:0", f"{before}:0"], [own, x], [x],
                {**_common(number + 3), **_names(["x1", "x2"])}, number + 3),
        ]  # fmt: skip
        length += sum(len(print_text(op, 2)) for op in new)
        ops += new
        before = f"{name}/add"
        number += 4
    ops.append(_op("Node_Output", "NetOutput", [f"{before}:0"], [x], [], {}, number))
    graph = Msg("GraphDef", -1, {"name": "synthetic", "op": ops[::-1]})
    attr = {"memory_size": _attr("i", 1 << 20), "stream_num": _attr("i", 1)}
    return print_text(Msg("ModelDef", -1, {"name": "synthetic", "graph": [graph], "attr": attr}))
