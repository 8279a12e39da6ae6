// What a list and a watch say, whatever they are of.
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
  // Where a watch goes on.
  std::string resource_version;
  // Empty on the last page.
  std::string continuation;
};

[[nodiscard]] Result<ListPage> parse_list(std::string_view text);

// One line of a watch.
struct WatchEvent {
  enum class Kind : std::uint8_t {
    kUpserted,  // ADDED and MODIFIED: the difference means nothing to a level-based reader
    kDeleted,
    kBookmark,  // nothing changed up to here [R-KUBE-2]
  };

  Kind kind = Kind::kBookmark;
  std::string resource_version;
  nlohmann::json object;
};

// An ERROR event becomes its Error, as error_of() would: 410 is OutOfRange [R-KUBE-3]. Unavailable
// for a line that is no event.
[[nodiscard]] Result<WatchEvent> parse_watch_event(std::string_view line);

}  // namespace lvmd::reconciler::kube
