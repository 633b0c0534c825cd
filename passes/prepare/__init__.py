"""Passes of the 'prepare' stage, one file each."""
