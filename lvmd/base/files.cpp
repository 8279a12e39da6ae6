#include "lvmd/base/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>

namespace lvmd {
namespace {

// Calls `write_some` for the bytes that are left, until none is.
template <typename WriteSome>
Status write_each(std::string_view bytes, std::string_view what, const WriteSome& write_some) {
  while (!bytes.empty()) {
    const ssize_t written = write_some(bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_errno(errno, what);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  return line;
}

std::string stamp_of(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return "-";
  return fmt::format("{} {} {}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

std::string program_name(pid_t pid) { return first_line(fmt::format("/proc/{}/comm", pid)); }

bool is_named(int fd, const std::filesystem::path& path) {
  struct stat open{};
  struct stat named{};
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

Result<std::string> read_all(int fd, std::string_view what) {
  std::string bytes;
  std::array<char, 16384> buffer{};
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno(errno, what);
    if (count == 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Result<std::string> read_at(int fd, std::uint64_t offset, std::size_t count,
                            std::string_view what) {
  std::string bytes(count, '\0');
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got =
        ::pread(fd, bytes.data() + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno(errno, what);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

Status write_all(int fd, std::string_view bytes, std::string_view what) {
  return write_each(bytes, what,
                    [fd](std::string_view rest) { return ::write(fd, rest.data(), rest.size()); });
}

Status write_all_at(int fd, std::string_view bytes, off_t offset, std::string_view what) {
  return write_each(
      bytes, what, [fd, end = offset + static_cast<off_t>(bytes.size())](std::string_view rest) {
        return ::pwrite(fd, rest.data(), rest.size(), end - static_cast<off_t>(rest.size()));
      });
}

}  // namespace lvmd
