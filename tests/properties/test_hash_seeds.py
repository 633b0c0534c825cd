"""Results do not depend on the order of sets of strings: two processes give the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib, sys
from passes.testing.graphs import PROFILES, examples_of, focus_of, graphs_for
from passes.testing.properties.base import run_on
from passes.testing.properties.subjects import make_subject, named_subjects
from passes.testing.graphs import _focused
from passes.testing.seeded import random_spec
for name in named_subjects():
    subject = make_subject(name)
    focus = focus_of(subject)
    digest = hashlib.sha256()
    for seed in range(8):
        model = random_spec(seed, _focused(focus, seed)).build()
        if run_on(model, subject, subject.prefix).error is None:
            digest.update(run_on(model, subject).text.encode())
    sys.stdout.write(f"{name} {digest.hexdigest()}\\n")
"""


@pytest.mark.full
def test_two_processes_give_the_same_bytes():
    made = []
    for seed in ("1", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        made.append(done.stdout.splitlines())
    assert made[0] == made[1]
    assert len(made[0]) > 25
