"""All properties of a pass as pytest tests, from two lines::

    class TestMyPass(PassContractTest):
        subject = MyPass()

Each property is a test of its own; the graphs are made and run once for all of them. A property
the pass waives is not run, and the reason is shown with ``pytest -rs``.
"""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from passes.testing.check import CheckReport, check_pass
from passes.testing.properties import BY_NAME


class PassContractTest:
    """Base class of tests; pytest collects subclasses whose name starts with ``Test``.

    subject: a pass object, class or name, or a pipeline's text. profile: see
    `passes.testing.check.check_pass`. settings: further arguments of `check_pass`. must_change:
    whether at least one graph must be changed; False for a pass that only looks.
    """

    subject: ClassVar[Any] = None
    profile: ClassVar[str] = "default"
    settings: ClassVar[dict[str, Any]] = {}
    must_change: ClassVar[bool] = True

    _made: ClassVar[CheckReport | None] = None

    @pytest.fixture
    def report(self) -> CheckReport:
        """The check of the subject, made once for the class."""
        if self.subject is None:
            pytest.skip("the base class has no subject")
        cls = type(self)
        # not a fixture of scope "class": on a method, pytest deprecates that
        if "_made" not in vars(cls) or cls._made is None:
            cls._made = check_pass(cls.subject, profile=cls.profile, **cls.settings)
        return cls._made

    @pytest.mark.parametrize("name", list(BY_NAME))
    def test_property(self, report: CheckReport, name: str) -> None:
        """The property holds on every graph."""
        if name in report.waived:
            pytest.skip(f"not claimed: {report.waived[name]}")
        failures = [f for f in report.failures if f.prop == name]
        assert not failures, f"{report.subject}: {failures[0]}"

    def test_finds_work(self, report: CheckReport) -> None:
        """The pass changed at least one of the graphs; otherwise nothing was shown."""
        if self.must_change:
            assert report.changed or report.failures, str(report)


__all__ = ["PassContractTest"]
