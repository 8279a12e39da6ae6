"""Checks of the repository itself: modules and what they may use, format, names, documents."""
