#include "tests/torture/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace lvmd::torture {
namespace {

// Without its journal the client can't tell what it did, so it doesn't go on.
[[noreturn]] void give_up(const std::string& what) {
  fmt::print(stderr, "torture-client: {}: {}\n", what, std::strerror(errno));
  std::_Exit(2);
}

}  // namespace

Journal::Journal(const std::string& path) {
  off_t whole = 0;
  std::ifstream before{path};
  for (std::string line; std::getline(before, line) && !before.eof();) {
    whole += static_cast<off_t>(line.size()) + 1;
    const auto entry = nlohmann::json::parse(line);
    if (entry.value("event", "") == "end") ended_.emplace(entry.at("lane"), entry.at("op"));
  }
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd_ < 0) give_up(path);
  if (::ftruncate(fd_, whole) != 0) give_up(path);
}

Journal::~Journal() { ::close(fd_); }

void Journal::write(nlohmann::json entry) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  entry["t"] = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::string line =
      entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const std::lock_guard lock{mutex_};
  if (::write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    give_up("writing the journal");
  if (::fdatasync(fd_) != 0) give_up("flushing the journal");
}

}  // namespace lvmd::torture
