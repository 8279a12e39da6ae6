#include "lvmd/volumes/worker/host_folder.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

namespace lvmd::volumes::worker {

std::optional<std::string> why_not_writable(const std::filesystem::path& folder) {
  struct statvfs status{};
  if (::statvfs(folder.c_str(), &status) != 0) return std::nullopt;
  const auto because = [&folder](const char* why) {
    return fmt::format("the file system of {} {}", folder.string(), why);
  };
  if ((status.f_flag & ST_RDONLY) != 0) return because("is read-only");
  if (status.f_blocks != 0 && status.f_bfree == 0) return because("is full");
  if (status.f_files != 0 && status.f_ffree == 0) return because("has no free inode");
  return std::nullopt;
}

}  // namespace lvmd::volumes::worker
