"""Passes of the 'fuse' stage, one file each."""
