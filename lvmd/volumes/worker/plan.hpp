// What to do for one request: a pure function of the group's state, the classes and the request.
//
// Nothing here touches LVM: a Plan is the commands that would make the group as asked, or nothing
// when it is so already. Every check of docs/protocol.md that needs the group's state is here.
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
  // In this order; empty: the volume is as asked for.
  std::vector<lvm::LvmCommand> commands;
  // What is to be recorded before the first of them runs.
  Intent intent{};
  // The volume must be blank [P-MOUNT-7] when the first of them runs.
  bool only_if_blank = false;
  // The one commit of LVM is the whole change: nothing can be left half done, so that no intent is
  // recorded. Of `intent` the volume's name counts alone.
  bool one_commit = false;
  // By how much LVM's text of the group grows at most.
  model::Bytes text{};
  // The same change at its smallest, with --test: LVM accepts it, and refuses a test run of the
  // change itself, exactly when space is what lacks. For layouts that lvmd doesn't compute.
  std::optional<lvm::LvmCommand> smallest{};
};

struct CreateRequest {
  std::string name;
  std::string device_class;
  std::string option_class;
  std::vector<std::string> tags;
  model::Bytes size;
  // Whose the new volume is; empty: nobody's [P-OWNER-2].
  std::string owner{};
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
  std::string owner{};
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

// lvmd's own tags; whole ones, "lvmd.v1:KEY=VALUE".
struct TagsRequest {
  std::string name;
  std::string device_class;
  std::vector<std::string> add{};
  std::vector<std::string> remove{};
  // Keys: values of them that are not in `add` are removed.
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
// Rules P-REMOVE, but for P-REMOVE-3: whether a volume is open is asked when it is removed.
[[nodiscard]] Result<Plan> plan_remove(const model::VolumeGroup& group,
                                       const model::ClassCatalog& catalog,
                                       const RemoveRequest& request);
// Rules P-TAG-6, P-TAG-7.
[[nodiscard]] Result<Plan> plan_tags(const model::VolumeGroup& group,
                                     const model::ClassCatalog& catalog,
                                     const TagsRequest& request);

}  // namespace lvmd::volumes::worker
