"""ONNX rules: signal."""

from __future__ import annotations
