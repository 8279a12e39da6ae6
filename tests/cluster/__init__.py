"""Claims become mounts in pods of a real cluster. See README.md."""
