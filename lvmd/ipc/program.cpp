#include "lvmd/ipc/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>

#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/this_process.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/version.hpp"

namespace lvmd::ipc {
namespace {

constexpr int kUsageError = 2;

bool is_option(std::string_view argument) {
  return argument == "--help" || argument == "--version";
}

// Returns the exit code.
int print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}

int usage_error(const Program& program, std::string_view what) {
  fmt::print(stderr, "{0}: {1}; see {0} --help\n", program.name, what);
  return kUsageError;
}

// The exit code if the arguments end the program.
std::optional<int> handle_arguments(int argc, const char* const* argv, const Program& program) {
  const bool is_strict = !program.started_by.empty();
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 2 || (argc > 2 && !is_strict)) {
    if (first == "--help") return print(program.help);
    if (first == "--version") return print(fmt::format("{} {}\n", program.name, version()));
  }
  if (!is_strict) return std::nullopt;
  if (argc > 1)
    return usage_error(program, fmt::format("unknown argument \"{}\"",
                                            argv[argc > 2 && is_option(first) ? 2 : 1]));
  if (!is_socket(STDIN_FILENO))
    return usage_error(program, fmt::format("standard input is not a control channel: {} starts "
                                            "this program",
                                            program.started_by));
  return std::nullopt;
}

}  // namespace

int run_main(int argc, const char* const* argv, const Program& program, Status (*serve)()) {
  if (const auto code = handle_arguments(argc, argv, program)) return *code;
  name_process(program.name);
  limit_heap();
  log::init(program.name);
  try {
    const auto done = serve();
    if (done) return 0;
    log::error(describe(done.error()));
  } catch (const std::exception& unexpected) {
    log::error(fmt::format("unexpected: {}", unexpected.what()));
  }
  return 1;
}

}  // namespace lvmd::ipc
