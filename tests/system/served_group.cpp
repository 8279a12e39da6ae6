#include "tests/system/served_group.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <sstream>
#include <utility>

#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

namespace lvmd::system_tests {
namespace {

constexpr const char* kConfig = "/etc/topolvm/lvmd.yaml";
constexpr const char* kBefore = "/run/before-served-group.yaml";

}  // namespace

ServedGroup::ServedGroup(std::string name, int count, const std::string& classes,
                         const std::string& prepare, LoopGroup::Sizes sizes)
    : group_(std::move(name), count, sizes), client_(kSocket), service_("vg/" + group_.name()) {
  if (!prepare.empty()) must(prepare);
  must(fmt::format("cp {} {}", kConfig, kBefore));
  std::ofstream{"/run/served-classes"} << classes;
  must(
      fmt::format("sed -i '/^device-classes:/r /run/served-classes' {} && systemctl reload "
                  "lvmd.service",
                  kConfig));
  REQUIRE(becomes(contract::Health::kServing, std::chrono::seconds{20}));
}

ServedGroup::~ServedGroup() {
  // A destructor can't fail the case; the next case would tell.
  static_cast<void>(
      shell(fmt::format("cp {} {} && systemctl reload lvmd.service", kBefore, kConfig)));
  static_cast<void>(eventually([this] { return pid_of("lvmd-worker " + group_.name()) == 0; },
                               std::chrono::seconds{10}));
}

bool ServedGroup::becomes(contract::Health health, std::chrono::milliseconds limit) {
  return eventually([&] { return client_.health(service_).response == health; }, limit);
}

bool ServedGroup::says(const std::string& words, std::chrono::milliseconds limit) {
  return eventually(
      [&] { return client_.health_reason(service_).find(words) != std::string::npos; }, limit);
}

bool ServedGroup::is_silent_of(const std::string& words, std::chrono::milliseconds limit) {
  return eventually(
      [&] { return client_.health_reason(service_).find(words) == std::string::npos; }, limit);
}

std::optional<double> metric(const std::string& name_and_labels) {
  std::istringstream lines{
      output_of("curl -sS --max-time 10 --unix-socket /run/topolvm/metrics.sock "
                "http://lvmd/metrics")};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name_and_labels + " "))
      return std::stod(line.substr(name_and_labels.size() + 1));
  return std::nullopt;
}

std::string journal_cursor() {
  const std::string last = output_of("journalctl -n 0 --show-cursor -q");
  return last.substr(last.find("s="));
}

std::string journal_since(const std::string& cursor) {
  return output_of("journalctl -u lvmd.service --no-pager -o cat --after-cursor='" + cursor + "'");
}

}  // namespace lvmd::system_tests
