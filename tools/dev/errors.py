"""The exception that ends a subcommand with a message instead of a traceback."""


class DevError(Exception):
    """Ends `./dev` with exit code 1. The text describes the problem and its remedy."""
