"""Reading `.npz` files that users give."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

from ge_dialect.tools.common import read_input, tool_error

if TYPE_CHECKING:
    import numpy as np


def read_npz(path: str | os.PathLike[str], code: str) -> dict[str, np.ndarray[Any, Any]]:
    """Arrays by name. Raises `GeError`: GX-001 for no file, `code` for a file that is no .npz.

    Nothing in the file is unpickled. Arrays of the other byte order get that of this machine.
    """
    import numpy as np

    data, name = read_input(path), os.fspath(path)
    arrays: dict[str, Any] = {}
    try:
        with io.BytesIO(data) as stream:
            if data[:2] != b"PK":
                raise ValueError("not a zip archive")
            with np.load(stream, allow_pickle=False) as archive:
                for key in archive.files:
                    arrays[key] = archive[key]
                    if not isinstance(arrays[key], np.ndarray):
                        raise ValueError(f"member {key!r} is no array")
                    if not arrays[key].dtype.isnative:
                        arrays[key] = arrays[key].astype(arrays[key].dtype.newbyteorder("="))
    # zipfile, zlib and numpy raise about ten types of exception for broken bytes
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise tool_error(
            code,
            f"{name!r} is no .npz of arrays",
            found=reason,
            expected="what numpy.savez writes, without objects",
        ) from None
    return arrays
