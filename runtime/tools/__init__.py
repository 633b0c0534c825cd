"""Command-line tools of this package."""
