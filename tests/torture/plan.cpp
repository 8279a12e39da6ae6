#include "tests/torture/plan.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace lvmd::torture {

std::map<int, std::vector<Operation>> read_plan(const std::string& path) {
  std::map<int, std::vector<Operation>> lanes;
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);) {
    const auto entry = nlohmann::json::parse(line);
    Operation made{
        .lane = entry.at("lane"),
        .number = entry.at("op"),
        .verb = entry.at("do"),
        .device_class = entry.value("class", ""),
        .name = entry.value("name", ""),
        .source = entry.value("source", ""),
        .access = entry.value("access", ""),
        .size = entry.value("size", std::int64_t{0}),
        .tags = entry.value("tags", std::vector<std::string>{}),
        .callers = entry.value("callers", 1),
        .deadline_ms = entry.value("deadline_ms", 30'000),
        .device = entry.value("device", ""),
        .birth = entry.value("birth", ""),
        .sequence = entry.value("sequence", std::int64_t{0}),
        .offset = entry.value("offset", std::int64_t{0}),
        .bytes = entry.value("bytes", std::int64_t{0}),
    };
    lanes[made.lane].push_back(std::move(made));
  }
  return lanes;
}

}  // namespace lvmd::torture
