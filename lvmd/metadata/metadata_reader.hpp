// The committed metadata of one volume group, straight from its physical volumes.
//
// Nothing is ever written, no lock is taken, no LVM command runs. LVM commits a change by replacing
// one sector per metadata area, so a header whose text verifies is always a whole state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/device_scan.hpp"
#include "lvmd/metadata/reading.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// Shared, because an unchanged group is answered with the very same object: comparing pointers
// tells whether anything changed.
using MetadataPtr = std::shared_ptr<const VolumeGroupMetadata>;

// One per volume group; one thread at a time.
class MetadataReader {
 public:
  explicit MetadataReader(std::string vg_name, Copies copies = Copies::kTrust)
      : vg_name_(std::move(vg_name)), verifies_(copies) {}

  // Reads labels and headers of `devices` (the ones that LVM uses; others among them do no harm).
  // As long as those are what they were the last time, that answer is given again. Otherwise texts
  // are read and the one with the largest seqno among those that verify is taken. `system_id` is
  // the LVM system ID of a group that this host may use (lvmsystemid(7)), as LVM tells it.
  //
  // Unavailable, with the reason: no device holds the group's metadata; it can't be read or keeps
  // changing; two groups have the name; two devices have one PV id; LVM wouldn't let this host use
  // the group. Unimplemented: the metadata has something that only LVM's report can tell.
  [[nodiscard]] Result<MetadataPtr> read(std::span<const std::string> devices,
                                         std::string_view system_id = {});

  // The devices were written: the next read verifies the copies although no header has changed. No
  // effect on a reader that trusts them.
  void doubt() { in_doubt_ = verifies_ == Copies::kVerify; }

  // What the last read that succeeded found of the copies.
  [[nodiscard]] model::MetadataCopies copies() const;

  // The name of another group whose metadata the last read found on the devices; empty: none.
  [[nodiscard]] const std::string& other_group() const { return other_group_; }

  // How many times a text was parsed, for tests and metrics.
  [[nodiscard]] std::uint64_t parse_count() const { return parse_count_; }

 private:
  [[nodiscard]] Result<MetadataPtr> decide(const Reading& reading, std::string_view system_id);

  std::string vg_name_;
  Copies verifies_;
  bool in_doubt_ = false;
  std::uint64_t parse_count_ = 0;
  // What the last answer was made from, and the answer.
  Scan last_scan_;
  std::string last_system_id_;
  std::optional<Result<MetadataPtr>> last_answer_;
  // Of the last reading: the text that was taken, all that are the group's, and, for people, those
  // that can't be read.
  TextKey newest_;
  std::vector<TextKey> keys_;
  std::vector<std::string> damaged_texts_;
  std::string other_group_;
};

}  // namespace lvmd::metadata
