// Reads the committed metadata of one volume group directly from its PVs.
//
// Writes nothing, takes no lock and runs no LVM command. LVM commits a change by replacing one
// sector per metadata area, so a header with a matching text is always a complete state.
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

// For an unchanged group, the reader returns the same object: equal pointers mean no change.
using MetadataPtr = std::shared_ptr<const VolumeGroupMetadata>;

// Use one reader per volume group. Not thread-safe.
class MetadataReader {
 public:
  explicit MetadataReader(std::string vg_name, Copies copies = Copies::kTrust)
      : vg_name_(std::move(vg_name)), verifies_(copies) {}

  // Reads labels and headers of `devices`, the devices that LVM uses. Devices of other groups do no
  // harm. If labels and headers have not changed since the last call, returns the last result.
  // Otherwise reads the texts and uses the intact text with the largest seqno. `system_id` is the
  // group's LVM system ID if LVM accepts it on this host (lvmsystemid(7)).
  //
  // Unavailable, with the reason: no device has the group's metadata; it cannot be read or keeps
  // changing; two groups have this name; two devices have the same PV id; or LVM does not allow
  // this host to use the group. Unimplemented: only LVM's report can describe the group.
  [[nodiscard]] Result<MetadataPtr> read(std::span<const std::string> devices,
                                         std::string_view system_id = {});

  // Call it after a write to the devices: the next read verifies the copies even if no header has
  // changed. Has no effect with Copies::kTrust.
  void doubt() { in_doubt_ = verifies_ == Copies::kVerify; }

  // From the next change of the metadata on, text() returns the text. Otherwise the reader needs
  // less memory.
  void keep_text() { keeps_text_ = true; }
  // The text of the last answer, as LVM has committed it. Null: there is none, or it was read
  // before keep_text().
  [[nodiscard]] const std::shared_ptr<const std::string>& text() const { return text_; }

  // The state of the copies at the last successful read.
  [[nodiscard]] model::MetadataCopies copies() const;

  // The name of another group whose metadata the last read found on the devices. Empty: none.
  [[nodiscard]] const std::string& other_group() const { return other_group_; }

  // The number of parsed texts, for tests and metrics.
  [[nodiscard]] std::uint64_t parse_count() const { return parse_count_; }

 private:
  // Takes the newest text out of `reading`.
  [[nodiscard]] Result<MetadataPtr> decide(Reading& reading, std::string_view system_id);

  std::string vg_name_;
  Copies verifies_;
  bool in_doubt_ = false;
  bool keeps_text_ = false;
  std::uint64_t parse_count_ = 0;
  // The last result and its input.
  Scan last_scan_;
  std::string last_system_id_;
  std::optional<Result<MetadataPtr>> last_answer_;
  std::shared_ptr<const std::string> text_;
  // Results of the last reading: the key of the used text, the keys of all texts of the group and,
  // for people, the unreadable texts.
  TextKey newest_;
  std::vector<TextKey> keys_;
  std::vector<std::string> damaged_texts_;
  std::string other_group_;
};

}  // namespace lvmd::metadata
