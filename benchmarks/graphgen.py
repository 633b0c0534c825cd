"""Graphs for benchmarks, as text: residual chains with fan-out, duplicates and dead nodes.

Four towers of residual blocks run side by side. A block has ten operators, of which one repeats
another (10 % duplicates) and one has no user (10 % dead); values are used up to four times. Some
nodes have a name of their own, some wait for a control edge.

Variants: "repetitive" uses few types and attribute dictionaries, as real networks do; in "mixed"
a tenth of the nodes has types and attributes of its own; in "distinct" every node has.
"""

from __future__ import annotations

SHAPES = ((64, 56), (128, 28), (256, 14), (512, 7))
BLOCK = 10
VARIANTS = ("repetitive", "mixed", "distinct")


def graph_text(ops: int, variant: str = "repetitive", *, control: bool = True) -> str:
    """Text of a graph `@main` with about `ops` operators (blocks of ten, rounded down)."""
    if variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}, expected one of {', '.join(VARIANTS)}")
    lines: list[str] = []
    args: list[str] = []
    count = 0

    def fresh(block: int) -> bool:
        return variant == "distinct" or (variant == "mixed" and block % 10 == 7)

    def logical(tower: int) -> str:
        channels, size = SHAPES[tower]
        return f"1x{channels}x{size}x{size}xf16"

    def value_type(tower: int, block: int) -> str:
        # c0 is free in a layout, so a type of its own keeps the logical shape valid
        own = f", c0 = {count + 17}" if fresh(block) else ""
        return f"tensor<{logical(tower)}, #ge.layout<NC1HWC0{own}>>"

    current: list[str] = []
    for tower, (channels, _) in enumerate(SHAPES):
        args.append(f"%x{tower}: tensor<{logical(tower)}, #ge.layout<NC1HWC0>>")
        args.append(f"%w{tower}: tensor<{channels}x{channels}x3x3xf16, #ge.layout<FRACTAL_Z>>")
        current.append(f"%x{tower}")

    waiting = ""
    for block in range(max(ops - 1, 0) // BLOCK):
        tower = block % len(SHAPES)

        def emit(
            op: str, inputs: str, attrs: str = "", *, done: bool = False, after: str = ""
        ) -> str:
            nonlocal count
            count += 1
            result = f"%v{count}x"
            items = [attrs] if attrs else []
            items.append('ge.engine = "AIcoreEngine"')
            if fresh(block):  # noqa: B023 - called within this round only
                items.append(f'ge.scope = "scope{count}", ge.priority = {count} : i64')
            type_ = value_type(tower, block)  # noqa: B023
            extra, extra_type = (f", {result}_done", ", !ge.ctrl") if done else ("", "")
            wait = f" after({after})" if after else ""
            loc = f' loc("net/b{block}/{op}{count}")' if count % 5 == 0 else ""  # noqa: B023
            lines.append(
                f"  {result}{extra} = ge.{op}({inputs}){wait} {{{', '.join(items)}}}"
                f" : {type_}{extra_type}{loc}"
            )
            return result

        x = current[tower]
        conv = 'strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"'
        a = emit("Conv2D", f"{x}, %w{tower}", conv, after=waiting)
        waiting = ""
        b = emit("Relu", a)
        c = emit("Sigmoid", b)
        d = emit("Mul", f"{c}, {b}")
        e = emit("Relu", a)  # repeats b
        f = emit("Add", f"{d}, {e}")
        g = emit("Sub", f"{f}, {b}")
        h = emit("Relu", g)
        done = control and block % 20 == 19
        y = emit("Add", f"{h}, {x}", done=done)
        if done:
            waiting = f"{y}_done"
        emit("Tanh", h)  # has no user
        current[tower] = y

    head = f"ge.graph @main({', '.join(args)}) {{\n"
    tail = f"  ge.NetOutput({', '.join(current)})\n}}\n"
    return head + "\n".join(lines) + ("\n" if lines else "") + tail
