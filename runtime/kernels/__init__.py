"""Device kernels on storage layouts, independent of the golden functions.

`registry` holds the look-up; the other modules are one family of operators each.
"""

from __future__ import annotations

from runtime.kernels.registry import Call, Kernel, View, find_kernel, kernel, kernel_names

__all__ = ["Call", "Kernel", "View", "find_kernel", "kernel", "kernel_names"]
