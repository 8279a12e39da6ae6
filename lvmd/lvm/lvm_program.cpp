#include "lvmd/lvm/lvm_program.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "lvmd/base/files.hpp"
#include "lvmd/base/process.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::lvm {
namespace {

// A file in memory, for the output of a program.
Result<UniqueFd> make_output(const char* name) {
  UniqueFd fd{::memfd_create(name, MFD_CLOEXEC)};
  if (!fd) return fail_errno(errno, "memfd_create");
  return fd;
}

Result<std::string> printed_to(const UniqueFd& file) {
  constexpr std::string_view kWhat = "read the output of the lvm program";
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return fail_errno(errno, kWhat);
  return read_all(file.get(), kWhat);
}

// The lines without LVM's indentation; skips empty lines.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.empty()) lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

LvmOutcome outcome_of(const ExitStatus& status, std::string_view out, std::string_view err) {
  LvmOutcome outcome{.printed = lines_of(out)};
  for (std::string& line : lines_of(err))
    (line.starts_with("WARNING") ? outcome.printed : outcome.errors).push_back(std::move(line));
  outcome.exit_code = status.signal != 0 ? 128 + status.signal : status.code;
  if (status.signal != 0)
    outcome.errors.push_back(fmt::format("killed by signal {}", status.signal));
  return outcome;
}

}  // namespace

Result<LvmOutcome> LvmProgram::run(const LvmCommand& command) {
  // lvmd cannot set udev flags in another process, so there LVM wipes new volumes itself.
  const LvmCommand whole = with_settings(LvmCommand{command}.wiped_by_lvm());
  const auto arguments = whole.arguments();
  if (!arguments) return std::unexpected(arguments.error());
  const auto out = make_output("lvm stdout");
  if (!out) return std::unexpected(out.error());
  const auto err = make_output("lvm stderr");
  if (!err) return std::unexpected(err.error());

  std::vector<std::string> argv = prefix_;
  argv.insert(argv.end(), arguments->begin(), arguments->end());
  // A signal that stops lvmd must not stop an LVM command.
  auto process = Process::start({.arguments = std::move(argv),
                                 .output = out->get(),
                                 .errors = err->get(),
                                 .keep_signal_mask = true});
  if (!process) return std::unexpected(process.error());
  const auto status = process->wait();
  if (!status) return std::unexpected(status.error());
  const auto printed = printed_to(*out);
  if (!printed) return std::unexpected(printed.error());
  const auto errors = printed_to(*err);
  if (!errors) return std::unexpected(errors.error());
  LvmOutcome outcome = outcome_of(*status, *printed, *errors);
  log_warnings(command, outcome);
  return outcome;
}

}  // namespace lvmd::lvm
