"""The end of a tool's process: by a signal, and where code of others left a thread running."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import NoReturn

#: Seconds that threads of others may still take once the tool is done.
GRACE = 3.0


class Ended(KeyboardInterrupt):
    """A signal asks the process to end; like Ctrl-C it passes all code that cleans up."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def end(self) -> NoReturn:
        """End the process by the signal, so that its parent sees which one it was."""
        signal.signal(self.number, signal.SIG_DFL)  # the guard of a pass puts handlers back
        os.kill(os.getpid(), self.number)
        os._exit(128 + self.number)


def heed_signals() -> None:
    """Make SIGTERM and SIGHUP raise `Ended` once, unless the process ignores them (`nohup`)."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end_by)


def _end_by(number: int, _: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)  # the next one ends the process at once
    raise Ended(number)


def end_despite_threads(status: int) -> None:
    """See to it that the process ends with `status` although threads of others go on.

    Python waits for threads that are no daemons, and tells pools to end, as always; those that are
    still there after `GRACE` seconds are named in a warning, and the process ends.
    """
    if left_threads():
        watch = threading.Thread(target=_end, args=(status,), name="ge-end", daemon=True)
        watch.start()


def left_threads() -> list[threading.Thread]:
    """Threads for which Python waits at its end, besides the main one."""
    main = threading.main_thread()
    return [t for t in threading.enumerate() if t is not main and not t.daemon and t.is_alive()]


def _end(status: int) -> None:
    end = time.monotonic() + GRACE
    while time.monotonic() < end:
        time.sleep(0.02)
        if not left_threads():
            return
    try:
        _warn(left_threads())
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _warn(threads: list[threading.Thread]) -> None:
    from ge_dialect.diagnostics import Diagnostic
    from ge_dialect.tools.common import render_diagnostics

    found = [f"{t.name!r}{_place(t)}" for t in threads]
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    warning = Diagnostic(
        "GX-027",
        "code of a plug-in left threads running; they end with the tool",
        "warning",
        found=", ".join(found[:5]) + more,
        hint="join them, or start them with daemon=True",
    )
    render_diagnostics([warning])


def _place(thread: threading.Thread) -> str:
    """Where the function of a thread stands, as far as it is known."""
    code = getattr(getattr(thread, "_target", None), "__code__", None)
    code = code or getattr(type(thread).run, "__code__", None)
    return "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"
