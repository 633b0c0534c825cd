"""Operators without semantics yet, as data: a class is made from an entry on first use."""
