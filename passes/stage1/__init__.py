"""Passes of the 'stage1' stage, one file each."""
