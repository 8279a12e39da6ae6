"""What goes wrong in this package."""


class KubeError(Exception):
    """Names the program or file, and what it said."""
