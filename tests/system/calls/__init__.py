"""Calls of lvmd in the test VM, by grpcurl."""
