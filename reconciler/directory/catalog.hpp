// Documents, records and time put together: what there is to do. No input or output in here.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reconciler/directory/folder.hpp"
#include "reconciler/directory/state_directory.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::directory {

using Time = std::chrono::steady_clock::time_point;

// Since when each recorded object's document has been missing without a break [R-DEL-3].
using Gaps = std::map<Key, Time>;

struct Situation {
  std::string node_name;
  std::chrono::milliseconds delete_after{};
  Time now;
  // Why nothing may be removed for a missing document now; empty: nothing forbids it [R-DEL-2].
  std::string hold;
};

struct Catalog {
  // The objects that something may have to be done for.
  std::map<Key, LogicalVolume> objects;
  // The objects whose document is missing, with what their status has to say about it [R-STAT-5].
  std::map<Key, std::string> missing;
  // When the next missing document's time is up.
  std::optional<Time> next_due;
};

// `gaps` is brought up to date on the way.
[[nodiscard]] Catalog make_catalog(const FolderReading& reading, const StateContents& state,
                                   const Situation& situation, Gaps& gaps);

// How many objects of this node the documents have that nothing asks to remove [R-DIR-6].
[[nodiscard]] std::size_t count_wanted(const FolderReading& reading, const StateContents& state,
                                       const std::string& node_name);

// The same, as the records tell it before the first reading.
[[nodiscard]] std::size_t count_recorded(const StateContents& state);

// Statuses that neither a document nor a record stands behind. Ask only when every document of the
// folder could be read.
[[nodiscard]] std::vector<Key> stale_statuses(const FolderReading& reading,
                                              const StateContents& state);

}  // namespace lvmd::reconciler::directory
