"""Configuration for running these files with real lit: ``lit tests/filecheck``."""

# ruff: noqa: F821 - lit provides `config`

import os
import sys
import tempfile

import lit.formats

config.name = "ge-opt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.environ.get("LIT_EXEC_ROOT") or tempfile.mkdtemp()
tools = os.path.dirname(sys.executable)
config.environment["PATH"] = os.pathsep.join((tools, os.environ["PATH"]))
