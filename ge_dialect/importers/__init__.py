"""Importers: foreign models become `ge.graph` objects, never through text."""
