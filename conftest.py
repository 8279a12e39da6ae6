"""Loads what `./dev test` adds to pytest."""

pytest_plugins = ["tools.dev.pytest_plugin"]
