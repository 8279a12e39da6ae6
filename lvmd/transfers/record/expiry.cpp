#include "lvmd/transfers/record/expiry.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "lvmd/transfers/record/record_lock.hpp"

namespace lvmd::transfers {

std::vector<TransferKey> expired(std::span<const ListedRecord> records, Time now) {
  std::vector<std::pair<Time, TransferKey>> ended;
  for (const auto& [key, record] : records)
    if (record && has_ended(record->transfer().phase()))
      ended.emplace_back(from_timestamp(record->transfer().completion_time()), key);
  // Sorts by descending completion time.
  std::ranges::sort(ended, std::ranges::greater{});
  std::vector<TransferKey> keys;
  for (std::size_t rank = 0; rank < ended.size(); ++rank)
    if (rank >= kKeptRecords || now - ended[rank].first > kKeptFor)
      keys.push_back(std::move(ended[rank].second));
  return keys;
}

Status expire(const std::filesystem::path& directory, Time now) {
  const auto records = list_records(directory);
  if (!records) return std::unexpected(records.error());
  for (const TransferKey& key : expired(*records, now)) {
    // A mover that runs this transfer again holds the lock.
    const auto lock = RecordLock::take(directory, key);
    if (!lock && lock.error().code == Code::kFailedPrecondition) continue;
    if (!lock) return std::unexpected(lock.error());
    const auto record = read_record(directory, key);
    if (!record || !has_ended(record->transfer().phase())) continue;
    if (auto removed = remove_record(directory, key); !removed) return removed;
  }
  return {};
}

}  // namespace lvmd::transfers
