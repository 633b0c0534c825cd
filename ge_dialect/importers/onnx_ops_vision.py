"""ONNX rules: vision."""

from __future__ import annotations
