// What every contract case starts with: a client and names that nobody else has.
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

// Removes what the case made when it ends, in reverse order, whatever became of it.
class Scratch {
 public:
  // A client of LVMD_CONTRACT_SOCKET; the case fails when it isn't set.
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  Client client;

  // A new name, which is removed from the class at the end.
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

// The volume as GetLVList shows it; an empty name when the list doesn't have it.
[[nodiscard]] proto::LogicalVolume listed(Client& client, const std::string& device_class,
                                          const std::string& name);

// GetFreeBytes, which must succeed.
[[nodiscard]] std::int64_t free_bytes(Client& client, const std::string& device_class);

// The volume in text, but for whether it is open: that changes without an event, as udev looks at a
// new volume for a moment.
[[nodiscard]] std::string lasting(proto::LogicalVolume volume);

}  // namespace lvmd::contract
