"""Passes of the build stage: order, streams, events, memory, lowering to `rt`."""
