"""The errors of this package."""


class KubeError(Exception):
    """Names the program or file, and its message."""
