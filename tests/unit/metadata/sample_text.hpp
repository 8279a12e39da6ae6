// Metadata texts as LVM writes them, to start from.
#pragma once

#include <string>
#include <string_view>

namespace lvmd::metadata::test {

inline constexpr std::string_view kVgId = "Ukn0Sw5p2rNL0PjZ2cQ8W1aBcDeFgHiJ";
inline constexpr std::string_view kPv0Id = "aaaaaabbbbccccddddeeeeffffgggggg";
inline constexpr std::string_view kPv1Id = "111111222233334444555566667777ab";

// Group "vg1": seqno 42, extents of 4 MiB, pv0 of 1,000 extents and pv1 of 500, and the volumes
//   lin          linear, 30 extents on pv0 and 50 on pv1, tags "lvmd.v1:class=ssd" and "team/a"
//   str          striped over both, 20 extents, read-only, allocation contiguous
//   pool         thin pool, 25 extents, zeroing, with pool_tdata, pool_tmeta and lvol0_pmspare
//   thin, snap   in it, 256 extents each; snap is a read-only snapshot of thin with skip flag
[[nodiscard]] std::string sample_text();

// The sample with the first `from` replaced; a test that names a text which isn't there fails.
[[nodiscard]] std::string sample_with(std::string_view from, std::string_view to);

// A group without volumes on pv0 alone.
[[nodiscard]] std::string empty_group(std::string_view name, std::string_view id, int seqno);

}  // namespace lvmd::metadata::test
