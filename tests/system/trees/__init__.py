"""Trees of files that are hard to store, and their comparison. `odd.py` and `compare.py` need only
Python, so that they run unchanged in the test VM."""
