// A volume group in memory that follows docs/protocol.md: replaces a worker and LVM. Independent of
// lvmd/volumes/worker, so that the contract tests check one against the other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::fakes {

// Not thread-safe.
class FakeGroup {
 public:
  // A group of PVs with these numbers of extents of 4 MiB.
  FakeGroup(std::string name, const std::vector<std::uint64_t>& pv_extents,
            model::ClassCatalog catalog);

  [[nodiscard]] const model::VolumeGroup& group() const { return group_; }

  // The volume after the change; absent after a removal.
  [[nodiscard]] Result<std::optional<model::LogicalVolume>> apply(
      const internal::WorkerRequest& request);

  // Sets whether the volume is blank.
  void set_blank(const std::string& name, bool blank);

  // A change with LVM's commands outside lvmd. The size is in extents; the group has enough free
  // ones.
  void make_pool(const std::string& name, std::uint64_t extents);
  void make_linear(const std::string& name, std::uint64_t extents);
  void make_thin(const std::string& name, const std::string& pool, std::uint64_t extents);
  void remove(const std::string& name);
  // Opens or closes the volume's device, as a mount does.
  void set_open(const std::string& name, bool open);
  // lvchange -an.
  void deactivate(const std::string& name);
  void set_usage(const std::string& pool, model::PoolUsage usage);

  // Sets the classes, as a reload does.
  void set_catalog(const model::ClassCatalog& catalog) { catalog_ = catalog; }

 private:
  using Volume = Result<std::optional<model::LogicalVolume>>;

  [[nodiscard]] Volume create(const internal::CreateVolume& request);
  [[nodiscard]] Volume snapshot(const internal::CreateSnapshot& request);
  [[nodiscard]] Volume resize(const internal::ResizeVolume& request);
  [[nodiscard]] Volume remove_volume(const internal::RemoveVolume& request);
  [[nodiscard]] Volume change_tags(const internal::ChangeTags& request);

  [[nodiscard]] Result<const model::DeviceClass*> usable_class(const std::string& name) const;
  [[nodiscard]] model::Bytes rounded(std::uint64_t size, std::uint32_t stripes) const;
  [[nodiscard]] Status check_space(const model::DeviceClass& device_class,
                                   model::Bytes needed) const;
  [[nodiscard]] model::LogicalVolume* find(const std::string& name);
  model::LogicalVolume& insert(model::LogicalVolume lv);
  // Allocates the extents on the PVs with the most free extents.
  void allocate(const std::string& lv, std::uint64_t extents, std::uint32_t stripes);

  model::ClassCatalog catalog_;
  model::VolumeGroup group_;
  // Per LV: the index of a PV and the number of its extents.
  std::map<std::string, std::vector<std::pair<std::size_t, std::uint64_t>>> extents_;
  // Volumes with written data.
  std::set<std::string> written_;
  std::uint32_t last_minor_ = 0;
};

}  // namespace lvmd::fakes
