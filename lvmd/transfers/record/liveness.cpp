#include "lvmd/transfers/record/liveness.hpp"

#include "lvmd/transfers/record/record_lock.hpp"

namespace lvmd::transfers {

bool is_live(const std::filesystem::path& directory, const internal::TransferRecord& record,
             Time now, std::chrono::seconds patience) {
  const v1::Transfer& transfer = record.transfer();
  if (has_ended(transfer.phase())) return false;
  const auto locked = is_locked(directory, key_of(record));
  if (!locked || *locked) return true;
  const auto age = now - from_timestamp(transfer.start_time());
  // The age is negative after the clock was set back. Such a record counts as starting only within
  // the same limit.
  return transfer.phase() == v1::PHASE_PENDING && age > -patience && age < patience;
}

}  // namespace lvmd::transfers
