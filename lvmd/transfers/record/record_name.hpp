// What a transfer is called, and its files in the folder of the records.
//
// The record of a backup `x` is "backup-x", its lock ".backup-x.lock". No record's name begins with
// a dot, so an id can be anything that [P-XFER-1] allows ("x.lock") and no two files meet.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

struct TransferKey {
  v1::Operation operation = v1::OPERATION_UNSPECIFIED;
  std::string id;

  friend auto operator<=>(const TransferKey&, const TransferKey&) = default;
};

// InvalidArgument, naming `field` and the value, for an id that no transfer can have [P-XFER-1].
[[nodiscard]] Status check_id(std::string_view field, std::string_view id);

// "backup", "restore", "delete", "check"; empty for a number that is no operation.
[[nodiscard]] std::string_view operation_word(v1::Operation operation);

// "backup-<id>". The key has to be a valid one: check_key().
[[nodiscard]] std::string record_name(const TransferKey& key);
// ".backup-<id>.lock".
[[nodiscard]] std::string lock_name(const TransferKey& key);

// The operation is one and the id a valid one; else InvalidArgument.
[[nodiscard]] Status check_key(const TransferKey& key);

// "backup x", for people.
[[nodiscard]] std::string describe(const TransferKey& key);

// The opposites; absent for a name that is none of a record, or of a lock.
[[nodiscard]] std::optional<TransferKey> key_of_record(std::string_view file_name);
[[nodiscard]] std::optional<TransferKey> key_of_lock(std::string_view file_name);

}  // namespace lvmd::transfers
