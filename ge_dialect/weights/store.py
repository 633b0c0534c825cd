"""The weight store: named immutable arrays, in memory or in a folder of safetensors shards."""

from __future__ import annotations

import os
import shutil
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import user_error
from ge_dialect.dtypes import from_numpy, ge_name
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.weights.index import (
    INDEX,
    Entry,
    check_shard_name,
    inside,
    read_index,
    shard_key,
    write_index,
)
from ge_dialect.weights.shards import Shard, from_bytes, storage_of, to_bytes, write_shard

if TYPE_CHECKING:
    import numpy as np

#: New shards are cut at about this many bytes.
SHARD_BYTES = 2 << 30
#: Bytes of evaluated recipes that are kept for the next use.
CACHE_BYTES = 1 << 30


class WeightStore:
    """Named arrays that never change: a name is given once.

    Arrays come from memory (`put`), from a function called on first use (`put_lazy`) or from the
    shards of a folder (`open`), mapped and not read. `declare` records an abstract weight, which
    has a type and no bytes. All dtypes are GE names ("float16", "bfloat16", "int4").
    """

    def __init__(self, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self.folder: Path | None = None
        self._entries: dict[str, Entry] = {}
        self._names = TakenNames()
        self._makers: dict[str, Callable[[], np.ndarray]] = {}
        self._places: dict[str, tuple[str, int]] = {}
        self._arrays: dict[str, np.ndarray] = {}
        self._shards: dict[str, Shard] = {}
        self._derived: OrderedDict[str, np.ndarray] = OrderedDict()
        self._derived_bytes = 0
        for name, array in (arrays or {}).items():
            self.put(name, array)

    # --- a mapping of names ---

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def names(self) -> list[str]:
        """All names, in the order they were added."""
        return list(self._entries)

    def unique_name(self, base: str) -> str:
        """`base`, or `base` with the first free number."""
        return self._names.free(base)

    def entry(self, name: str) -> Entry:
        """Dtype, shape and place of a weight. Raises `GeError` GX-304 for an unknown name."""
        found = self._entries.get(name)
        if found is None:
            from difflib import get_close_matches

            near = get_close_matches(name, self._entries, 1)
            raise user_error(
                "GX-304",
                f"the weight store has no {name!r}",
                found=f"{len(self)} weights" + (f" in {str(self.folder)!r}" if self.folder else ""),
                hint=f"did you mean {near[0]!r}?" if near else None,
            )
        return found

    def dtype_shape(self, name: str) -> tuple[str, tuple[int, ...]]:
        """GE dtype name and shape of a weight, without touching its bytes."""
        found = self.entry(name)
        return found.dtype, found.shape

    def is_abstract(self, name: str) -> bool:
        """Whether a weight has a type but no bytes."""
        found = self.entry(name)
        return found.shard is None and name not in self._arrays and name not in self._makers

    def nbytes(self, name: str) -> int:
        """Bytes of a weight in storage; abstract ones count as if they existed."""
        found = self.entry(name)
        return storage_of(found.dtype, found.shape).nbytes

    # --- adding ---

    def _enter(self, name: str, entry: Entry) -> None:
        self._entries[name] = entry
        self._names.add(name)

    def put(self, name: str, array: np.ndarray, *, dtype: str | None = None) -> str:
        """Add an array under a new name and return the name.

        The store keeps the array itself; the caller must not change it afterwards. `dtype` is
        needed only where numpy has no type of its own (qint8). The same bytes under the same name
        again are accepted; other bytes are GX-306, an unstorable dtype GX-307.
        """
        import numpy as np

        array = np.asarray(array)
        dtype = dtype or _dtype_name(array.dtype)
        storage_of(dtype, array.shape)
        if name in self._entries:
            old = self._entries[name]
            same = (old.dtype, old.shape) == (dtype, array.shape) and not self.is_abstract(name)
            if same and to_bytes(self.get(name), dtype) == to_bytes(array, dtype):
                return name
            raise user_error("GX-306", f"weight {name!r} exists already with other contents")
        view = array.view()
        view.flags.writeable = False
        self._enter(name, Entry(dtype, tuple(array.shape)))
        self._arrays[name] = view
        return name

    def put_lazy(
        self,
        name: str,
        dtype: str,
        shape: Sequence[int],
        maker: Callable[[], np.ndarray],
        place: tuple[str, int] | None = None,
    ) -> str:
        """Add a weight whose array `maker` returns when it is first asked for.

        place: file and offset where its storage bytes are, in one piece.
        """
        storage_of(dtype, shape)
        if name in self._entries:
            raise user_error("GX-306", f"weight {name!r} exists already")
        self._enter(name, Entry(dtype, tuple(shape)))
        self._makers[name] = maker
        if place is not None:
            self._places[name] = place
        return name

    def place_of(self, name: str) -> tuple[str, int, int] | None:
        """File, offset and length of a weight's storage bytes, None where they are in no file."""
        entry = self.entry(name)
        if name in self._places:
            return (*self._places[name], self.nbytes(name))
        if entry.shard is None:
            return None
        shard = self._shards[entry.shard]
        return str(shard.path), shard.tensors[entry.key][1], self.nbytes(name)

    def declare(self, name: str, dtype: str, shape: Sequence[int]) -> str:
        """Add an abstract weight: type and shape, no bytes."""
        storage_of(dtype, shape)
        if name in self._entries:
            if self.dtype_shape(name) == (dtype, tuple(shape)):
                return name
            raise user_error("GX-306", f"weight {name!r} exists already with another type")
        self._enter(name, Entry(dtype, tuple(shape)))
        return name

    # --- reading ---

    def get(self, name: str) -> np.ndarray:
        """Read-only array of a weight; from a folder a view of the mapped file.

        Raises `GeError` GX-304 (unknown), GX-305 (abstract) or GX-303 (shard unreadable).
        """
        found = self._arrays.get(name)
        if found is not None:
            return found
        entry = self.entry(name)
        if name in self._makers:
            array = self._checked(name, entry, self._makers[name]())
            del self._makers[name]
        elif entry.shard is None:
            raise user_error(
                "GX-305",
                f"weight {name!r} is abstract: it has a type and no bytes",
                found=f"{entry.dtype} {list(entry.shape)}",
                hint="only timing and memory can be asked of it; values need real weights",
            )
        else:
            raw = self._shards[entry.shard].bytes_of(entry.key)
            array = from_bytes(raw, entry.dtype, entry.shape)
        array = array.view()
        array.flags.writeable = False
        self._arrays[name] = array
        return array

    def _checked(self, name: str, entry: Entry, array: np.ndarray) -> np.ndarray:
        if tuple(array.shape) != entry.shape:
            raise user_error(
                "GX-303",
                f"weight {name!r} has another shape than announced",
                found=str(list(array.shape)),
                expected=str(list(entry.shape)),
            )
        return array

    def derived(self, text: str, make: Callable[[], np.ndarray]) -> np.ndarray:
        """Value of the recipe `text`, from the cache or made now; least used ones go first."""
        found = self._derived.get(text)
        if found is not None:
            self._derived.move_to_end(text)
            return found
        import numpy as np

        value = np.asarray(make())  # numpy gives a scalar for some operations on rank 0
        value.flags.writeable = False
        self._derived[text] = value
        self._derived_bytes += value.nbytes
        while self._derived_bytes > CACHE_BYTES and len(self._derived) > 1:
            _, old = self._derived.popitem(last=False)
            self._derived_bytes -= old.nbytes
        return value

    # --- folders ---

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> WeightStore:
        """Open a weight folder: index and shard headers are checked, no weight is read.

        Raises `GeError` GX-300 (no folder), GX-301 (index), GX-302 (leads out), GX-303 (shard).
        """
        root = Path(folder)
        store = cls()
        store.folder = root
        for name, entry in read_index(root).items():
            if entry.shard is not None:
                shard = store._shards.get(entry.shard)
                if shard is None:
                    shard = store._shards[entry.shard] = Shard(inside(root, entry.shard))
                _check_in_shard(name, entry, shard)
            store._enter(name, entry)
        return store

    def save(
        self,
        folder: str | os.PathLike[str],
        *,
        keep: Iterable[str] | None = None,
        shard_bytes: int = SHARD_BYTES,
    ) -> Path:
        """Write the store as a folder, which appears complete or not at all, and return it.

        Shards of an opened folder are linked, or copied where links do not reach; only new arrays
        are written. `keep` limits what is written to these names. A weight folder that is already
        there is replaced; anything else in the way is refused (GX-310). `dtype` bytes are exact.
        """
        target = Path(folder)
        kept = self._entries.keys() if keep is None else set(keep)
        wanted = [n for n in self._entries if n in kept]
        if self._is_saved_at(target, wanted):
            return target
        _refuse_foreign(target)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            work = target.parent / f".{target.name}.{os.getpid()}.tmp"
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
        except OSError as error:
            raise _unwritable(target, error) from None
        try:
            write_index(work, self._write_shards(work, wanted, shard_bytes))
            _swap(work, target)
        except OSError as error:
            raise _unwritable(target, error) from None
        finally:
            shutil.rmtree(work, ignore_errors=True)
        return target

    def _is_saved_at(self, target: Path, wanted: Sequence[str]) -> bool:
        if self.folder is None or not target.is_dir():
            return False
        return os.path.samefile(self.folder, target) and all(
            self._entries[n].shard is not None or self.is_abstract(n) for n in wanted
        )

    def _write_shards(
        self, work: Path, wanted: Sequence[str], shard_bytes: int
    ) -> dict[str, Entry]:
        out: dict[str, Entry] = {}
        fresh: list[str] = []
        for name in wanted:
            entry = self._entries[name]
            if entry.shard is not None:
                destination = work / entry.shard
                if not destination.exists():
                    _link_or_copy(self._shards[entry.shard].path, destination)
                out[name] = entry
            elif self.is_abstract(name):
                out[name] = entry
            else:
                fresh.append(name)
        for shard, names in _cut(fresh, self.nbytes, shard_bytes, {p.name for p in work.iterdir()}):
            # Wide elements first keeps every tensor aligned to its element in the file.
            names.sort(key=lambda n: (-_itemsize(self._entries[n]), n))
            rows = [
                (shard_key(n), self._entries[n].dtype, self._entries[n].shape, self._maker(n))
                for n in names
            ]
            write_shard(work / shard, rows)
            for n in names:
                out[n] = replace(self._entries[n], shard=shard, key=shard_key(n))
        return out

    def _maker(self, name: str) -> Callable[[], np.ndarray]:
        lazy = self._makers.get(name)
        if lazy is None:
            return lambda: self.get(name)
        # Do not keep what is only passing through to the file.
        return lambda: self._checked(name, self._entries[name], lazy())


def _dtype_name(dtype: Any) -> str:
    try:
        return ge_name(from_numpy(dtype))
    except (ValueError, TypeError):
        raise user_error("GX-307", f"weights of numpy type {dtype} cannot be stored") from None


def _itemsize(entry: Entry) -> int:
    count = 1
    for n in entry.shape:
        count *= n
    return storage_of(entry.dtype, entry.shape).nbytes // max(count, 1)


def _check_in_shard(name: str, entry: Entry, shard: Shard) -> None:
    found = shard.tensors.get(entry.key)
    expected = storage_of(entry.dtype, entry.shape)
    if found is None or found[0] != expected:
        raise user_error(
            "GX-303",
            f"weight {name!r} does not fit its shard {shard.path.name!r}",
            found="no such tensor" if found is None else f"{found[0].tag} {list(found[0].shape)}",
            expected=f"{expected.tag} {list(expected.shape)}",
        )


def _cut(
    names: Sequence[str], size_of: Callable[[str], int], limit: int, taken: set[str]
) -> Iterator[tuple[str, list[str]]]:
    """Split names into shards of at most `limit` bytes (one weight at least) with free names."""
    number, part, held = 0, [], 0

    def free() -> str:
        nonlocal number
        while (name := f"shard-{number:05d}.safetensors") in taken:
            number += 1
        taken.add(name)
        return name

    for name in names:
        size = size_of(name)
        if part and held + size > limit:
            yield free(), part
            part, held = [], 0
        part.append(name)
        held += size
    if part:
        yield free(), part


def _refuse_foreign(target: Path) -> None:
    """A folder is replaced only if it is one of ours or empty."""
    if not os.path.lexists(target):
        return
    if target.is_symlink() or not target.is_dir():
        raise user_error("GX-310", f"{str(target)!r} is in the way and is not a weight folder")
    names = [p.name for p in target.iterdir()]
    if names and INDEX not in names:
        raise user_error(
            "GX-310",
            f"{str(target)!r} is in the way and is not a weight folder",
            found=", ".join(sorted(names)[:4]),
        )


def _unwritable(target: Path, error: OSError) -> Exception:
    reason = error.strerror or str(error)
    return user_error("GX-310", f"cannot write the weight folder {str(target)!r}: {reason}")


def _link_or_copy(source: Path, destination: Path) -> None:
    check_shard_name(destination.name)
    try:
        os.link(source, destination)
    except OSError:
        shutil.copyfile(source, destination)


def _swap(work: Path, target: Path) -> None:
    """Rename `work` to `target`; an old folder steps aside first and goes last."""
    if not target.exists():
        os.rename(work, target)
        return
    old = target.parent / f".{target.name}.{os.getpid()}.old"
    shutil.rmtree(old, ignore_errors=True)
    os.rename(target, old)
    try:
        os.rename(work, target)
    except OSError:
        with suppress(OSError):
            os.rename(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)
