"""Makes the container images of lvmd-reconciler and csi-controller; see
packaging/container/README.md."""

from .build import PROGRAMS, Image, build_image
from .errors import ImageError

__all__ = ["PROGRAMS", "Image", "ImageError", "build_image"]
