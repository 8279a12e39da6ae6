"""Loads the plugin of `./dev test` for pytest."""

pytest_plugins = ["tools.dev.pytest_plugin"]
