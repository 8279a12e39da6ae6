#include "lvmd/probe/blankness.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "lvmd/base/files.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/probe/signatures.hpp"

namespace lvmd::probe {

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
  const auto start = read_at(fd.get(), 0, kBlankStart, fmt::format("read {}", device_path));
  if (!start) return std::unexpected(start.error());
  if (!std::ranges::all_of(*start, [](char c) { return c == '\0'; }))
    return NotBlank{.why = "its first MiB is not all zeros"};
  return std::nullopt;
}

}  // namespace lvmd::probe
