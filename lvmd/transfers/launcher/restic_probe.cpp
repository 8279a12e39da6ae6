#include "lvmd/transfers/launcher/restic_probe.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace lvmd::transfers {
namespace {

using std::chrono_literals::operator""s;

constexpr auto kVersionLimit = 10s;
constexpr auto kRetryInterval = 30s;

}  // namespace

ResticProbe::ResticProbe(std::string program, Answer answer)
    : program_(std::move(program)), answer_(std::move(answer)) {
  if (const auto begun = begin(); !begun) answer_(std::unexpected(begun.error()));
}

Status ResticProbe::begin() {
  if (::access(program_.c_str(), X_OK) != 0) {
    const std::string why = errno_error(errno, program_).message;
    return fail(Code::kNotFound, "{}: {}", why, kWhereToGetRestic);
  }
  auto process = Process::start({.arguments = {program_, "version"},
                                 .output = ProcessSpec::kPipe,
                                 .errors = ProcessSpec::kNull});
  if (!process) return std::unexpected(process.error());
  process_.emplace(*std::move(process));
  deadline_ = Clock::now() + kVersionLimit;
  return {};
}

std::string ResticProbe::read_output() const {
  std::array<char, 4096> buffer{};
  const ssize_t size = ::read(process_->output.get(), buffer.data(), buffer.size());
  return size > 0 ? std::string{buffer.data(), static_cast<std::size_t>(size)} : std::string{};
}

void ResticProbe::reap() {
  if (!process_) return;
  if (const auto status = process_->try_wait(); status && !*status) return;
  const std::string output = read_output();
  process_.reset();
  if (std::exchange(killed_, false)) {
    again_ = Clock::now() + kRetryInterval;
    return answer_(fail(Code::kFailedPrecondition,
                        "{} has not printed its version within {} s; lvmd retries every {} s",
                        program_, kVersionLimit.count(), kRetryInterval.count()));
  }
  answer_(usable_version(program_, output));
}

std::optional<ResticProbe::Clock::time_point> ResticProbe::next_due() const {
  if (!process_) return again_;
  return killed_ ? std::nullopt : std::optional{deadline_};
}

void ResticProbe::process(Clock::time_point now) {
  if (again_ && *again_ <= now) {
    again_.reset();
    if (const auto begun = begin(); !begun) answer_(std::unexpected(begun.error()));
    return;
  }
  if (!process_ || killed_ || now < deadline_) return;
  killed_ = true;
  process_->kill(SIGKILL);
}

}  // namespace lvmd::transfers
