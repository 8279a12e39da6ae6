"""`./dev`: builds, tests and shows lvmd. Standard library only; one module per subcommand."""
