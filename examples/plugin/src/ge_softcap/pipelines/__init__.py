"""Named pipelines; each is a TOML file of its name."""
