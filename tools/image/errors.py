"""The errors of this package."""


class ImageError(Exception):
    """Names the file or package, and the remedy."""
