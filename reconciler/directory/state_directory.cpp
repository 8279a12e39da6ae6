#include "reconciler/directory/state_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/directory/files.hpp"
#include "reconciler/model/uuid.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::size_t kMaxRecordSize = std::size_t{1} << 20U;

}  // namespace

Result<StateDirectory> StateDirectory::open(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return fail_errno(error.value(), fmt::format("creating state directory {}", path.native()));
  const std::string lock_path = path / "_lock";
  UniqueFd lock{::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)};
  if (!lock) return fail_errno(errno, fmt::format("creating {}", lock_path));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return fail(Code::kFailedPrecondition,
                  "state directory {} is in use by another lvmd-reconciler: stop it, or give this "
                  "one another --state-dir",
                  path.native());
    return fail_errno(errno, fmt::format("locking {}", lock_path));
  }
  return StateDirectory{path, std::move(lock)};
}

void StateDirectory::load_file(const std::string& name, StateContents& contents) const {
  const std::string path = path_ / name;
  const auto text = read_file(AT_FDCWD, path, kMaxRecordSize);
  if (const auto key = key_of_record_file(name)) {
    const auto record = text ? parse_record(*key, *text) : std::unexpected(text.error());
    if (record)
      contents.records[*key] = *record;
    else
      contents.broken_records[*key] = make_error(
          Code::kInternal,
          "record {} cannot be used: {}; repair it, or remove it if the volume does not exist",
          path, record.error().message);
  } else if (const auto status_key = key_of_status_file(name)) {
    auto status = text ? parse_status(*text) : std::unexpected(text.error());
    if (status)
      contents.statuses[*status_key] = std::move(*status);
    else
      log::warning(fmt::format("status {} cannot be used and will be written again: {}", path,
                               status.error().message));
  }
}

Result<StateContents> StateDirectory::load() const {
  StateContents contents;
  std::error_code error;
  for (std::filesystem::directory_iterator entry{path_, error}, end; !error && entry != end;
       entry.increment(error))
    load_file(entry->path().filename(), contents);
  if (error)
    return fail_errno(error.value(), fmt::format("reading state directory {}", path_.native()));
  return contents;
}

Result<std::optional<FolderIdentity>> StateDirectory::folder_record() const {
  const std::string path = path_ / kFolderRecordFile;
  const auto text = read_file(AT_FDCWD, path, kMaxRecordSize);
  if (!text && text.error().code == Code::kNotFound) return std::nullopt;
  if (!text) return std::unexpected(text.error());
  const auto identity = parse_folder_record(*text);
  if (!identity)
    return fail(Code::kInternal,
                "{} cannot be used: {}; check that the folder of manifests is complete, then "
                "remove this file",
                path, identity.error().message);
  return *identity;
}

Status StateDirectory::save_folder_record(const FolderIdentity& identity) const {
  return replace_file(path_ / kFolderRecordFile, format_folder_record(identity));
}

Result<std::string> StateDirectory::owner_id(const std::string& node) const {
  const std::string path = path_ / kOwnerRecordFile;
  const auto text = read_file(AT_FDCWD, path, kMaxRecordSize);
  if (!text && text.error().code != Code::kNotFound) return std::unexpected(text.error());
  if (text) {
    auto record = parse_owner_record(*text);
    if (record && record->node == node) return std::move(record->id);
    log::notice(fmt::format(
        "{} {}: volumes get a new owner mark", path,
        record ? "belongs to node " + record->node : "cannot be used, " + record.error().message));
  }
  auto id = random_uuid();
  if (!id) return id;
  if (auto saved = replace_file(path, format_owner_record({.id = *id, .node = node})); !saved)
    return std::unexpected(std::move(saved.error()));
  return id;
}

Status StateDirectory::save_record(const Record& record) const {
  return replace_file(path_ / record_file_name(record.key), format_record(record));
}

Status StateDirectory::remove_record(const Key& key) const {
  return remove_file(path_ / record_file_name(key));
}

Status StateDirectory::save_status(const Key& key, const std::string& uid,
                                   const VolumeStatus& status) const {
  return replace_file(path_ / status_file_name(key), format_status(key, uid, status));
}

Status StateDirectory::remove_status(const Key& key) const {
  return remove_file(path_ / status_file_name(key));
}

Status StateDirectory::save_folder_status(const FolderStatus& status) const {
  return replace_file(path_ / kFolderStatusFile, format_folder_status(status));
}

}  // namespace lvmd::reconciler::directory
