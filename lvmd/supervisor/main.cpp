// lvmd: the supervisor, and the command line for people.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "lvmd/base/log.hpp"
#include "lvmd/config/config_file.hpp"
#include "lvmd/supervisor/options.hpp"
#include "lvmd/supervisor/supervisor.hpp"

namespace {

using lvmd::supervisor::Action;
using lvmd::supervisor::Options;

int check_config(const std::string& path) {
  const auto parsed = lvmd::config::load_config(path);
  if (!parsed) {
    fmt::print(stderr, "{}\n", parsed.error().message);
    return 1;
  }
  for (const std::string& warning : parsed->warnings) fmt::print(stderr, "warning: {}\n", warning);
  fmt::print("{}: ok\n", path);
  return 0;
}

// The client of gRPC's health service is a program of its own: lvmd itself links no gRPC.
int health(const std::string& config_path) {
  const auto parsed = lvmd::config::load_config(config_path);
  if (!parsed) {
    fmt::print(stderr, "{}\n", parsed.error().message);
    return 1;
  }
  const std::string program = LVMD_LIBEXECDIR "/lvmd-health";
  std::vector<std::string> words{program, parsed->config.socket_path};
  for (const std::string& group : parsed->config.volume_groups()) words.push_back("vg/" + group);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  fmt::print(stderr, "{}\n", lvmd::errno_error(errno, program).message);
  return 1;
}

int serve(const Options& options) {
  lvmd::log::init("lvmd");
  const auto parsed = lvmd::config::load_config(options.config_path);
  if (!parsed) {
    // One finding per line, one entry per finding.
    std::istringstream findings{parsed.error().message};
    for (std::string finding; std::getline(findings, finding);) lvmd::log::error(finding);
    return 1;
  }
  for (const std::string& warning : parsed->warnings) lvmd::log::warning(warning);
  for (const std::string& flag : options.without_effect)
    lvmd::log::warning(fmt::format("{} is accepted for TopoLVM's sake and has no effect", flag));
  if (options.lvm_path_given &&
      parsed->config.lvm_command_prefix != lvmd::config::native_command_prefix()) {
    lvmd::log::error("--lvm-path and lvm-command-prefix exclude each other: drop --lvm-path");
    return 1;
  }
  lvmd::log::info(fmt::format("lvmd {} starts with {}", LVMD_VERSION, options.config_path));
  if (const auto done = lvmd::supervisor::run(parsed->config); !done) {
    lvmd::log::error(describe(done.error()));
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto [options, exit_status] = lvmd::supervisor::parse_command_line(argc, argv);
    if (!options) return exit_status;
    switch (options->action) {
      case Action::kCheckConfig:
        return check_config(options->config_path);
      case Action::kHealth:
        return health(options->config_path);
      case Action::kServe:
        return serve(*options);
    }
  } catch (const std::exception& unexpected) {
    lvmd::log::error(fmt::format("unexpected: {}", unexpected.what()));
  }
  return 1;
}
