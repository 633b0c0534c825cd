"""Random numbers: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "DSAGenBitMask": {
        "doc": "Dropout bit mask from the DSA random engine.",
        "in": "count: int64; seed: uint64; dropout: FLOAT",
        "out": "out: uint8, uint1",
        "attrs": (("random_algorithm", "String", "Philox"), ("output_dtype", "String", "uint8")),
        "effects": "random",
    },
    "DSARandomNormal": {
        "doc": "Normal numbers from the DSA random engine.",
        "in": "count: int64; seed: uint64; mean: FLOAT; stdev: FLOAT",
        "out": "out: FLOAT",
        "attrs": (("random_algorithm", "String", "Philox"),),
        "effects": "random",
    },
    "DSARandomUniform": {
        "doc": "Uniform numbers from the DSA random engine.",
        "in": (
            "count: int64; seed: uint64; low: FLOAT, int32, int64, uint32, uint64; high: "
            "FLOAT, int32, int64, uint32, uint64"
        ),
        "out": "out: FLOAT, int32, int64, uint32, uint64",
        "attrs": (("random_algorithm", "String", "Philox"),),
        "effects": "random",
    },
    "DSARandomTruncatedNormal": {
        "doc": "Normal numbers within two deviations from the DSA random engine.",
        "in": "count: int64; seed: uint64; mean: FLOAT; stdev: FLOAT",
        "out": "out: FLOAT",
        "attrs": (("random_algorithm", "String", "Philox"),),
        "effects": "random",
    },
    "DSAStatelessGenBitMask": {
        "doc": "DSAGenBitMask by seed and offset.",
        "in": "count: int64; seed: uint64; dropout: FLOAT; offset: uint64",
        "out": "out: uint8, uint1",
        "attrs": (("random_algorithm", "String", "Philox"), ("output_dtype", "String", "uint8")),
    },
    "DSAStatelessRandomNormal": {
        "doc": "DSARandomNormal by seed and counter.",
        "in": "count: int64; seed: uint64; mean: FLOAT; stdev: FLOAT; counter: uint64",
        "out": "out: FLOAT",
        "attrs": (("random_algorithm", "String", "Philox"),),
    },
    "DSAStatelessRandomTruncatedNormal": {
        "doc": "DSARandomTruncatedNormal by seed and counter.",
        "in": "count: int64; seed: uint64; mean: FLOAT; stdev: FLOAT; counter: uint64",
        "out": "out: FLOAT",
        "attrs": (("random_algorithm", "String", "Philox"),),
    },
    "DSAStatelessRandomUniform": {
        "doc": "DSARandomUniform by seed and counter.",
        "in": (
            "count: int64; seed: uint64; low: FLOAT, int32, int64, uint32, uint64; high: "
            "FLOAT, int32, int64, uint32, uint64; counter: uint64"
        ),
        "out": "out: FLOAT, int32, int64, uint32, uint64",
        "attrs": (("random_algorithm", "String", "Philox"),),
    },
}
# fmt: on
