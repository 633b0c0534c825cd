"""Exporters: modules in the formats of other tools."""
