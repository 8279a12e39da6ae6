// `csi` of lvmd.yaml: the CSI driver of this node [P-CFG-60 to P-CFG-64].
#pragma once

#include <cstdint>
#include <string>

namespace lvmd::config {

struct CsiSettings {
  // The name of the CSI driver, as in the CSIDriver object and in StorageClasses.
  std::string driver_name{"topolvm.io"};
  // The name of the node in Kubernetes. Empty: the host's name in lower case.
  std::string node_name{};
  // kubelet's --root-dir, a plain path.
  std::string kubelet_root{"/var/lib/kubelet"};
  // The number of volumes that Kubernetes may place on the node. 0: no limit.
  std::uint64_t max_volumes = 0;

  // The socket of the CSI services. Short enough for a socket address, as is the next path.
  [[nodiscard]] std::string socket_path() const;
  // The socket by which kubelet discovers the driver.
  [[nodiscard]] std::string registration_socket_path() const;

  friend bool operator==(const CsiSettings&, const CsiSettings&) = default;
};

}  // namespace lvmd::config
