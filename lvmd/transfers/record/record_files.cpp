#include "lvmd/transfers/record/record_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "lvmd/base/files.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers {
namespace {

namespace fs = std::filesystem;

// This name is never that of a record, because it begins with a dot, nor that of a lock, because
// locks end in ".lock".
fs::path unfinished(const fs::path& directory, const TransferKey& key) {
  return directory / fmt::format(".{}.new", record_name(key));
}

// Everyone who may read the directory may read its files.
Status set_group_and_mode(int fd, const fs::path& directory, const fs::path& path) {
  struct stat status{};
  if (::stat(directory.c_str(), &status) != 0) return fail_errno(errno, directory.string());
  if (::fchown(fd, static_cast<uid_t>(-1), status.st_gid) != 0 || ::fchmod(fd, 0640) != 0)
    return fail_errno(errno, path.string());
  return {};
}

Status remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return fail_errno(errno, path.string());
}

}  // namespace

Result<internal::TransferRecord> read_record(const fs::path& directory, const TransferKey& key) {
  if (auto valid = check_key(key); !valid) return std::unexpected(valid.error());
  const fs::path path = directory / record_name(key);
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!fd && errno == ENOENT)
    return fail(Code::kNotFound, "there is no {} with id \"{}\"", operation_name(key.operation),
                key.id);
  if (!fd) return fail_errno(errno, path.string());
  const auto bytes = read_all(fd.get(), path.string());
  if (!bytes) return std::unexpected(bytes.error());
  auto record = from_bytes(*bytes, key);
  if (!record) return fail(Code::kInternal, "{}: {}", path.string(), record.error().message);
  return record;
}

Status write_record(const fs::path& directory, const internal::TransferRecord& record) {
  const auto bytes = to_bytes(record);
  if (!bytes) return std::unexpected(bytes.error());
  const TransferKey key = key_of(record);
  const fs::path temporary = unfinished(directory, key);
  const fs::path path = directory / record_name(key);
  const UniqueFd fd{
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0640)};
  if (!fd) return fail_errno(errno, temporary.string());
  if (auto done = set_group_and_mode(fd.get(), directory, temporary); !done) return done;
  if (auto written = write_all(fd.get(), *bytes, temporary.string()); !written) return written;
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail_errno(errno, path.string());
  return {};
}

Status remove_record(const fs::path& directory, const TransferKey& key) {
  if (auto valid = check_key(key); !valid) return valid;
  for (const fs::path& path :
       {directory / record_name(key), unfinished(directory, key), directory / lock_name(key)})
    if (auto removed = remove_file(path); !removed) return removed;
  return {};
}

Result<std::vector<ListedRecord>> list_records(const fs::path& directory) {
  std::vector<ListedRecord> records;
  std::error_code error;
  fs::directory_iterator entry{directory, error};
  if (error == std::errc::no_such_file_or_directory) return records;
  for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
    const auto key = key_of_record(entry->path().filename().string());
    if (!key) continue;
    auto record = read_record(directory, *key);
    // The record was removed after the directory entry was read.
    if (!record && record.error().code == Code::kNotFound) continue;
    records.emplace_back(*key, std::move(record));
  }
  if (error) return fail(Code::kInternal, "{}: {}", directory.string(), error.message());
  std::ranges::sort(records, {}, &ListedRecord::first);
  return records;
}

}  // namespace lvmd::transfers
