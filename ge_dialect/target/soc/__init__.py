"""SoC files."""
