// The capacity that lvmd can still allocate.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace lvmd::reconciler {

// In bytes, by available(class) in docs/protocol.md.
struct Capacity {
  // The default class; 0 when there is none.
  std::uint64_t default_class = 0;
  // Every usable class, by name.
  std::map<std::string, std::uint64_t> classes{};

  friend bool operator==(const Capacity&, const Capacity&) = default;
};

}  // namespace lvmd::reconciler
