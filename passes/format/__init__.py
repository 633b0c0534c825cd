"""Passes of the format stage: engine claims, storage layouts, layout conversions."""
