"""Finds secrets that can be read on a host. `search.py` runs unchanged in the test VM."""
