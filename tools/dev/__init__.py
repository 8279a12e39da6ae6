"""`./dev` builds, tests and demonstrates lvmd. Each subcommand is a module. Uses only the standard
library."""
