"""Passes of the partition stage."""
