"""Calls of lvmd in the test VM, with grpcurl."""
