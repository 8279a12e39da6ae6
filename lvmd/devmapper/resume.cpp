#include "lvmd/devmapper/resume.hpp"

#include <algorithm>
#include <cstdint>

#include "lvmd/devmapper/device_name.hpp"
#include "lvmd/devmapper/dm_control.hpp"
#include "lvmd/model/mapped_name.hpp"

namespace lvmd::devmapper {
namespace {

// True for the volume's own device "vg-lv" and its layers ("vg-lv-real"). Hyphens inside names are
// doubled.
bool is_device_of(std::string_view device, std::string_view mapped_volume) {
  if (!device.starts_with(mapped_volume)) return false;
  const std::string_view rest = device.substr(mapped_volume.size());
  return rest.empty() || (rest.front() == '-' && !rest.starts_with("--"));
}

class Resumer {
 public:
  Resumer(DmControl control, std::vector<ListedDevice> listed, std::string_view vg_id)
      : control_(std::move(control)), listed_(std::move(listed)), vg_id_(vg_id) {}

  // Resumes the devices below first: a pool reads its metadata when it is resumed.
  Status visit(std::uint64_t number) {
    if (!seen_.insert(number).second) return {};
    const auto info = control_.info(number);
    if (!info) return std::unexpected(info.error());
    if (!*info || !parse_device_uuid((*info)->uuid, vg_id_)) return {};
    const auto below = control_.dependencies(number);
    if (!below) return std::unexpected(below.error());
    for (const std::uint64_t each : *below)
      if (is_mapped(each))
        if (auto visited = visit(each); !visited) return visited;
    const model::DeviceState& state = (*info)->state;
    if (!state.suspended || !state.live_table) return {};
    if (state.inactive_table)
      if (auto cleared = control_.clear(number); !cleared) return cleared;
    if (auto resumed = control_.resume(number); !resumed) return resumed;
    resumed_.push_back(name_of(number));
    return {};
  }

  [[nodiscard]] const std::vector<ListedDevice>& listed() const { return listed_; }
  [[nodiscard]] std::vector<std::string> resumed() && { return std::move(resumed_); }

 private:
  [[nodiscard]] bool is_mapped(std::uint64_t number) const {
    return std::ranges::find(listed_, number, &ListedDevice::number) != listed_.end();
  }
  [[nodiscard]] std::string name_of(std::uint64_t number) const {
    const auto found = std::ranges::find(listed_, number, &ListedDevice::number);
    return found == listed_.end() ? std::string{} : found->name;
  }

  DmControl control_;
  std::vector<ListedDevice> listed_;
  std::string_view vg_id_;
  std::set<std::uint64_t> seen_;
  std::vector<std::string> resumed_;
};

}  // namespace

Result<std::vector<std::string>> resume_volumes(std::string_view vg_name, std::string_view vg_id,
                                                const std::set<std::string, std::less<>>& volumes) {
  auto control = DmControl::open();
  if (!control) return std::unexpected(control.error());
  auto listed = control->list();
  if (!listed) return std::unexpected(listed.error());
  Resumer resumer{*std::move(control), *std::move(listed), vg_id};
  for (const std::string& volume : volumes) {
    const std::string mapped = model::mapped_name(vg_name, volume);
    for (const ListedDevice& device : resumer.listed())
      if (is_device_of(device.name, mapped))
        if (auto visited = resumer.visit(device.number); !visited)
          return std::unexpected(visited.error());
  }
  return std::move(resumer).resumed();
}

}  // namespace lvmd::devmapper
