"""The caching allocator of eager mode: blocks cut from segments, as a framework on the device does.

Time order is program order on one stream, so a freed block can be handed out at once.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import NamedTuple

#: Blocks are multiples of this many bytes.
BLOCK = 512
#: Requests up to this many bytes come from small segments.
SMALL = 1 << 20
SMALL_SEGMENT = 2 << 20
LARGE_STEP = 2 << 20


class Block(NamedTuple):
    """Bytes `offset` to `offset + size` of a segment; smaller ones come first."""

    size: int
    segment: int
    offset: int


class CachingAllocator:
    """Best-fit allocation with splitting and merging inside segments.

    `segments` lists the segment sizes in order of creation; `allocated` and `peak` count bytes
    handed out, `reserved` the bytes of all segments.
    """

    def __init__(self) -> None:
        self.segments: list[int] = []
        self.allocated = 0
        self.peak = 0
        #: Free blocks of small segments and of large ones, in order; none touches another.
        self._free: dict[bool, list[Block]] = {True: [], False: []}
        #: The same by segment and first byte, and by segment and the byte behind the last.
        self._starts: dict[tuple[int, int], Block] = {}
        self._ends: dict[tuple[int, int], Block] = {}

    @property
    def reserved(self) -> int:
        """Bytes of all segments."""
        return sum(self.segments)

    def alloc(self, nbytes: int) -> Block:
        """A block of at least `nbytes`, the smallest free one that fits, else a new segment."""
        size = max(-(-nbytes // BLOCK) * BLOCK, BLOCK)
        chosen = self._best(size)
        if chosen is None:
            chosen = self._grow(size)
        else:
            self._drop(chosen)
        if chosen.size > size:
            self._keep(Block(chosen.size - size, chosen.segment, chosen.offset + size))
            chosen = Block(size, chosen.segment, chosen.offset)
        self.allocated += size
        self.peak = max(self.peak, self.allocated)
        return chosen

    def free(self, block: Block) -> None:
        """Give a block back; it merges with free neighbours."""
        self.allocated -= block.size
        start, end = block.offset, block.offset + block.size
        before = self._ends.get((block.segment, start))
        if before is not None:
            self._drop(before)
            start = before.offset
        after = self._starts.get((block.segment, end))
        if after is not None:
            self._drop(after)
            end += after.size
        self._keep(Block(end - start, block.segment, start))

    def _best(self, size: int) -> Block | None:
        free = self._free[size <= SMALL]
        at = bisect_left(free, Block(size, 0, 0))
        return free[at] if at < len(free) else None

    def _of_kind(self, block: Block) -> list[Block]:
        """Free blocks of segments like that of a block."""
        return self._free[self.segments[block.segment] == SMALL_SEGMENT]

    def _keep(self, block: Block) -> None:
        insort(self._of_kind(block), block)
        self._starts[block.segment, block.offset] = block
        self._ends[block.segment, block.offset + block.size] = block

    def _drop(self, block: Block) -> None:
        free = self._of_kind(block)
        del free[bisect_left(free, block)]
        del self._starts[block.segment, block.offset]
        del self._ends[block.segment, block.offset + block.size]

    def _grow(self, size: int) -> Block:
        total = SMALL_SEGMENT if size <= SMALL else -(-size // LARGE_STEP) * LARGE_STEP
        # A segment of exactly the small size would be taken for a small one.
        if size > SMALL and total == SMALL_SEGMENT:
            total += LARGE_STEP
        self.segments.append(total)
        return Block(total, len(self.segments) - 1, 0)
