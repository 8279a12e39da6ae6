#include "lvmd/probe/run_program.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "lvmd/base/unique_fd.hpp"

namespace lvmd::probe {
namespace {

// How many bytes of a program's output an error message quotes.
constexpr off_t kMaxQuoted = 600;

// Returns the last kMaxQuoted bytes of the file as one line.
std::string last_output(int fd) {
  const off_t size = std::max<off_t>(::lseek(fd, 0, SEEK_END), 0);
  std::string text(static_cast<std::size_t>(std::min(size, kMaxQuoted)), '\0');
  const ssize_t got = ::pread(fd, text.data(), text.size(), size - static_cast<off_t>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

Result<ProgramResult> run_program(const std::vector<std::string>& arguments) {
  // A memfd cannot fill up like a pipe, so this process need not read while the program runs.
  const UniqueFd output{::memfd_create("output", MFD_CLOEXEC)};
  if (!output) return fail_errno(errno, "memfd_create");
  auto process = Process::start({.arguments = arguments,
                                 .output = output.get(),
                                 .errors = output.get(),
                                 .keep_signal_mask = true});
  if (!process)
    return fail(Code::kFailedPrecondition, "{}: install the package that contains it",
                process.error().message);
  const auto status = process->wait();
  if (!status) return std::unexpected(status.error());
  return ProgramResult{.status = *status, .output = last_output(output.get())};
}

}  // namespace lvmd::probe
