"""What kind of model some bytes are, told by content and never by file name."""

from __future__ import annotations

from ge_dialect.diagnostics import user_error


def sniff_kind(data: bytes, name: str) -> str:
    """ "onnx", "mlir", or a kind of dump (see `ge_dump.KINDS`).

    Raises `GeError`: GX-009 (empty), GX-338 (none of them).

    Text has no NUL or control byte in its head. A ModelProto begins with a small field: the IR
    version (0x08), a string (0x12 to 0x2a with a length) or the graph (0x3a).
    """
    head = data[:4096]
    if not data.strip():
        raise user_error(
            "GX-009",
            "the input is empty",
            location=f"{name}:1:1",
            expected="a module, a ge.graph, an ONNX model or a dump of GE",
        )
    control = any(byte < 32 and byte not in (9, 10, 12, 13, 27) for byte in head)
    if not control:
        from ge_dialect.importers.ge_sniff import dump_kind

        return dump_kind(data.decode("utf-8", "replace")) or "mlir"
    if head[0] in (0x08, 0x12, 0x1A, 0x22, 0x2A, 0x32, 0x3A, 0x42, 0x72):
        return "onnx"
    raise user_error(
        "GX-338",
        f"{name} is neither MLIR text nor an ONNX model",
        found="bytes " + head[:8].hex(" "),
        expected="ge.graph text or an ONNX protobuf",
    )
