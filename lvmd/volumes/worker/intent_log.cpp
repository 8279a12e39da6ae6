#include "lvmd/volumes/worker/intent_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "lvmd/base/files.hpp"
#include "lvmd/base/state_directory.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::volumes::worker {
namespace {

namespace fs = std::filesystem;

Status sync_directory(const fs::path& path) {
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!fd || ::fsync(fd.get()) != 0) return fail_errno(errno, path.string());
  return {};
}

// Creates the directory and its parents.
Status make_directory(const fs::path& path) {
  if (std::error_code error; !fs::exists(path.parent_path(), error))
    if (auto made = make_directory(path.parent_path()); !made) return made;
  if (::mkdir(path.c_str(), 0700) == 0) return sync_directory(path.parent_path());
  if (errno == EEXIST) return {};
  return fail_errno(errno, path.string());
}

Status write_whole(const fs::path& path, std::string_view text) {
  const fs::path unfinished = path.parent_path() / kUnfinishedIntent;
  const UniqueFd fd{::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
  if (!fd) return fail_errno(errno, unfinished.string());
  if (auto written = write_all(fd.get(), text, unfinished.string()); !written) return written;
  if (::fsync(fd.get()) != 0 || ::rename(unfinished.c_str(), path.c_str()) != 0)
    return fail_errno(errno, path.string());
  return sync_directory(path.parent_path());
}

}  // namespace

IntentLog::IntentLog(const fs::path& state_directory, std::string_view volume_group)
    : new_(intents_of_new_volumes(state_directory, volume_group)),
      present_(intents_of_present_volumes(state_directory, volume_group)) {}

Result<IntentLog> IntentLog::open(const fs::path& state_directory, std::string_view volume_group) {
  IntentLog log{state_directory, volume_group};
  for (const fs::path& folder : {log.new_, log.present_}) {
    if (auto made = make_directory(folder); !made) return std::unexpected(made.error());
    if (auto read = log.read(folder); !read) return std::unexpected(read.error());
  }
  return log;
}

Status IntentLog::read(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entry{folder, error};
  for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name == kUnfinishedIntent) continue;
    std::ifstream file{entry->path()};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    auto intent = intent_from_text(text);
    const bool in_place = intent && intent->volume == name && path_of(name).empty() &&
                          folder == (intent->hides_volume() ? new_ : present_);
    if (intent && !in_place)
      intent = fail(Code::kInternal,
                    "the record belongs to another volume, or the volume has two records");
    open_.insert_or_assign(name, std::move(intent));
  }
  if (error) return fail(Code::kInternal, "{}: {}", folder.string(), error.message());
  return {};
}

Status IntentLog::begin(const Intent& intent) {
  const fs::path path = (intent.hides_volume() ? new_ : present_) / intent.volume;
  if (auto written = write_whole(path, to_text(intent)); !written) return written;
  open_.insert_or_assign(intent.volume, intent);
  return {};
}

Status IntentLog::end(std::string_view volume) {
  for (const fs::path& folder : {new_, present_}) {
    const fs::path path = folder / volume;
    if (::unlink(path.c_str()) == 0) {
      if (auto synced = sync_directory(path.parent_path()); !synced) return synced;
    } else if (errno != ENOENT) {
      return fail_errno(errno, path.string());
    }
  }
  if (const auto found = open_.find(volume); found != open_.end()) open_.erase(found);
  return {};
}

const std::map<std::string, Result<Intent>, std::less<>>& IntentLog::open_intents() {
  std::erase_if(open_, [this](const auto& item) {
    std::error_code error;
    return !fs::exists(path_of(item.first), error) && !error;
  });
  return open_;
}

std::vector<std::string> IntentLog::hidden() const {
  std::vector<std::string> names;
  for (const auto& [name, intent] : open_)
    if (!intent || intent->hides_volume()) names.push_back(name);
  return names;
}

fs::path IntentLog::path_of(std::string_view volume) const {
  const auto found = open_.find(volume);
  if (found == open_.end()) return {};
  // A record that cannot be read may be in either directory.
  const bool present =
      found->second ? !found->second->hides_volume() : fs::exists(present_ / volume);
  return (present ? present_ : new_) / volume;
}

}  // namespace lvmd::volumes::worker
