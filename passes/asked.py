"""What a run was asked for, looked at before its first pass: names of passes, values of options."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError, user_error
from passes.options import out_of_domain
from passes.pipeline import PassItem, Pipeline
from passes.registry import canonical_name, pass_class, unknown_pass


def own_names(
    disable: Collection[str], enable: Collection[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """The passes' own names for those in both options; a string is one name.

    Raises `GeError` GX-402 (usage) with all names that no pass has.
    """
    problems: list[Diagnostic] = []
    found: list[frozenset[str]] = []
    for flag, names in (("--disable-pass", disable), ("--enable-pass", enable)):
        own: list[str] = []
        for name in (names,) if isinstance(names, str) else names:
            known = canonical_name(name)
            if known is None:
                problems += unknown_pass(name, flag).diagnostics
            else:
                own.append(known)
        found.append(frozenset(own))
    if problems:
        raise GeError(problems, ExitCode.USAGE)
    return found[0], found[1]


def check_options(items: Iterable[PassItem]) -> None:
    """Raise `GeError` GX-404 (usage) where an option of a pass is a number out of its domain.

    Text of a pipeline is checked with its columns as it is read; this is for passes made in Python.
    """
    for item in items:
        if item.instance is None and not item.options:
            continue
        for name, value, expected in out_of_domain(item.build()):
            raise user_error(
                "GX-404",
                f"option '{name}' of '{item.name}' is too small",
                found=str(value),
                expected=expected,
                pass_name=item.name,
                exit_code=ExitCode.USAGE,
            )


def without_effect(
    pipeline: Pipeline, disable: Collection[str], enable: Collection[str]
) -> Iterator[Diagnostic]:
    """Warnings for names that change nothing: of passes that the pipeline does not hold.

    pipeline: with the enabled passes joined to their stages already.
    """
    held = {item.name for item in pipeline.passes()}
    for name in sorted(set(enable) & set(disable)):
        yield _warning(f"pass '{name}' is enabled and disabled: it does not run", pipeline)
    for name in sorted(set(enable) - held - set(disable)):
        stage = pass_class(name).stage
        why = f"its stage '{stage}' is not in the pipeline" if stage else "it belongs to no stage"
        yield _warning(
            f"pass '{name}' is enabled and does not run: {why}",
            pipeline,
            hint=f"name it: --pipeline={','.join(filter(None, (str(pipeline), name)))}",
        )
    for name in sorted(set(disable) - held - set(enable)):
        yield not_held("--disable-pass", name, pipeline)


def not_held(flag: str, name: str, pipeline: Pipeline) -> Diagnostic:
    """The warning for a pass named by an option that the pipeline does not hold."""
    return _warning(f"{flag}: the pipeline does not hold pass '{name}'", pipeline)


def _warning(message: str, pipeline: Pipeline, hint: str | None = None) -> Diagnostic:
    return Diagnostic(
        "GX-416", message, "warning", found=f"the pipeline {str(pipeline) or '(empty)'}", hint=hint
    )
