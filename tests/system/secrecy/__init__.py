"""Whether a secret can be read anywhere on a host. `search.py` runs as it is in the test VM."""
