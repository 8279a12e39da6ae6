// Something that happened to an object, for people.
#pragma once

#include <string>

namespace lvmd::reconciler {

struct Event {
  bool is_warning = false;
  // CamelCase [R-EVENT-1].
  std::string reason{};
  std::string message{};

  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace lvmd::reconciler
