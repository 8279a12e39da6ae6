// Joins documents, records and time to objects. No input or output.
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

// Since when the document of each recorded object has been missing without interruption [R-DEL-3].
using Gaps = std::map<Key, Time>;

struct Situation {
  std::string node_name;
  std::chrono::milliseconds delete_after{};
  Time now;
  // Why no volume may be removed now because of a missing document; empty: there is no reason
  // [R-DEL-2].
  std::string hold;
};

struct Catalog {
  // The objects that may need a step.
  std::map<Key, LogicalVolume> objects;
  // The objects whose document is missing, with the message for their status [R-STAT-5].
  std::map<Key, std::string> missing;
  // When the time of the next missing document is over.
  std::optional<Time> next_due;
};

// Updates `gaps`.
[[nodiscard]] Catalog make_catalog(const FolderReading& reading, const StateContents& state,
                                   const Situation& situation, Gaps& gaps);

// The number of this node's objects in the documents that are not to be removed [R-DIR-6].
[[nodiscard]] std::size_t count_wanted(const FolderReading& reading, const StateContents& state,
                                       const std::string& node_name);

// The same number from the records, before the first reading.
[[nodiscard]] std::size_t count_recorded(const StateContents& state);

// Statuses without a document and without a record. Call it only when every document of the folder
// could be read.
[[nodiscard]] std::vector<Key> stale_statuses(const FolderReading& reading,
                                              const StateContents& state);

}  // namespace lvmd::reconciler::directory
