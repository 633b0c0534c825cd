"""Dynamic shapes: unknown dims as exact expressions over symbols, and their ranges.

`expr` holds the expressions, `given` what a user says of inputs, `tracing` runs an operator's own
inference rule on symbolic sizes, `data` follows shapes that travel as values, and `symbolic` puts
it together: the analyses ``symbolic-shapes`` and ``shape-ranges``. See docs/shapes.md.
"""
