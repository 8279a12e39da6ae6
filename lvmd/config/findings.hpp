// Collects the errors and warnings of a configuration file, so that all are reported together.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::config {

// A place in the file.
struct Place {
  // The first line is 1.
  int line = 1;
  // The path of keys: "device-classes[1].thin-pool.name". Empty: the whole file.
  std::string key;
};

class Findings {
 public:
  explicit Findings(std::string_view file_name) : file_name_(file_name) {}

  void error(const Place& place, std::string_view reason);

  // For a setting that has no effect, or another effect than it appears to have.
  void warning(const Place& place, std::string_view reason);

  // The warnings, or InvalidArgument with all errors. If `strict`, warnings count as errors. Errors
  // and warnings are sorted by line and have the form "FILE:LINE: KEY: REASON".
  [[nodiscard]] Result<std::vector<std::string>> conclude(bool strict) const;

 private:
  struct Finding {
    std::string text;
    bool is_error;
  };

  void add(const Place& place, std::string_view reason, bool is_error);

  std::string file_name_;
  // The key is the line. Findings in the same line keep their order.
  std::multimap<int, Finding> findings_;
};

}  // namespace lvmd::config
