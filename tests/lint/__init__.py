"""Checks of the repository itself: rooms and what they may use, format, names, documents."""
