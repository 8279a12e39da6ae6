// Names of transfers, and of their files in the directory of the records.
//
// The record of a backup `x` is "backup-x", its lock ".backup-x.lock". Names of records do not
// begin with a dot, so no two files have one name, whatever the id within [P-XFER-1] ("x.lock").
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

// Identifies a transfer.
struct TransferKey {
  v1::Operation operation = v1::OPERATION_UNSPECIFIED;
  std::string id;

  friend auto operator<=>(const TransferKey&, const TransferKey&) = default;
};

// Returns "backup", "restore", "delete" or "check"; empty for an unknown number.
[[nodiscard]] std::string_view operation_name(v1::Operation operation);

// Returns "backup-<id>". The key must be valid: check_key().
[[nodiscard]] std::string record_name(const TransferKey& key);
// Returns ".backup-<id>.lock". The key must be valid.
[[nodiscard]] std::string lock_name(const TransferKey& key);

// InvalidArgument when the operation is unknown or the id is not valid.
[[nodiscard]] Status check_key(const TransferKey& key);

// Returns "backup x", for messages.
[[nodiscard]] std::string describe(const TransferKey& key);

// The inverse of record_name() and lock_name(). Empty for the name of any other file.
[[nodiscard]] std::optional<TransferKey> key_of_record(std::string_view file_name);
[[nodiscard]] std::optional<TransferKey> key_of_lock(std::string_view file_name);

}  // namespace lvmd::transfers
