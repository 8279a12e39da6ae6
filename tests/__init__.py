"""Everything that tests lvmd; a package, so that the Python parts find each other."""
