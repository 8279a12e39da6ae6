#include "lvmd/base/run_program.hpp"

#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "lvmd/base/process.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd {
namespace {

using Clock = std::chrono::steady_clock;

// More than any real report: one of 10,000 volumes has about 20 MB.
constexpr std::size_t kMaxOutput = std::size_t{256} << 20U;

struct Output {
  std::string out;
  std::string err;
};

// Appends the available output. Closes the pipe at its end.
Status drain(UniqueFd& fd, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return {};
  if (count < 0) return fail_errno(errno, "read a program's output");
  if (count == 0) {
    fd.reset();
    return {};
  }
  if (into.size() + static_cast<std::size_t>(count) > kMaxOutput)
    return fail(Code::kInternal, "a program printed more than {} bytes", kMaxOutput);
  into.append(buffer.data(), static_cast<std::size_t>(count));
  return {};
}

// Reads both pipes until the program has ended and they are empty. Returns nothing at the deadline.
Result<std::optional<Output>> drain_until_end(Process& process, Clock::time_point deadline) {
  Output output;
  bool running = true;
  while (running || process.output || process.errors) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return std::nullopt;
    // poll() ignores negative descriptors.
    std::array<pollfd, 3> fds{{{process.output.get(), POLLIN, 0},
                               {process.errors.get(), POLLIN, 0},
                               {running ? process.pidfd() : -1, POLLIN, 0}}};
    const int ready =
        ::poll(fds.data(), fds.size(), static_cast<int>(std::min<long>(left.count(), 60'000)));
    if (ready < 0 && errno != EINTR) return fail_errno(errno, "poll a program's output");
    if (ready <= 0) continue;
    if (fds[0].revents != 0)
      if (auto read = drain(process.output, output.out); !read)
        return std::unexpected(read.error());
    if (fds[1].revents != 0)
      if (auto read = drain(process.errors, output.err); !read)
        return std::unexpected(read.error());
    if (fds[2].revents != 0) running = false;
  }
  return output;
}

}  // namespace

Result<ProgramOutput> run_program(const std::string& program,
                                  std::span<const std::string> arguments,
                                  std::chrono::milliseconds time_limit,
                                  std::vector<std::string> environment) {
  const auto deadline = Clock::now() + time_limit;
  ProcessSpec spec{
      .arguments = {program}, .output = ProcessSpec::kPipe, .errors = ProcessSpec::kPipe};
  spec.arguments.insert(spec.arguments.end(), arguments.begin(), arguments.end());
  std::ranges::move(environment, std::back_inserter(*spec.environment));
  auto process = Process::start(spec);
  if (!process) return std::unexpected(process.error());
  auto output = drain_until_end(*process, deadline);
  if (!output) return std::unexpected(output.error());
  if (!*output)
    return fail(Code::kDeadlineExceeded, "{} {} was killed: it ran longer than {} ms", program,
                fmt::join(arguments, " "), time_limit.count());
  const auto status = process->wait();
  if (!status) return std::unexpected(status.error());
  std::string& errors = (*output)->err;
  while (errors.ends_with('\n')) errors.pop_back();
  if (!status->succeeded())
    return fail(Code::kInternal, "{} {}: {}", program, describe(*status), errors);
  return ProgramOutput{.out = std::move((*output)->out), .errors = std::move(errors)};
}

}  // namespace lvmd
