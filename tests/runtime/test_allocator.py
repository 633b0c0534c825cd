"""The allocator of eager mode: the best block by definition, in time that fragments do not set."""

from __future__ import annotations

import random

import pytest

from runtime.allocator import BLOCK, LARGE_STEP, SMALL, SMALL_SEGMENT, Block, CachingAllocator
from tests.growth import IN_PROPORTION, growth

SIZES = (0, 1, 512, 513, 5_000, 300_000, SMALL, SMALL + 1, SMALL_SEGMENT, 3 * LARGE_STEP)


class Plain:
    """The definition: all free blocks in one list that is searched from its beginning."""

    def __init__(self) -> None:
        self.segments: list[int] = []
        self.free_blocks: list[Block] = []

    def alloc(self, nbytes: int) -> Block:
        size = max(-(-nbytes // BLOCK) * BLOCK, BLOCK)
        for found in sorted(self.free_blocks):
            small = self.segments[found.segment] == SMALL_SEGMENT
            if found.size >= size and small == (size <= SMALL):
                self.free_blocks.remove(found)
                break
        else:
            found = self.grown(size)
        if found.size > size:
            self.free_blocks.append(Block(found.size - size, found.segment, found.offset + size))
        return Block(size, found.segment, found.offset)

    def grown(self, size: int) -> Block:
        total = SMALL_SEGMENT
        if size > SMALL:
            total = max(-(-size // LARGE_STEP), 2) * LARGE_STEP
        self.segments.append(total)
        return Block(total, len(self.segments) - 1, 0)

    def free(self, block: Block) -> None:
        start, end = block.offset, block.offset + block.size
        for other in [b for b in self.free_blocks if b.segment == block.segment]:
            if other.offset + other.size == start or other.offset == end:
                start, end = min(start, other.offset), max(end, other.offset + other.size)
                self.free_blocks.remove(other)
        self.free_blocks.append(Block(end - start, block.segment, start))


@pytest.mark.parametrize("seed", range(20))
def test_the_blocks_are_those_of_the_definition(seed: int) -> None:
    draw = random.Random(seed)
    plain, ours = Plain(), CachingAllocator()
    held: list[Block] = []
    peak = 0
    for _ in range(200):
        if held and draw.random() < 0.5:
            block = held.pop(draw.randrange(len(held)))
            plain.free(block)
            ours.free(block)
        else:
            size = draw.choice(SIZES)
            held.append(ours.alloc(size))
            assert held[-1] == plain.alloc(size)
        peak = max(peak, sum(b.size for b in held))
        assert ours.segments == plain.segments
        assert (ours.allocated, ours.peak) == (sum(b.size for b in held), peak)


def test_fragments_cost_nothing() -> None:
    def run(n: int) -> None:
        ours = CachingAllocator()
        blocks = [ours.alloc(16) for _ in range(n)]
        for block in (*blocks[::2], *blocks[1::2]):  # every other one first
            ours.free(block)

    assert growth(run, 500) < IN_PROPORTION
