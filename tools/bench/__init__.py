"""Benchmarks in the test VM: `./dev bench`. README.md describes the measurements."""
