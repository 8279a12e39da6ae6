// What decides whether a snapshot is stored in a repository, and in which one. Rules: R-ONLINE-1,
// R-ONLINE-9.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

// The parameters of a VolumeSnapshotClass: mode and backup location. Both may be empty.
struct SnapshotClass {
  std::string mode{};
  LocationName storage{};

  friend bool operator==(const SnapshotClass&, const SnapshotClass&) = default;
};

inline constexpr std::string_view kOnlineMode = "online";

// The PersistentVolume of an object's volume.
struct PersistentVolume {
  // The namespace and name of its PersistentVolumeClaim; empty: none.
  std::string claim_namespace{};
  std::string claim_name{};

  friend bool operator==(const PersistentVolume&, const PersistentVolume&) = default;
};

// Opens a repository. Never logged and never written.
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

// A SnapshotBackupStorage with its secret, ready for use.
struct LocationSettings {
  // Without the part for one claim. Empty: the object alone decides the repository [R-ONLINE-12].
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
