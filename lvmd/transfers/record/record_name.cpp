#include "lvmd/transfers/record/record_name.hpp"

#include <fmt/format.h>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/names.hpp"

namespace lvmd::transfers {
namespace {

constexpr std::string_view kLockSuffix = ".lock";

}  // namespace

std::string_view operation_name(v1::Operation operation) {
  // Not a switch: a number from the wire need not be one of the enumerators.
  if (operation == v1::OPERATION_BACKUP) return "backup";
  if (operation == v1::OPERATION_RESTORE) return "restore";
  if (operation == v1::OPERATION_DELETE) return "delete";
  if (operation == v1::OPERATION_CHECK) return "check";
  return {};
}

std::string record_name(const TransferKey& key) {
  return fmt::format("{}-{}", operation_name(key.operation), key.id);
}

std::string describe(const TransferKey& key) {
  return fmt::format("{} {}", operation_name(key.operation), key.id);
}

std::string lock_name(const TransferKey& key) {
  return fmt::format(".{}{}", record_name(key), kLockSuffix);
}

Status check_key(const TransferKey& key) {
  if (operation_name(key.operation).empty())
    return fail(Code::kInvalidArgument, "operation {} is unknown", static_cast<int>(key.operation))
        .because(reason::kInvalidName)
        .about("operation", static_cast<int>(key.operation));
  return model::check_transfer_id("id", key.id);
}

std::optional<TransferKey> key_of_record(std::string_view file_name) {
  for (const v1::Operation operation :
       {v1::OPERATION_BACKUP, v1::OPERATION_RESTORE, v1::OPERATION_DELETE, v1::OPERATION_CHECK}) {
    const std::string_view name = operation_name(operation);
    if (!file_name.starts_with(name) || !file_name.substr(name.size()).starts_with('-')) continue;
    const std::string_view id = file_name.substr(name.size() + 1);
    if (model::check_transfer_id("id", id))
      return TransferKey{.operation = operation, .id = std::string{id}};
  }
  return std::nullopt;
}

std::optional<TransferKey> key_of_lock(std::string_view file_name) {
  if (!file_name.starts_with('.') || !file_name.ends_with(kLockSuffix)) return std::nullopt;
  file_name.remove_prefix(1);
  if (file_name.size() < kLockSuffix.size()) return std::nullopt;
  file_name.remove_suffix(kLockSuffix.size());
  return key_of_record(file_name);
}

}  // namespace lvmd::transfers
