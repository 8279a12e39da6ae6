"""Benchmarks in the test VM: `./dev bench`. README.md says what is measured and how."""
