"""Makes the container image of lvmd-reconciler; see packaging/container/README.md."""

from .build import Image, build_image
from .errors import ImageError

__all__ = ["Image", "ImageError", "build_image"]
