#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lvmd/transfers/mover/sandbox.hpp"

namespace lvmd::transfers::mover {
namespace {

// `name` has a single component. Returns -1 and sets errno like openat2(2).
int open_below(int directory, const std::string& name) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, directory, name.c_str(), &how, sizeof how));
}

}  // namespace

Result<UniqueFd> open_local_repository(const std::string& path,
                                       const std::vector<std::string>& roots, bool make) {
  const auto root = std::ranges::find_if(
      roots, [&path](const std::string& directory) { return path.starts_with(directory + "/"); });
  if (root == roots.end())
    return fail(Code::kInvalidArgument,
                "repository.location {} is not below any of transfers.local-roots in lvmd.yaml",
                path);
  if (make) {
    // The root gets the usual mode, because it belongs to the administrator. If this fails, opening
    // it below reports the error.
    std::error_code ignored;
    std::filesystem::create_directories(*root, ignored);
  }
  UniqueFd directory{::open(root->c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (!directory) return fail_errno(errno, *root);
  std::string_view rest = std::string_view{path}.substr(root->size() + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string part{rest.substr(0, end)};
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (make && ::mkdirat(directory.get(), part.c_str(), 0700) != 0 && errno != EEXIST)
      return fail_errno(errno, path);
    UniqueFd next{open_below(directory.get(), part)};
    if (!next && (errno == ELOOP || errno == EXDEV))
      return fail(Code::kFailedPrecondition,
                  "repository.location {}: \"{}\" is a symbolic link, and lvmd does not follow it",
                  path, part);
    if (!next) return fail_errno(errno, path);
    directory = std::move(next);
  }
  return directory;
}

}  // namespace lvmd::transfers::mover
