"""The kit bounds the size of what it looks at, and counts what it leaves out."""

from __future__ import annotations

import resource

import numpy as np
import pytest

from passes.testing.check import check_pass
from passes.testing.graphs import Profile
from passes.testing.inputs import evaluates, input_sets
from passes.testing.limits import KIT, counted, kit_limits, memory_limit, too_large
from passes.testing.mutate import checked
from passes.testing.shared import golden_of
from passes.testing.spec import GraphSpec, Input, Step

NONE = Profile("none", 0, 0, 0, 0, 0, 0, 0, 0, 3, 0.0)
CASTS = (Step("Cast", (0,), (("dst_type", 0),)), Step("Relu", (1,)))


def held(spec: GraphSpec):
    return check_pass("cast-remove", profile=NONE, graphs=[spec])


def test_types_are_looked_at_before_anything_runs():
    large = GraphSpec((Input("4096x4096xf32"),), CASTS, (2,)).normalized()
    small = GraphSpec((Input("4x4xf32"),), CASTS, (2,)).normalized()
    assert too_large(large)
    assert not too_large(small)
    assert (held(large).rejected, held(small).rejected) == (1, 0)
    assert held(small).graphs == held(large).graphs + 1
    assert "1 beyond the limits" in str(held(large))


def test_types_in_bodies_count():
    body = GraphSpec((Input("f32"),), (Step("Const", (), (), ("4096x4096xf32",)),), (1,))
    call = Step("PartitionedCall", ((0,),), types=("4096x4096xf32",), bodies=(body,))
    assert too_large(GraphSpec((Input("f32"),), (call,), (1,)))


def ranged(limit: int) -> GraphSpec:
    """A graph whose result has as many elements as an input says, and a cast that goes."""
    steps = (
        Step("Cast", (0,), (("dst_type", 3),)),
        Step("Range", (3, 1, 2), types=("?xi32",)),
    )
    numbers = tuple(Input("i32", domain=("fixed", n)) for n in (0, limit, 1))
    return GraphSpec(numbers, steps, (4,))


def test_sizes_that_values_tell_are_looked_at_before_the_node_runs():
    report = held(ranged(2**31 - 1))
    assert report.rejected == 1
    assert report.ok
    fits = held(ranged(100))
    assert (fits.rejected, fits.unvalued) == (0, 0)
    assert fits.changed


def test_what_is_refused_on_the_way_is_counted():
    spec = ranged(2**31 - 1)
    with counted() as tally:
        assert not evaluates(spec, input_sets(spec, 0, ("exact",))[0])
        assert checked(GraphSpec((Input("4096x4096xf32"),), CASTS, (2,))) is None
    assert tally["graph"] == 2


def test_memory_of_a_pass_is_bounded_and_the_limit_goes():
    before = resource.getrlimit(resource.RLIMIT_AS)
    with memory_limit(1 << 28), pytest.raises(MemoryError):
        np.ones(1 << 27)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    with pytest.raises(ZeroDivisionError), kit_limits():
        _ = 1 // 0
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_golden_runs_are_shared():
    spec = GraphSpec((Input("4x4xf32"),), CASTS, (2,)).normalized()
    first, again = (golden_of(spec, 3, ("exact",), tame=False, operators=1) for _ in range(2))
    assert first is again
    model = spec.build()
    assert first.seen(model, first.inputs[0]) is first.seen(model, first.inputs[0])
    assert KIT.array_bytes
