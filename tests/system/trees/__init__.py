"""Trees of files that are hard to store, and whether two trees are the same. `odd.py` and `compare.py`
need nothing but Python, so that they run as they are in the test VM."""
