"""`ge-opt --bisect`: the report on stdout, the failure's status as exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.tools.common import atomic_write
from passes.context import DEFAULT_SOC

if TYPE_CHECKING:
    import argparse

    from passes.context import PassContext
    from passes.manager import RunOptions
    from passes.pipeline import Pipeline

_CODES = {"value": "GX-441", "verify": "GX-407"}


def bisect_text(
    text: str,
    filename: str,
    pipeline: Pipeline,
    ctx: PassContext,
    options: RunOptions,
    args: argparse.Namespace,
) -> str:
    """Bisect a run on IR text. Returns the report where nothing fails; otherwise writes it and
    raises a GeError of one line with the failure's exit status."""
    from ge_dialect.api import Model
    from ge_dialect.ir.context import make_context
    from ge_dialect.ir.reader import parse_module
    from passes.bisect import Bisection
    from passes.validate import load_inputs

    def make() -> Any:
        module = parse_module(text, make_context(args.allow_unregistered_dialect), filename)
        return Model(module, ctx.weights) if ctx.weights is not None else Model(module)

    given = args.validate_inputs
    bisection = Bisection(
        make,
        pipeline,
        inputs=None if given is None else load_inputs(given),
        seed=args.validate_seed,
        soc_name=args.soc or DEFAULT_SOC,
        driver=args.driver,
        options=options,
        max_steps=args.max_steps,
    )
    found = bisection.run()
    if found is None:
        return f"nothing fails in {bisection.runs} runs\n"
    atomic_write(args.output, found.render())
    where = f", rewrite {found.rewrite}" if found.rewrite is not None else ""
    raise GeError(
        Diagnostic(
            _CODES.get(found.failure.kind, found.failure.kind),
            f"the run fails from pass {found.number}, '{found.pass_text}'{where}",
            pass_name=found.pass_name,
            node=found.node,
        ),
        found.failure.exit_code,
    )
