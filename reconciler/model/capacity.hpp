// What lvmd can still give.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace lvmd::reconciler {

// Bytes, by docs/protocol.md's available(class).
struct Capacity {
  // Of the default class; 0 when there is none.
  std::uint64_t default_class = 0;
  // Of every usable class, by its name.
  std::map<std::string, std::uint64_t> classes{};

  friend bool operator==(const Capacity&, const Capacity&) = default;
};

}  // namespace lvmd::reconciler
