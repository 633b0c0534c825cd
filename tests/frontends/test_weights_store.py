"""The weight store: every dtype, folders, laziness, and refusal of what is broken or hostile."""

from __future__ import annotations

import json
import os

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.weights import WeightStore

RNG = np.random.default_rng(3)
ARRAYS = {
    "f32": RNG.normal(size=(3, 4)).astype(np.float32),
    "f64 scalar": np.float64(2.5),
    "f16": RNG.normal(size=(2, 3)).astype(np.float16),
    "bf16": RNG.normal(size=(5,)).astype(ml_dtypes.bfloat16),
    "fp8 e4m3": RNG.normal(size=(7,)).astype(ml_dtypes.float8_e4m3fn),
    "fp8 e5m2": RNG.normal(size=(7,)).astype(ml_dtypes.float8_e5m2),
    "fp8 e8m0": np.array([1, 2, 0.5]).astype(ml_dtypes.float8_e8m0fnu),
    "fp6": np.array([1, 2, -0.5]).astype(ml_dtypes.float6_e2m3fn),
    "fp4": np.array([1, 2, -0.5]).astype(ml_dtypes.float4_e2m1fn),
    "int4": RNG.integers(-8, 8, (3, 5)).astype(ml_dtypes.int4),
    "uint4": RNG.integers(0, 16, (4,)).astype(ml_dtypes.uint4),
    "int2": RNG.integers(-2, 2, (9,)).astype(ml_dtypes.int2),
    "bool": np.array([True, False, True]),
    "int8": np.array([-128, 127], np.int8),
    "uint64": np.array([2**64 - 1], np.uint64),
    "complex": (RNG.normal(size=3) + 1j).astype(np.complex64),
    "non-finite": np.array([np.nan, -np.inf, -0.0], np.float32),
    "empty": np.zeros((0, 3), np.int64),
    'block/0 "w":0 \\ \n ünï': np.arange(2),
    "__metadata__": np.arange(3),
    "../../up": np.arange(1),
}


def plain(array: np.ndarray) -> np.ndarray:
    """Comparable values (ml_dtypes do not define equality of NaN)."""
    return np.asarray(array).astype(np.complex128)


@pytest.fixture
def folder(tmp_path):
    return WeightStore(ARRAYS).save(tmp_path / "w")


def test_every_dtype_survives_a_folder(folder):
    store = WeightStore.open(folder)
    assert store.names() == sorted(ARRAYS)
    for name, array in ARRAYS.items():
        found = store.get(name)
        assert (found.dtype, found.shape) == (np.asarray(array).dtype, np.shape(array))
        np.testing.assert_array_equal(plain(found), plain(array))
        assert not found.flags.writeable


def test_only_plain_files_in_the_folder(folder):
    names = sorted(os.listdir(folder))
    assert names == ["index.json", "shard-00000.safetensors"]
    assert os.listdir(folder.parent) == ["w"]


def test_shards_are_safetensors(folder):
    from safetensors import safe_open

    with safe_open(folder / "shard-00000.safetensors", "numpy") as shard:
        assert len(list(shard.keys())) == len(ARRAYS)
        np.testing.assert_array_equal(shard.get_tensor("f32"), ARRAYS["f32"])


def test_equal_stores_give_equal_bytes(tmp_path):
    one = WeightStore(ARRAYS).save(tmp_path / "a")
    two = WeightStore(dict(reversed(ARRAYS.items()))).save(tmp_path / "b")
    for name in os.listdir(one):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_reading_maps_the_file_and_reads_nothing_before(folder):
    store = WeightStore.open(folder)
    assert store.dtype_shape("bf16") == ("bfloat16", (5,))
    assert store.nbytes("int4") == 8
    assert all(shard._map is None for shard in store._shards.values())
    base = store.get("f32")
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    assert isinstance(base, memoryview)


def test_lazy_arrays_are_made_once_and_not_kept_by_save(tmp_path):
    calls = []

    def make():
        calls.append(1)
        return np.arange(4, dtype=np.int32)

    store = WeightStore()
    store.put_lazy("w", "int32", (4,), make)
    assert not calls
    store.save(tmp_path / "w")
    assert len(calls) == 1
    assert not store._arrays
    store.get("w")
    store.get("w")
    assert len(calls) == 2
    store.put_lazy("bad", "int32", (5,), make)
    with pytest.raises(GeError, match="GX-303"):
        store.get("bad")


def test_abstract_weights_have_a_type_and_no_bytes(tmp_path):
    store = WeightStore()
    store.declare("huge", "float16", (10**6, 10**6))
    assert store.nbytes("huge") == 2 * 10**12
    again = WeightStore.open(store.save(tmp_path / "w"))
    assert again.is_abstract("huge")
    assert os.listdir(tmp_path / "w") == ["index.json"]
    with pytest.raises(GeError, match="abstract"):
        again.get("huge")


def test_names_are_given_once():
    store = WeightStore({"a": np.arange(3)})
    store.put("a", np.arange(3))
    with pytest.raises(GeError, match="GX-306"):
        store.put("a", np.arange(4))
    with pytest.raises(GeError, match="did you mean 'a'") as caught:
        store.get("aa")
    assert caught.value.diagnostics[0].code == "GX-304"
    assert store.unique_name("a") == "a_1"
    with pytest.raises(GeError, match="GX-307"):
        store.put("s", np.array(["x"], object))


def test_elsewhere_shards_are_linked_and_only_new_ones_written(folder, tmp_path):
    store = WeightStore.open(folder)
    store.put("new", np.ones(3, np.float32))
    other = store.save(tmp_path / "other")
    old = "shard-00000.safetensors"
    assert os.path.samefile(folder / old, other / old)
    assert sorted(os.listdir(other)) == ["index.json", old, "shard-00001.safetensors"]
    np.testing.assert_array_equal(WeightStore.open(other).get("new"), np.ones(3))


def test_saving_over_itself_and_over_another_store(folder):
    store = WeightStore.open(folder)
    first = store.get("f32")
    stamp = os.stat(folder).st_ino
    store.save(folder)
    assert os.stat(folder).st_ino == stamp  # nothing new: nothing written
    store.put("new", np.ones(3, np.float32))
    store.save(folder)
    assert len(WeightStore.open(folder)) == len(ARRAYS) + 1
    WeightStore({"only": np.zeros(2)}).save(folder)
    assert WeightStore.open(folder).names() == ["only"]
    np.testing.assert_array_equal(first, ARRAYS["f32"])  # the old map still stands
    assert os.listdir(folder.parent) == ["w"]


def test_keep_limits_what_is_written(folder, tmp_path):
    store = WeightStore.open(folder)
    assert WeightStore.open(store.save(tmp_path / "k", keep=["f32"])).names() == ["f32"]


def test_shards_are_cut_by_size(tmp_path):
    store = WeightStore({f"w{i}": np.full(100, i, np.int64) for i in range(5)})
    store.save(tmp_path / "w", shard_bytes=1700)
    assert len(os.listdir(tmp_path / "w")) == 4
    again = WeightStore.open(tmp_path / "w")
    for i in range(5):
        assert (again.get(f"w{i}") == i).all()


def test_a_failed_save_leaves_nothing(tmp_path):
    def fail():
        raise GeError([])

    store = WeightStore({"a": np.arange(3)})
    store.put_lazy("b", "int32", (4,), fail)
    with pytest.raises(GeError):
        store.save(tmp_path / "w")
    assert os.listdir(tmp_path) == []


def test_foreign_folders_and_files_are_not_replaced(tmp_path):
    store = WeightStore({"a": np.arange(3)})
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_text("x")
    (tmp_path / "file").write_text("x")
    for name in ("photos", "file", "file/below"):
        with pytest.raises(GeError, match="GX-310"):
            store.save(tmp_path / name)
    assert (tmp_path / "photos" / "cat.jpg").exists()


# --- broken and hostile folders --------------------------------------------------------------


def refused(folder) -> str:
    with pytest.raises(GeError) as caught:
        WeightStore.open(folder)
    return caught.value.diagnostics[0].code


def edit(folder, change) -> None:
    path = folder / "index.json"
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def test_missing_folder_or_index(tmp_path):
    assert refused(tmp_path / "none") == "GX-300"
    assert refused(tmp_path) == "GX-300"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format": "ge-weights", "version": 1}', "\xff", "[" * 10**5]
)
def test_index_that_is_none(folder, text):
    (folder / "index.json").write_text(text, encoding="latin-1")
    assert refused(folder) == "GX-301"


@pytest.mark.parametrize(
    "row",
    [
        {"dtype": "float3"},
        {"shape": [-1]},
        {"shape": [True]},
        {"shape": "3"},
        {"shape": [1] * 100},
        {"shard": 5},
        {"key": 5},
        {"surplus": 1},
    ],
)
def test_index_rows_are_checked(folder, row):
    edit(folder, lambda d: d["weights"]["f32"].update(row))
    assert refused(folder) == "GX-301"


@pytest.mark.parametrize(
    "shard",
    [
        "../w/shard-00000.safetensors",
        "/etc/passwd",
        "a/b",
        "..",
        "",
        "index.json",
        "a\\b",
        "c:x",
        "x" * 300,
        "n\0",
    ],
)
def test_shards_must_be_plain_names(folder, shard):
    edit(folder, lambda d: d["weights"]["f32"].update(shard=shard))
    assert refused(folder) == "GX-302"


def test_links_out_of_the_folder(folder, tmp_path):
    shard = folder / "shard-00000.safetensors"
    shard.rename(tmp_path / "outside")
    shard.symlink_to(tmp_path / "outside")
    assert refused(folder) == "GX-302"


def test_version_and_wrong_sizes(folder):
    edit(folder, lambda d: d["weights"]["f32"].update(shape=[3, 5]))
    assert refused(folder) == "GX-303"
    edit(folder, lambda d: d["weights"]["f32"].update(shape=[3, 4], dtype="int32"))
    assert refused(folder) == "GX-303"
    edit(folder, lambda d: d.update(version=2))
    assert refused(folder) == "GX-301"


def test_truncated_and_damaged_shards(folder):
    shard = folder / "shard-00000.safetensors"
    whole = shard.read_bytes()
    for cut in (0, 4, 8, 100, len(whole) - 1):
        shard.write_bytes(whole[:cut])
        assert refused(folder) == "GX-303", cut
    shard.write_bytes(whole + b"x")
    assert refused(folder) == "GX-303"
    shard.write_bytes((2**60).to_bytes(8, "little") + whole[8:])
    assert refused(folder) == "GX-303"
    shard.unlink()
    assert refused(folder) == "GX-303"


def test_flipped_header_bytes_never_escape(folder):
    import random
    from contextlib import suppress

    shard = folder / "shard-00000.safetensors"
    whole = shard.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    rng = random.Random(1)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[rng.randrange(header)] = rng.randrange(256)
        shard.write_bytes(damaged)
        with suppress(GeError):
            store = WeightStore.open(folder)
            for name in store:
                store.get(name)


@pytest.mark.parametrize("relative", ["", "/abs", "../up", "a/../../up"])
def test_a_text_names_only_folders_beside_it(tmp_path, relative):
    from ge_dialect.weights.index import beside

    with pytest.raises(GeError, match="GX-302"):
        beside(tmp_path / "net.mlir", relative)


def test_a_linked_weight_folder_is_refused(tmp_path):
    from ge_dialect.weights.index import beside

    inner = tmp_path / "in"
    inner.mkdir()
    (inner / "net.weights").symlink_to(tmp_path)
    with pytest.raises(GeError, match="GX-302"):
        beside(inner / "net.mlir", "net.weights")
    assert beside(inner / "net.mlir", "ok.weights") == inner / "ok.weights"
