// What is wrong with a configuration file, collected while it is read, so that one run tells all.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::config {

// Where something stands in the file.
struct Place {
  // Counted from 1.
  int line = 1;
  // The path of keys: "device-classes[1].thin-pool.name". Empty for the file as a whole.
  std::string key;
};

class Findings {
 public:
  explicit Findings(std::string_view file_name) : file_name_(file_name) {}

  void error(const Place& place, std::string_view reason);

  // For what has no effect or not the one it seems to have.
  void warning(const Place& place, std::string_view reason);

  // The warnings, or InvalidArgument with every error. When `strict`, warnings are errors. Both are
  // sorted by line and have the form "FILE:LINE: KEY: REASON".
  [[nodiscard]] Result<std::vector<std::string>> conclude(bool strict) const;

 private:
  struct Finding {
    std::string text;
    bool is_error;
  };

  void add(const Place& place, std::string_view reason, bool is_error);

  std::string file_name_;
  // By line; those of one line stay in the order they were found in.
  std::multimap<int, Finding> findings_;
};

}  // namespace lvmd::config
