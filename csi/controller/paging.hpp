// Pages of lists. A token names the last entry of the page before, so that it stays valid while
// objects come and go, in every replica and after a restart. Pure. Rules: C-LIST-*.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller {

// The largest page: a response must not exceed the sidecars' limit of 4 MiB.
inline constexpr std::size_t kMaxEntries = 1000;

struct ListPage {
  std::vector<reconciler::LogicalVolume> objects{};
  // Empty: this is the last page.
  std::string next_token{};
};

// A page of at most `max_entries` of `objects`, in the order of their names; 0: kMaxEntries.
// InvalidArgument when `max_entries` is negative. Aborted when `starting_token` is neither empty
// nor a token of an earlier page.
[[nodiscard]] Result<ListPage> page_of(std::vector<reconciler::LogicalVolume> objects,
                                       std::int32_t max_entries, const std::string& starting_token);

}  // namespace lvmd::controller
