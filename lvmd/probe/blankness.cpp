#include "lvmd/probe/blankness.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "lvmd/base/files.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/probe/signatures.hpp"

namespace lvmd::probe {
namespace {

// The number of bytes that are checked at each end of the device.
constexpr off_t kEndSize = off_t{1} << 20;

// Whether the bytes in [begin, end), which are at most 1 MiB, are zeros.
Result<bool> is_zero(int fd, const std::string& path, off_t begin, off_t end) {
  const auto size = static_cast<std::size_t>(end - begin);
  const auto bytes =
      read_at(fd, static_cast<std::uint64_t>(begin), size, fmt::format("read {}", path));
  if (!bytes) return std::unexpected(bytes.error());
  if (bytes->size() < size)
    return fail(Code::kInternal, "{} is shorter than its reported size", path);
  return std::ranges::all_of(*bytes, [](char c) { return c == '\0'; });
}

}  // namespace

Result<std::optional<NotBlank>> why_not_blank(const std::string& device_path) {
  // On a block device O_EXCL fails while a mount or another exclusive opener holds it.
  const UniqueFd fd{::open(device_path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC)};
  if (!fd && errno == EBUSY)
    return NotBlank{.why = "it is mounted, or another program has it open exclusively",
                    .in_use = true};
  if (!fd) return fail_errno(errno, fmt::format("open {}", device_path));
  const auto found = signatures(device_path);
  if (!found) return std::unexpected(found.error());
  if (!found->empty())
    return NotBlank{.why = fmt::format("it has the signature {} at {}", found->front().type,
                                       found->front().offset)};
  const off_t size = ::lseek(fd.get(), 0, SEEK_END);
  if (size < 0) return fail_errno(errno, fmt::format("size of {}", device_path));
  const auto first = is_zero(fd.get(), device_path, 0, std::min(size, kEndSize));
  if (!first) return std::unexpected(first.error());
  if (!*first) return NotBlank{.why = "its first MiB is not all zeros"};
  const auto last = is_zero(fd.get(), device_path, std::max(size - kEndSize, off_t{0}), size);
  if (!last) return std::unexpected(last.error());
  if (!*last) return NotBlank{.why = "its last MiB is not all zeros"};
  return std::nullopt;
}

}  // namespace lvmd::probe
