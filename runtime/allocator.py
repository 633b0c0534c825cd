"""The caching allocator of eager mode: blocks cut from segments, as a framework on the device does.

Time order is program order on one stream, so a freed block can be handed out at once.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass

#: Blocks are multiples of this many bytes.
BLOCK = 512
#: Requests up to this many bytes come from small segments.
SMALL = 1 << 20
SMALL_SEGMENT = 2 << 20
LARGE_STEP = 2 << 20


@dataclass(frozen=True, slots=True, order=True)
class Block:
    """Bytes `offset` to `offset + size` of a segment."""

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
        self._free: list[Block] = []

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
            self._free.remove(chosen)
        if chosen.size > size:
            rest = Block(chosen.size - size, chosen.segment, chosen.offset + size)
            insort(self._free, rest)
            chosen = Block(size, chosen.segment, chosen.offset)
        self.allocated += size
        self.peak = max(self.peak, self.allocated)
        return chosen

    def free(self, block: Block) -> None:
        """Give a block back; it merges with free neighbours."""
        self.allocated -= block.size
        start, end = block.offset, block.offset + block.size
        for other in [b for b in self._free if b.segment == block.segment]:
            if other.offset + other.size == start:
                start = other.offset
            elif other.offset == end:
                end = other.offset + other.size
            else:
                continue
            self._free.remove(other)
        insort(self._free, Block(end - start, block.segment, start))

    def _best(self, size: int) -> Block | None:
        small = size <= SMALL
        for block in self._free:
            is_small = self.segments[block.segment] == SMALL_SEGMENT
            if block.size >= size and is_small == small:
                return block
        return None

    def _grow(self, size: int) -> Block:
        total = SMALL_SEGMENT if size <= SMALL else -(-size // LARGE_STEP) * LARGE_STEP
        # A segment of exactly the small size would be taken for a small one.
        if size > SMALL and total == SMALL_SEGMENT:
            total += LARGE_STEP
        self.segments.append(total)
        return Block(total, len(self.segments) - 1, 0)
