#include "lvmd/lvm/system_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>

#include "lvmd/base/files.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::lvm {
namespace {

namespace fs = std::filesystem;

// LVM reads it after lvm.conf.
constexpr const char* kLocalFile = "lvmlocal.conf";

// LVM refuses a file without a section.
constexpr std::string_view kNoSettings = "global{}";

// LVM creates them if they do not exist, but not in place of a link.
constexpr std::array kFolders{"backup", "archive"};

// Whether settings of the file override those of lvm.conf. LVM reads lvm_TAG.conf, for a tag of the
// host, after lvmlocal.conf.
bool overrides_lvm_conf(std::string_view name) {
  return name == kLocalFile || (name.starts_with("lvm_") && name.ends_with(".conf"));
}

// Differs if the node is another one. Not if udev has changed its owner or mode.
std::string identity_of(const std::string& device) {
  struct stat status{};
  if (::stat(device.c_str(), &status) != 0) return fmt::format("{} -;", device);
  return fmt::format("{} {} {};", device, status.st_rdev, status.st_ino);
}

// Empty if the folder does not exist.
Result<std::set<std::string>> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  fs::directory_iterator entry{folder, error};
  for (; !error && entry != fs::directory_iterator{}; entry.increment(error))
    names.insert(entry->path().filename().string());
  if (error && error != std::errc::no_such_file_or_directory)
    return fail_errno(error.value(), folder.string());
  return names;
}

// Empty if the file does not exist.
Result<std::string> content_of(const fs::path& path) {
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd && errno == ENOENT) return std::string{};
  if (!fd) return fail_errno(errno, path.string());
  return read_all(fd.get(), path.string());
}

Status write_file(const fs::path& path, std::string_view content) {
  const UniqueFd fd{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
  if (!fd) return fail_errno(errno, path.string());
  return write_all(fd.get(), content, path.string());
}

// `path` may exist as a link.
Status make_link(const fs::path& target, const fs::path& path) {
  if (::symlink(target.c_str(), path.c_str()) == 0 || errno == EEXIST) return {};
  return fail_errno(errno, path.string());
}

}  // namespace

Result<SystemDirectory> SystemDirectory::create(fs::path path, fs::path host) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return fail_errno(error.value(), path.string());
  if (::mkdir(path.c_str(), 0700) != 0) return fail_errno(errno, path.string());
  SystemDirectory created{std::move(path), std::move(host)};
  if (auto written = created.write(kNoSettings, {}); !written)
    return std::unexpected(written.error());
  return created;
}

Status SystemDirectory::update(std::string_view settings, std::span<const std::string> devices) {
  const bool forget = devices.empty() || ++commands_ >= kCommandsOfOneList;
  if (!forget && inputs(settings, devices) == written_) return {};
  if (auto written = write(settings, devices); !written)
    return fail(Code::kUnavailable, "lvmd's settings for LVM cannot be written: {}",
                written.error().message)
        .because(reason::kHostDiskUnusable);
  return {};
}

std::string SystemDirectory::inputs(std::string_view settings,
                                    std::span<const std::string> devices) const {
  std::string inputs{settings};
  for (const std::string& device : devices) inputs += identity_of(device);
  inputs += stamp_of(host_);
  for (const std::string& name : overriding_) inputs += stamp_of(host_ / name);
  return inputs;
}

Status SystemDirectory::write(std::string_view settings, std::span<const std::string> devices) {
  written_.clear();
  overriding_.clear();
  commands_ = 0;
  for (const char* const folder : kFolders)
    // Without it, LVM decides whether a command needs the folder.
    static_cast<void>(::mkdir((host_ / folder).c_str(), 0700));
  // Each stamp is older than what is read, so a change in between is noticed in the next update().
  std::string read = inputs(settings, devices);
  auto names = names_in(host_);
  if (!names) return std::unexpected(names.error());
  names->insert(kLocalFile);
  names->insert(kFolders.begin(), kFolders.end());
  const auto present = names_in(path_);
  if (!present) return std::unexpected(present.error());
  for (const std::string& name : *present)
    if (!names->contains(name) && ::unlink((path_ / name).c_str()) != 0)
      return fail_errno(errno, (path_ / name).string());

  // The size, too, must differ from that of the last write(): LVM compares it and the time of the
  // change, which has the resolution of the kernel's tick.
  const std::string end(1 + ++writes_ % 2, '\n');
  for (const std::string& name : *names) {
    if (!overrides_lvm_conf(name)) {
      if (auto linked = make_link(host_ / name, path_ / name); !linked) return linked;
      continue;
    }
    overriding_.push_back(name);
    read += stamp_of(host_ / name);
    const auto content = content_of(host_ / name);
    if (!content) return std::unexpected(content.error());
    if (auto written = write_file(path_ / name, fmt::format("{}\n{}{}", *content, settings, end));
        !written)
      return written;
  }
  written_ = std::move(read);
  return {};
}

}  // namespace lvmd::lvm
