"""Running foreign code safely: a time limit, and global state put back however it ends."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any


class PassTimeout(BaseException):
    """The time limit of a pass is over. No `Exception`, so that no pass swallows it by habit."""


#: A pass that swallows the timeout is interrupted again after this many seconds.
_AGAIN = 0.5
#: A longer limit than this many seconds is this long.
_LONGEST = 1e9


@contextmanager
def time_limit(seconds: float | None) -> Generator[None]:
    """Raise `PassTimeout` in the block once `seconds` of wall time are over.

    Only Python's main thread can be interrupted; in another thread, or on a system without
    interval timers, the block runs without limit. Handler and timer of the caller are put back, and
    what is left of the caller's own timer goes on.
    """
    # Timers take no more than about 292 years, and no NaN.
    seconds = None if seconds is None or seconds != seconds else min(seconds, _LONGEST)
    usable = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if seconds is None or seconds <= 0 or not usable:
        yield
        return
    over = False

    def stop(number: int, frame: FrameType | None) -> None:
        if not over:
            raise PassTimeout

    handler = signal.signal(signal.SIGALRM, stop)
    start = time.monotonic()
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        try:
            yield
        finally:
            over = True  # a signal that comes from now on is too late
    finally:  # also where one came just before
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if handler is None else handler)
        if left > 0:
            rest = max(left - (time.monotonic() - start), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, rest, interval)


@contextmanager
def global_state_kept() -> Generator[None]:
    """Put back what a pass may have changed for the whole process, on every path.

    Kept are: the cyclic collector, the recursion limit, handlers of SIGINT and SIGTERM, the working
    folder, standard streams, and numpy's treatment of floating-point errors.
    """
    collecting, thresholds = gc.isenabled(), gc.get_threshold()
    depth = sys.getrecursionlimit()
    streams = sys.stdin, sys.stdout, sys.stderr
    folder = _folder()
    main = threading.current_thread() is threading.main_thread()
    handlers = _handlers() if main else {}
    numpy: Any = sys.modules.get("numpy")
    errors = numpy.geterr() if numpy is not None else None
    try:
        yield
    finally:
        (gc.enable if collecting else gc.disable)()
        gc.set_threshold(*thresholds)
        with suppress(RecursionError):  # deeper now than the limit that is to come back
            sys.setrecursionlimit(depth)
        sys.stdin, sys.stdout, sys.stderr = streams
        if folder is not None and _folder() != folder:
            with suppress(OSError):
                os.chdir(folder)
        for number, handler in handlers.items():
            if signal.getsignal(number) is not handler and handler is not None:
                signal.signal(number, handler)
        if numpy is not None and errors is not None and numpy.geterr() != errors:
            numpy.seterr(**errors)


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None


def _handlers() -> dict[int, Any]:
    return {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}


__all__ = ["PassTimeout", "global_state_kept", "time_limit"]


def raised_at(error: BaseException) -> str | None:
    """Where an exception was raised: file, line and function.

    Below code that is not ours (a loaded file, a plug-in) its author looks for the line in it, so
    that is named first, and the innermost one behind it.
    """
    trace = error.__traceback__
    frames: list[TracebackType] = []
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    if not frames:
        return None
    last = frames[-1]
    theirs = [t for t in frames[1:] if _is_theirs(t)]
    shown = theirs[-1] if theirs else last
    text = f"raised at {_place(shown)} in {shown.tb_frame.f_code.co_name}"
    return text if shown is last else f"{text}, below it at {_place(last)}"


def _is_theirs(trace: TracebackType) -> bool:
    root = str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0]
    return root not in (
        "ge_dialect",
        "passes",
        "runtime",
        "xdsl",
        "numpy",
        *sys.stdlib_module_names,
    )


def _place(trace: TracebackType) -> str:
    name = "/".join(trace.tb_frame.f_code.co_filename.replace("\\", "/").split("/")[-2:])
    return f"{name}:{trace.tb_lineno}"
