// Responses to a list and events of a watch, for all kinds of objects.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler::kube {

struct ListPage {
  // An array.
  nlohmann::json items;
  // Where a watch continues.
  std::string resource_version;
  // Empty on the last page.
  std::string continuation;
};

[[nodiscard]] Result<ListPage> parse_list(std::string_view text);

// One line of a watch.
struct WatchEvent {
  enum class Kind : std::uint8_t {
    kUpserted,  // ADDED and MODIFIED, which are the same to a level-based reader
    kDeleted,
    kBookmark,  // no change up to this version [R-KUBE-2]
  };

  Kind kind = Kind::kBookmark;
  std::string resource_version;
  nlohmann::json object;
};

// An ERROR event becomes its Error, as in error_of(): 410 is OutOfRange [R-KUBE-3]. Unavailable for
// a line that is not an event.
[[nodiscard]] Result<WatchEvent> parse_watch_event(std::string_view line);

}  // namespace lvmd::reconciler::kube
