"""Programs in Go that tests and benchmarks use, at pinned versions."""
