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
    "RandomShuffle": {
        "doc": "Shuffles the first axis.",
        "in": "x: T",
        "out": "y: T",
        "attrs": (("seed", "Int", 0), ("seed2", "Int", 0)),
        "types": {
            "T": (
                "SignedDataType, float16, float32, float64, bool, uint8, uint16, complex128, "
                "complex64, resource, string"
            ),
        },
        "effects": "random",
        "infer": "same",
    },
    "StatelessRandomNormalV2": {
        "doc": "Normal from key and counter.",
        "in": "shape: IndexNumberType; key: uint64; counter: uint64; alg: int32",
        "out": "y: FLOAT, float64",
        "attrs": (("dtype", "Type", "float32"),),
    },
    "StatelessRandomUniformV2": {
        "doc": "Uniform from key and counter.",
        "in": "shape: IndexNumberType; key: uint64; counter: uint64; alg: int32",
        "out": "y: FLOAT, float64",
        "attrs": (("dtype", "Type", "float32"),),
    },
    "TruncatedNormal": {
        "doc": "Normal cut at two deviations.",
        "in": "shape: IndexNumberType",
        "out": "y: FLOAT, float64",
        "attrs": (("seed", "Int", 0), ("seed2", "Int", 0), ("dtype", "Type", "float32")),
        "effects": "random",
    },
}
# fmt: on
