// Plans the LVM commands for one request: a pure function of the group's state, the classes and the
// request.
//
// A Plan has no commands if the volume already is as requested. All checks of docs/protocol.md that
// need the group's state are here, except those that query a device (P-REMOVE-3, P-MOUNT-7). An
// error is the response to the request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_command.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/intent.hpp"

namespace lvmd::volumes::worker {

struct Plan {
  // In the order of execution; empty if the volume already is as requested.
  std::vector<lvm::LvmCommand> commands;
  // Recorded before the first command runs.
  Intent intent{};
  // The volume must be blank [P-MOUNT-7] when the first command runs.
  bool only_if_blank = false;
  // The change is a single commit of LVM, so it cannot be left incomplete. No intent is recorded;
  // only the volume's name in `intent` is used.
  bool one_commit = false;
  // The largest possible growth of the group's metadata text.
  model::Bytes text{};
  // The same change with the smallest size, and --test. If LVM accepts it but refuses a test run of
  // the change itself, the group lacks space. Set where lvmd may compute the space inexactly.
  std::optional<lvm::LvmCommand> smallest{};
};

struct CreateRequest {
  std::string name;
  std::string device_class;
  std::string option_class;
  std::vector<std::string> tags;
  model::Bytes size;
  // The marks of the new volume, which are not compared with those of an existing one [P-TAG-6].
  std::vector<std::string> marks{};
};

struct SnapshotRequest {
  std::string name;
  std::string device_class;
  std::string source;
  // "ro" or "rw".
  std::string access_type;
  std::vector<std::string> tags;
  // 0: the source's size.
  model::Bytes size;
  std::vector<std::string> marks{};
};

struct ResizeRequest {
  std::string name;
  std::string device_class;
  model::Bytes size;
};

struct RemoveRequest {
  std::string name;
  std::string device_class;
};

// Changes lvmd's own tags, in the form "lvmd.v1:KEY=VALUE".
struct TagsRequest {
  std::string name;
  std::string device_class;
  std::vector<std::string> add{};
  std::vector<std::string> remove{};
  // Keys. Their tags are removed, except those in `add`.
  std::vector<std::string> replace{};
  bool only_if_blank = false;
};

// Rules P-CREATE, P-IDEM.
[[nodiscard]] Result<Plan> plan_create(const model::VolumeGroup& group,
                                       const model::ClassCatalog& catalog,
                                       const CreateRequest& request);
// Rules P-SNAP, P-IDEM.
[[nodiscard]] Result<Plan> plan_snapshot(const model::VolumeGroup& group,
                                         const model::ClassCatalog& catalog,
                                         const SnapshotRequest& request);
// Rules P-RESIZE.
[[nodiscard]] Result<Plan> plan_resize(const model::VolumeGroup& group,
                                       const model::ClassCatalog& catalog,
                                       const ResizeRequest& request);
// Rules P-REMOVE, except P-REMOVE-3: check_unused() checks it directly before the removal.
[[nodiscard]] Result<Plan> plan_remove(const model::VolumeGroup& group,
                                       const model::ClassCatalog& catalog,
                                       const RemoveRequest& request);
// Rules P-TAG-6, P-TAG-7.
[[nodiscard]] Result<Plan> plan_tags(const model::VolumeGroup& group,
                                     const model::ClassCatalog& catalog,
                                     const TagsRequest& request);

}  // namespace lvmd::volumes::worker
