// Does a plan's lanes, each on a thread and connections of its own.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "tests/torture/journal.hpp"
#include "tests/torture/plan.hpp"

namespace lvmd::torture {

struct LaneOptions {
  std::string socket;
  // No operation begins once this file exists; what has begun is repeated until it is answered.
  std::string stop_file;
  // So long after the file is there an operation without a final answer is given up, and its lane
  // with it.
  std::chrono::seconds patience{};
  // Their health is written down whenever it changes.
  std::vector<std::string> groups;
};

// Returns when every lane has ended. Operations that the journal knows as ended are not done again;
// one that had begun is repeated.
void run_lanes(const std::map<int, std::vector<Operation>>& lanes, const LaneOptions& options,
               Journal& journal);

}  // namespace lvmd::torture
