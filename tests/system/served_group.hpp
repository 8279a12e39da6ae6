// A group on loop devices that lvmd serves.
#pragma once

#include <optional>
#include <string>

#include "tests/contract/scratch.hpp"
#include "tests/system/loop_group.hpp"

namespace lvmd::system_tests {

// Its classes come by a reload, and go with the object.
class ServedGroup {
 public:
  // `classes` are entries of device-classes, one a line. `prepare` is run before lvmd knows the
  // group.
  ServedGroup(std::string name, int count, const std::string& classes,
              const std::string& prepare = {}, LoopGroup::Sizes sizes = LoopGroup::Sizes{});
  ServedGroup(const ServedGroup&) = delete;
  ServedGroup& operator=(const ServedGroup&) = delete;
  ~ServedGroup();

  [[nodiscard]] LoopGroup& group() { return group_; }
  [[nodiscard]] contract::Client& client() { return client_; }

  // Waits until the group serves, or doesn't; tells whether that came within the limit.
  [[nodiscard]] bool becomes(contract::Health health, std::chrono::milliseconds limit);
  // Waits until health says something with these words, or says them no more.
  [[nodiscard]] bool says(const std::string& words, std::chrono::milliseconds limit);
  [[nodiscard]] bool is_silent_of(const std::string& words, std::chrono::milliseconds limit);

 private:
  LoopGroup group_;
  contract::Client client_;
  std::string service_;
};

// The value of a metric, by its name with labels as Prometheus writes them; absent when there is
// none.
[[nodiscard]] std::optional<double> metric(const std::string& name_and_labels);

// The journal's entries of lvmd's unit from a moment on.
[[nodiscard]] std::string journal_cursor();
[[nodiscard]] std::string journal_since(const std::string& cursor);

}  // namespace lvmd::system_tests
