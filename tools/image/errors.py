"""What goes wrong in this package."""


class ImageError(Exception):
    """Names the file or package, and what to do."""
