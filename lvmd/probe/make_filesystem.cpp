#include "lvmd/probe/make_filesystem.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/probe/run_program.hpp"
#include "lvmd/probe/signatures.hpp"

namespace lvmd::probe {
namespace {

constexpr off_t kMiB = off_t{1} << 20;

// The minimum sizes are checked here, so that lvmd reports a small volume itself, before the
// program has written anything.
struct Kind {
  std::string_view type;
  off_t least_size;
};
constexpr std::array kKinds{Kind{"ext4", kMiB}, Kind{"xfs", 300 * kMiB}, Kind{"btrfs", 109 * kMiB}};

std::vector<std::string> command(const std::string& device, std::string_view type,
                                 const std::optional<std::string>& uuid) {
  std::vector<std::string> arguments{fmt::format("mkfs.{}", type)};
  if (type == "ext4") {
    // -F: do not ask before formatting a complete device. -m 0: data volumes need no blocks that
    // are reserved for root.
    arguments.insert(arguments.end(), {"-q", "-F", "-m", "0"});
    if (uuid) arguments.insert(arguments.end(), {"-U", *uuid});
  } else if (type == "xfs") {
    arguments.emplace_back("-q");
    if (uuid) arguments.insert(arguments.end(), {"-m", "uuid=" + *uuid});
  } else {
    arguments.emplace_back("-q");
    if (uuid) arguments.insert(arguments.end(), {"-U", *uuid});
  }
  arguments.push_back(device);
  return arguments;
}

Status zero(int fd, const std::string& path, off_t begin, off_t end) {
  const std::vector<char> zeros(static_cast<std::size_t>(end - begin));
  const ssize_t written = ::pwrite(fd, zeros.data(), zeros.size(), begin);
  if (written < 0) return fail_errno(errno, fmt::format("write to {}", path));
  return {};
}

// The partial output of a failed program would leave the volume neither blank nor formatted.
Status clear(const std::string& path) {
  {
    const UniqueFd fd{::open(path.c_str(), O_RDWR | O_EXCL | O_CLOEXEC)};
    if (!fd) return fail_errno(errno, fmt::format("open {} for writing", path));
    const off_t size = ::lseek(fd.get(), 0, SEEK_END);
    if (auto done = zero(fd.get(), path, 0, std::min(size, kMiB)); !done) return done;
    if (auto done = zero(fd.get(), path, std::max(size - kMiB, off_t{0}), size); !done) return done;
  }
  return make_blank(path);
}

Result<off_t> size_of(const std::string& path) {
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, fmt::format("open {}", path));
  const off_t size = ::lseek(fd.get(), 0, SEEK_END);
  if (size < 0) return fail_errno(errno, fmt::format("size of {}", path));
  return size;
}

}  // namespace

Status make_filesystem(const std::string& device_path, std::string_view type,
                       const std::optional<std::string>& uuid) {
  const auto* const kind = std::ranges::find(kKinds, type, &Kind::type);
  if (kind == kKinds.end())
    return fail(Code::kInvalidArgument, "lvmd cannot create a file system of type \"{}\"", type);
  const auto size = size_of(device_path);
  if (!size) return std::unexpected(size.error());
  if (*size < kind->least_size)
    return fail(Code::kFailedPrecondition,
                "{} has {} MiB, but {} needs at least {} MiB: grow the volume", device_path,
                *size / kMiB, type, kind->least_size / kMiB);

  const std::vector<std::string> program = command(device_path, type, uuid);
  const auto done = run_program(program);
  if (!done) return std::unexpected(done.error());
  if (done->status.succeeded()) return {};
  Error failed = make_error(Code::kInternal, "{} on {} {}: {}", program.front(), device_path,
                            describe(done->status), done->output);
  if (auto cleared = clear(device_path); !cleared) failed.rollback = cleared.error().message;
  return std::unexpected(std::move(failed));
}

}  // namespace lvmd::probe
