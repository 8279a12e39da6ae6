"""Checks of the repository itself: modules and their dependencies, format, names, documents."""
