"""Checks of the repository that need its install tree."""
