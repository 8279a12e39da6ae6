"""The one exception by which a subcommand ends with a message instead of a traceback."""


class DevError(Exception):
    """Ends `./dev` with exit code 1; the text names the thing and says what to do."""
