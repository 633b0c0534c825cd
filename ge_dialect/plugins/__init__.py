"""Plug-ins: what other packages, and files given with `--load`, add to the project.

`entries` finds what installed packages offer, `loading` runs a file or takes a project folder, and
`journal` knows where everything came from and takes it back.
"""

from __future__ import annotations
