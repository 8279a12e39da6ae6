"""LogicalVolume objects of a real Kubernetes API become volumes of real LVM. See README.md."""
