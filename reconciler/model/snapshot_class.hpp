// What decides whether a snapshot is stored in a repository, and where. Rules: R-ONLINE-1,
// R-ONLINE-9.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

// A VolumeSnapshotClass: the mode and the storage that its parameters name. Both may be empty, as
// whoever wrote the class left them.
struct SnapshotClass {
  std::string mode{};
  LocationName storage{};

  friend bool operator==(const SnapshotClass&, const SnapshotClass&) = default;
};

inline constexpr std::string_view kOnlineMode = "online";

// The PersistentVolume that an object's volume is for.
struct PersistentVolume {
  // Of the PersistentVolumeClaim behind it; empty where there is none.
  std::string claim_namespace{};
  std::string claim_name{};

  friend bool operator==(const PersistentVolume&, const PersistentVolume&) = default;
};

// What a repository is opened with. Never logged, never written anywhere.
struct Credentials {
  std::string password{};
  std::string access_key_id{};
  std::string secret_access_key{};
  std::string session_token{};
  std::string rest_user{};
  std::string rest_password{};
};

// As in protos/lvmd/v1/transfer.proto.
enum class CopyMode : std::uint8_t { kAuto, kFiles, kBlocks };

[[nodiscard]] std::optional<CopyMode> parse_copy_mode(std::string_view text);

// A SnapshotBackupStorage, ready to be used.
struct LocationSettings {
  // Without the part for one claim. Empty: the object alone says which [R-ONLINE-12].
  std::string location{};
  std::string ca_certificates{};
  std::map<std::string, std::string> options{};
  Credentials credentials{};
  CopyMode mode = CopyMode::kAuto;
  bool verify = false;
  // 0: none.
  std::uint32_t deadline_seconds = 0;
};

}  // namespace lvmd::reconciler
