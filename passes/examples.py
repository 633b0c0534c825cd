"""The before/after examples in the docstrings of passes.

An example is two literal blocks under lines ``Before::`` and ``After::`` (or two blocks fenced by
`` ```mlir before `` and `` ```mlir after ``). The pipeline to run is the pass alone, unless the
line names another: ``Before, prepare,memory-plan::`` or `` ```mlir before prepare,memory-plan ``.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

from passes.base import Pass

_FENCE = re.compile(r"^```mlir (before|after)[ \t]*([^\n]*)\n(.*?)^```[ \t]*$", re.M | re.S)
_LITERAL = re.compile(
    r"^(Before|After)(?:,[ \t]*([^\n]+?))?::[ \t]*\n((?:[ \t]*\n|[ \t]+[^\n]*(?:\n|\Z))+)", re.M
)


@dataclass(frozen=True)
class Example:
    """IR before and after `pipeline`."""

    pipeline: str
    before: str
    after: str


def pass_examples(cls: type[Pass]) -> list[Example]:
    """Examples of a pass; raises `ValueError` when blocks do not come in pairs."""
    found: list[Example] = []
    open_block: tuple[str, str] | None = None
    doc = inspect.cleandoc(cls.__doc__ or "")
    blocks = sorted(
        [*_FENCE.finditer(doc), *_LITERAL.finditer(doc)], key=lambda match: match.start()
    )
    for match in blocks:
        kind, pipeline, text = match.group(1).lower(), match.group(2) or "", match.group(3)
        if (kind == "before") != (open_block is None):
            raise ValueError(f"{cls.name}: '{kind}' block out of turn")
        if kind == "before":
            open_block = (pipeline.strip() or cls.name, text)
        elif open_block is not None:
            found.append(Example(*open_block, text))
            open_block = None
    if open_block is not None:
        raise ValueError(f"{cls.name}: a 'before' block without an 'after' block")
    return found


def run_example(example: Example) -> tuple[str, str]:
    """What the example's pipeline makes of `before`, and `after`, both as we print them."""
    from ge_dialect.ir.printer import print_module
    from ge_dialect.ir.reader import parse_module
    from passes.manager import run_pipeline

    module = parse_module(example.before, filename="before")
    run_pipeline(module, example.pipeline, check_contract=True, reproducer=False)
    expected = parse_module(example.after, filename="after")
    return print_module(module), print_module(expected)
