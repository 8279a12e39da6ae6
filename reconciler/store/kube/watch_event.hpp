// One line of a watch.
#pragma once

#include <string_view>
#include <variant>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

// ADDED and MODIFIED: the difference means nothing to a level-based reader.
struct Upserted {
  LogicalVolume object;
};

struct Deleted {
  LogicalVolume object;
};

// Nothing changed up to here [R-KUBE-2].
struct Bookmark {
  std::string resource_version;
};

using WatchEvent = std::variant<Upserted, Deleted, Bookmark>;

// An ERROR event becomes its Error, as error_of() would: 410 is OutOfRange [R-KUBE-3]. Unavailable
// for a line that is no event.
[[nodiscard]] Result<WatchEvent> parse_watch_event(Group group, std::string_view line);

}  // namespace lvmd::reconciler::kube
