#include "lvmd/transfers/launcher/restic_probe.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "lvmd/base/spawn.hpp"

namespace lvmd::transfers {
namespace {

using std::chrono_literals::operator""s;

constexpr auto kPatience = 10s;
constexpr auto kPause = 30s;

}  // namespace

ResticProbe::ResticProbe(std::string program, Answer answer)
    : program_(std::move(program)), answer_(std::move(answer)) {
  if (const auto begun = begin(); !begun) answer_(std::unexpected(begun.error()));
}

Status ResticProbe::begin() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    return fail_errno(errno, "a pipe for restic");
  output_.reset(ends[0]);
  const UniqueFd input{ends[1]};
  if (::access(program_.c_str(), X_OK) != 0) {
    const std::string why = errno_error(errno, program_).message;
    return fail(Code::kNotFound, "{}: {}", why, kWhereToGetRestic);
  }
  const auto pid = spawn({program_, "version"}, input.get(), input.get(), BlockedSignals::kNone);
  if (!pid) return std::unexpected(pid.error());
  pid_ = *pid;
  deadline_ = Clock::now() + kPatience;
  return {};
}

ResticProbe::~ResticProbe() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  static_cast<void>(await_end(pid_));
}

std::string ResticProbe::read_output() const {
  std::array<char, 4096> buffer{};
  const ssize_t size = ::read(output_.get(), buffer.data(), buffer.size());
  return size > 0 ? std::string{buffer.data(), static_cast<std::size_t>(size)} : std::string{};
}

void ResticProbe::reap() {
  int status = 0;
  if (pid_ <= 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return;
  pid_ = 0;
  if (std::exchange(killed_, false)) {
    again_ = Clock::now() + kPause;
    return answer_(fail(Code::kFailedPrecondition,
                        "{} has not printed its version within {} s; lvmd tries again every {} s",
                        program_, kPatience.count(), kPause.count()));
  }
  answer_(usable_version(program_, read_output()));
}

std::optional<ResticProbe::Clock::time_point> ResticProbe::next_due() const {
  if (pid_ <= 0) return again_;
  return killed_ ? std::nullopt : std::optional{deadline_};
}

void ResticProbe::process(Clock::time_point now) {
  if (again_ && *again_ <= now) {
    again_.reset();
    if (const auto begun = begin(); !begun) answer_(std::unexpected(begun.error()));
    return;
  }
  if (pid_ <= 0 || killed_ || now < deadline_) return;
  killed_ = true;
  ::kill(pid_, SIGKILL);
}

}  // namespace lvmd::transfers
