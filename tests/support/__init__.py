"""What tests stand on: the developer's command, Go programs, a Kubernetes control plane."""
