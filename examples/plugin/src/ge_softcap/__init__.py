"""Soft capping of logits for ge-opt. Nothing is imported before it is used."""
