"""The operator library: one file of classes per family, one file of data per tail category."""
