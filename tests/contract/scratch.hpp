// The common start of contract cases: a client, and unique names.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/contract/client.hpp"

namespace lvmd::contract {

inline constexpr std::int64_t kMiB = std::int64_t{1} << 20;
inline constexpr std::int64_t kGiB = std::int64_t{1} << 30;
inline constexpr std::int64_t kExtent = 4 * kMiB;

// Removes the case's volumes when it is destroyed, in reverse order, also after a failure.
class Scratch {
 public:
  // A client of LVMD_CONTRACT_SOCKET. The case fails when the variable is not set.
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  Client client;

  // A new name. The volume of this name in the class is removed at the end.
  [[nodiscard]] std::string name(const std::string& device_class);

 private:
  std::vector<std::pair<std::string, std::string>> volumes_;
};

[[nodiscard]] proto::CreateLVRequest create_request(const std::string& device_class,
                                                    const std::string& name, std::int64_t size);
[[nodiscard]] proto::RemoveLVRequest remove_request(const std::string& device_class,
                                                    const std::string& name);
[[nodiscard]] proto::ResizeLVRequest resize_request(const std::string& device_class,
                                                    const std::string& name, std::int64_t size);
[[nodiscard]] proto::CreateLVSnapshotRequest snapshot_request(const std::string& device_class,
                                                              const std::string& name,
                                                              const std::string& source,
                                                              const std::string& access_type);

// The volume in GetLVList; an empty name when it is not listed.
[[nodiscard]] proto::LogicalVolume listed(Client& client, const std::string& device_class,
                                          const std::string& name);

// The result of GetFreeBytes, which must succeed.
[[nodiscard]] std::int64_t free_bytes(Client& client, const std::string& device_class);

// The volume as text, without whether it is open: udev opens a new volume for a moment, which
// causes no event.
[[nodiscard]] std::string lasting(proto::LogicalVolume volume);

}  // namespace lvmd::contract
