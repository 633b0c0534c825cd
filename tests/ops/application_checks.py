"""Applications of operators checked: what inference says of them against what execution gives.

For the tests beside this file. Shape, number and kind of the results of the golden function must be
those inferred: exactly where the rule knew all it asked for, and without contradiction where dims,
ranks or constants are hidden from it.
"""

from __future__ import annotations

import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import numpy_dtype, to_xdsl
from ge_dialect.infer import broadcast, dims
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.types import elem_of, shape_of, tensor_type
from ge_dialect.ops.registry import op_class, op_names
from ge_dialect.semantics.numerics import finish
from ge_dialect.semantics.registry import ROUTING, has_semantics
from passes.testing.applications import (
    MAX_RANK,
    accepts,
    applications,
    arrays,
    golden,
    infer,
    slot_dtypes,
)
from passes.testing.widen import connected, retyped, widened

SEED = 4
#: What operators lack, with the reasons; see its head.
EXCEPTIONS = tomllib.loads(Path(__file__).with_name("variety.toml").read_text(encoding="utf-8"))

#: Their results have as many elements as the data says, whatever is known of types.
DATA_SIZED = {
    "AllGatherMatmul": "as many parts as the group has ranks",
    "DynamicPartition": "elements of each part",
    "DynamicStitch": "the largest index",
    "MatmulReduceScatter": "as many parts as the group has ranks",
    "UniqueConsecutive": "runs of equal elements",
    "HostUnique": "distinct elements",
    "MaskedSelect": "elements under the mask",
    "NonMaxSuppressionV3": "boxes taken",
    "NonMaxSuppressionV6": "boxes taken",
    "NonZero": "places of elements that are not zero",
    "Unique": "distinct elements",
    "UniqueWithCounts": "distinct elements",
    "UniqueWithCountsAndSorting": "distinct elements",
    "Where": "places of elements that are true",
}
#: Refusals by golden functions that no rule on types can foresee, by their message.
VALUES = {
    "an assertion does not hold": "conditions are data",
    "what makes it did not run": "which way a Switch goes is data",
    "frames of loops": "loops are seen as a whole, when they run",
    "is out of range": "an index is data",
    "an index is negative": "an index is data",
    "has not one entry per rank": "what the ranks of a group give must fit together",
    "an expert has no bias": "numbers of experts are data",
    "does not name rows": "numbers of rows are data",
    "does not cut the axis": "ends of groups are data",
    "a block is not within": "places and counts of blocks are data",
    "recv_count": "counts are data",
    "GX-250": "what the ranks of a group give must fit together",
    "GX-251": "a rank needs a partner",
    "does not name blocks": "numbers of blocks are data",
    "lies outside": "an index is data; an axis without elements has no index at all",
    "a scale is not positive": "scales beside sizes are data",
    "a length exceeds the sequence": "lengths of samples are data",
    "does not number the choices": "numbers of choices are data",
    "a box names an image": "numbers of images are data",
    "offset_w is reserved": "a dump may hold it; nobody says what it means",
    "not evaluated": "a feature that golden semantics lack is refused by its name",
    "lengths do not fit": "lengths of samples are data",
    "lengths of the samples": "lengths of samples are data",
    "is needed": "optional in the prototype, yet nothing can be computed without it",
    "too few bits": "bits of a mask are counted when it is used",
    "dropout needs drop_mask": "probabilities below 1 draw nothing by themselves",
    "complex numbers have no order": "the prototype allows complex numbers",
}
#: Operators of which no application is drawn, with what covers them instead; those with graphs are
#: looked at in `test_bodies`.
NOT_DRAWN = {
    "Variable": "its type is declared; samples.py",
    **dict.fromkeys(ROUTING, "means something in a whole graph; test_semantics_switching.py"),
}

_ERRORS = (GeError, ValueError, IndexError, OverflowError, ZeroDivisionError)


def drawn_ops():
    """Operators with semantics that stand for themselves, from the registry."""
    named = [t for t in op_names() if has_semantics(t) and t not in NOT_DRAWN]
    return [t for t in named if not op_class(t).ge_table().graphs]


def seed_of(op, salt=0):
    """A seed of an operator's own."""
    return zlib.crc32(op.encode()) + salt


def execute(app, inferred, seed):
    """Results of the golden function, or None where only values are refused."""
    error = None
    for zeros in (False, True):
        try:
            return golden(app, arrays(app, seed, zeros=zeros), inferred.types)
        except _ERRORS as refusal:
            error = refusal
    known = isinstance(error, GeError) and inferred.in_vain
    assert known or any(m in str(error) for m in VALUES), f"{app}: {error!r}"
    return None


def fits(shape, found):
    return len(shape) == len(found) and all(d in (-1, n) for d, n in zip(shape, found, strict=True))


def check_exact(app, inferred, results):
    """Number, kind and shape of the results, where the rule knew what it asked for."""
    assert len(results) == len(inferred.types), str(app)
    for i, (type_, value) in enumerate(zip(inferred.types, results, strict=True)):
        rounded = finish(value, numpy_dtype(elem_of(type_)))  # TypeError: another kind of number
        shape = shape_of(type_)
        assert fits(shape, rounded.shape), f"{app}: result {i}: {rounded.shape}, inferred {shape}"
        if -1 in shape:
            known = inferred.in_vain or app.op in DATA_SIZED
            assert known, f"{app}: result {i}: {shape} of {rounded.shape}"


def check_partial(app, inferred, results, random):
    """The rule with dims, ranks and constants hidden contradicts nothing."""
    share = random.choice((0.2, 0.6, 1.0))
    types = {}

    def type_of(i, k, operand):
        if (i, k) not in types:
            dims = tuple(-1 if random.random() < share else d for d in operand.dims)
            shape = None if random.random() < 0.15 else dims
            known = operand.ref or random.random() < 0.25
            types[i, k] = operand.type if known else tensor_type(shape, to_xdsl(operand.dtype))
        return types[i, k]

    hidden = frozenset(i for i in range(len(app.args)) if random.random() < 0.4)
    try:
        partly = infer(app, types=type_of, hidden=hidden)
    except InferError as error:
        if "number of results is not known" in error.message:
            return  # nothing else can be said without the length of a list
        raise AssertionError(f"{app}: {error} with {list(map(str, types.values()))}") from None
    assert len(partly.types) == len(inferred.types), str(app)
    for type_, whole, value in zip(partly.types, inferred.types, results, strict=True):
        shape = shape_of(type_)
        right = elem_of(type_) == elem_of(whole) and (shape is None or fits(shape, value.shape))
        where = "" if right else f"{app} as {list(map(str, types.values()))}, {hidden} hidden"
        assert right, f"{where}: {type_}, not {value.shape} of {whole}"


# ------------------------------------------------------------------------------------- variety

#: Attributes and inputs that name axes.
AXES = frozenset(
    "axis axes dim dims dimension concat_dim split_dim perm perm_x1 perm_x2 perm_y seq_dim "
    "batch_dim begin_norm_axis begin_params_axis end_axis activate_dim".split()
)
_SIZES = {("Fill", "dims")}
_INDEX = {"int32", "int64"}
#: What the applications of every operator must show.
FEATURES = ("no elements", "scalar", "negative axis", "broadcasting")


@contextmanager
def watched() -> Iterator[set[str]]:
    """What rules do in the block, seen at the helpers they share: the set is to be cleared.

    "axis": an axis was looked at; "negative axis": one counted from the end; "stretch": shapes were
    to stretch to each other; "broadcasting": they differed.
    """
    met: set[str] = set()

    def axis(original):
        def norm_axis(axis, *args, **kwargs):
            met.update(("axis", "negative axis") if axis < 0 else ("axis",))
            return original(axis, *args, **kwargs)

        return norm_axis

    def stretch(original):
        def broadcast(a, b):
            met.update(("stretch", "broadcasting") if a != b else ("stretch",))
            return original(a, b)

        return broadcast

    made = {
        dims.norm_axis: axis(dims.norm_axis),
        broadcast.broadcast_shapes: stretch(broadcast.broadcast_shapes),
        broadcast.broadcast_to: stretch(broadcast.broadcast_to),
    }
    names = {f.__name__: f for f in made}
    modules = [m for n, m in list(sys.modules.items()) if n.startswith("ge_dialect.")]
    places = [
        (vars(m), n) for m in modules for n, original in names.items() if vars(m).get(n) is original
    ]
    for held, name in places:
        held[name] = made[names[name]]
    try:
        yield met
    finally:
        for held, name in places:
            held[name] = names[name]


def _is_index(app, i):
    """Whether an input holds nothing but integers about the others, as its dtypes say."""
    slot = app.table.inputs[i]
    allowed = slot_dtypes(app.op)
    return set(allowed.get(slot.dtypes) or allowed[slot.name]) <= _INDEX


def _named_axes(app):
    """Numbers of attributes and constant inputs that name axes."""
    out = []
    for name, value in app.attrs:
        if name in AXES and (app.op, name) not in _SIZES:
            out += value if isinstance(value, tuple) else (value,)
    for i, _, o in app.operands():
        name = app.table.inputs[i].name
        if name in AXES and (app.op, name) not in _SIZES:
            out += o.values or ()
    return [v for v in out if type(v) is int]


def features(app, inferred, met):
    """What of the required variety an application shows; `met`: see `watched`."""
    shapes = [o.dims for _, _, o in app.operands()]
    shapes += [shape_of(t) for t in inferred.types]
    data = [o.dims for i, _, o in app.operands() if o.values is None or not _is_index(app, i)]
    found = set(met)
    found |= {"no elements"} if any(0 in d for d in shapes) else set()
    found |= {"scalar"} if () in data or any(shape_of(t) == () for t in inferred.types) else set()
    found |= (
        {f"rank > {MAX_RANK - 3}"} if max(map(len, shapes), default=0) > MAX_RANK - 3 else set()
    )
    axes = _named_axes(app)
    found |= {"axis"} if axes else set()
    found |= {"negative axis"} if any(v < 0 for v in axes) else set()
    found |= {"absent input"} if None in app.args else set()
    return found


def concerns(feature, seen):
    """Whether an operator could show a feature, as far as what was `seen` of it tells."""
    needs = {"negative axis": "axis", "broadcasting": "stretch"}.get(feature, "right")
    return seen[needs] > 0


@dataclass
class Drawn:
    """What was drawn and found right of an operator.

    seen: how many were accepted ("any"), ran ("right"), and those of them with each feature;
    dtypes: by symbol or input, of those that ran; accepted: of all; wanted: of the prototype.
    """

    seen: Counter[str] = field(default_factory=Counter)
    dtypes: set[tuple[str, str]] = field(default_factory=set)
    accepted: set[tuple[str, str]] = field(default_factory=set)
    wanted: set[tuple[str, str]] = field(default_factory=set)


class Checker:
    """Checks applications of one operator, each a different one."""

    def __init__(self, op, salt=0):
        self.op, self.salt = op, salt
        self.random = Random(seed_of(op, salt))
        self.drawn = Drawn(wanted={(k, d) for k, ds in slot_dtypes(op).items() for d in ds})
        table = op_class(op).ge_table()
        self.keys = [s.dtypes if s.dtypes in table.types else s.name for s in table.inputs]
        self.pool = []
        self.met: set[str] = set()
        self.inferred = None

    def dtypes(self, app):
        """By symbol or input."""
        return {(self.keys[i], o.dtype) for i, _, o in app.operands()}

    def accepts(self, app):
        """The inferred types where the operator takes the application; what its rule did stays."""
        self.met.clear()
        self.inferred = accepts(app)
        return self.inferred

    def check(self, app):
        """Check an application that was accepted just now; whether it ran."""
        inferred = self.inferred
        assert inferred is not None
        seen, shown = self.drawn.seen, features(app, inferred, self.met)
        seen["any"] += 1
        self.drawn.accepted |= self.dtypes(app)
        results = execute(app, inferred, self.random.getrandbits(20))
        if results is None:
            seen["refused for its values"] += 1
            return False
        check_exact(app, inferred, results)
        check_partial(app, inferred, results, self.random)
        seen["right"] += 1
        seen.update(shown)
        new = self.dtypes(app) - self.drawn.dtypes
        if new or len(self.pool) < 40:
            self.pool.append(app)
        self.drawn.dtypes |= new
        return True

    def run(self, count):
        """Draw until so many different applications have run."""
        with watched() as self.met:
            tries = max(60 * count, 1000)
            drawn = applications(self.op, SEED + self.salt, tries, tries, self.accepts)
            app = next(drawn, None)
            while app is not None and self.drawn.seen["right"] < count:
                try:
                    app = drawn.send(self.check(app))
                except StopIteration:
                    app = None
        return self.drawn

    def search(self):
        """Look for the dtypes that have not come up, starting from what is near."""
        with watched() as self.met:
            for key, dtype in sorted(self.drawn.wanted - self.drawn.dtypes):
                for _ in range(300 if self.pool else 0):
                    app = self.near(key, dtype)
                    if (key, dtype) in self.dtypes(app) and self.accepts(app) is not None:
                        self.check(app)
                    if (key, dtype) in self.drawn.dtypes:
                        break
        return self.drawn

    def near(self, key, dtype):
        """An application that may have a dtype."""
        random = self.random
        app = retyped(connected(random.choice(self.pool), key, random), key, dtype)
        if random.random() < 0.5:  # symbols of their own that only meet in one dtype
            for other, allowed in slot_dtypes(self.op).items():
                app = retyped(app, other, dtype) if dtype in allowed else app
        return widened(app, random) if random.random() < 0.6 else app


@cache
def drawn_of(op, count, salt):
    """What `count` applications of an operator show, and its dtypes looked for besides."""
    checker = Checker(op, salt)
    checker.run(count)
    return checker.search()


def thousands_of(op, count, salt):
    """What `drawn_of` found, and what of all that is asked it lacks."""
    found = drawn_of(op, count, salt)
    seen, lacks = found.seen, []
    least = EXCEPTIONS["few"].get(op, {}).get("least", count)
    if seen["right"] < least:
        lacks.append(f"{seen['right']} of {least} applications")
    for feature in FEATURES:
        if op in ops_without(feature):
            lacks += [f"{feature} is there, but listed"] if seen[feature] else []
        elif concerns(feature, seen) and not seen[feature]:
            lacks.append(feature)
    refused = _unlisted(op, found.wanted - found.accepted, ("refused",))
    not_run = _unlisted(op, found.accepted - found.dtypes, ("refused", "not_run"))
    lacks += [f"refused {place}" for place in sorted(refused)]
    lacks += [f"not run {place}" for place in sorted(not_run)]
    return found, lacks


@cache
def ops_without(feature):
    """Operators that cannot show a feature."""
    return {op for group in EXCEPTIONS[feature.replace(" ", "_")] for op in group["ops"].split()}


@cache
def listed_dtypes(table):
    """(operator, symbol or input, dtype or *) of a table of exceptions."""
    return {
        (*place.split("."), dtype)
        for group in EXCEPTIONS[table]
        for place in group["of"].split()
        for dtype in group["dtypes"].split()
    }


def _unlisted(op, missing, tables):
    listed = set().union(*map(listed_dtypes, tables))
    return {(k, d) for k, d in missing if not listed & {(op, k, d), (op, k, "*")}}
