// torture-client: the part of the torture run that is a client of lvmd, in the test VM.
//   run   does a plan, and writes down what it asked and was answered
//   look  what lvmd tells of classes, once
//   read  what blocks of devices have in them: JSON lines {path, offset, bytes} on stdin
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/torture/blocks.hpp"
#include "tests/torture/calls.hpp"
#include "tests/torture/journal.hpp"
#include "tests/torture/lanes.hpp"
#include "tests/torture/plan.hpp"

namespace lvmd::torture {
namespace {

using nlohmann::json;

constexpr int kLookDeadlineMs = 30'000;

void look(const std::string& socket, const std::vector<std::string>& classes) {
  Connection connection{socket};
  json all = json::object();
  for (const std::string& device_class : classes) {
    Operation listing;
    listing.verb = "list";
    listing.device_class = device_class;
    listing.deadline_ms = kLookDeadlineMs;
    const Outcome list = connection.call(listing);
    const Outcome free = connection.free_bytes(device_class);
    all[device_class] = {{"list", list.code},
                         {"free", free.code},
                         {"message", list.message + free.message},
                         {"volumes", list.told.at("volumes")},
                         {"free_bytes", free.told.at("free")}};
  }
  std::cout << all.dump() << '\n';
}

void read_devices() {
  for (std::string line; std::getline(std::cin, line);) {
    const json wanted = json::parse(line);
    const BlocksRead read = read_blocks(wanted.at("path"), wanted.at("offset"), wanted.at("bytes"));
    std::cout << json{{"errno", read.error}, {"contents", read.contents}}.dump() << '\n';
  }
}

}  // namespace
}  // namespace lvmd::torture

int main(int argc, char** argv) try {
  using namespace lvmd::torture;
  CLI::App app{"The client of the torture run"};
  app.require_subcommand(1);
  LaneOptions options{.socket = "/run/topolvm/lvmd.sock", .stop_file = {}, .groups = {}};
  app.add_option("--socket", options.socket);
  std::string plan;
  std::string journal;
  long patience = 0;
  std::vector<std::string> classes;
  auto* const run = app.add_subcommand("run");
  run->add_option("--plan", plan)->required();
  run->add_option("--journal", journal)->required();
  run->add_option("--stop-file", options.stop_file)->required();
  run->add_option("--patience", patience)->required();
  run->add_option("--group", options.groups);
  auto* const look_at = app.add_subcommand("look");
  look_at->add_option("class", classes)->required();
  auto* const read = app.add_subcommand("read");
  CLI11_PARSE(app, argc, argv);
  options.patience = std::chrono::seconds{patience};
  if (run->parsed()) {
    Journal written{journal};
    run_lanes(read_plan(plan), options, written);
  }
  if (look_at->parsed()) look(options.socket, classes);
  if (read->parsed()) read_devices();
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "torture-client: {}\n", error.what());
  return 1;
}
