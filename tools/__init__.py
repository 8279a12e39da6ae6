"""Tools that are not tests: `./dev`, the test VM, the benchmarks, the image builder."""
