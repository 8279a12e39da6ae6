#include "lvmd/mounts/service/volumes_in_use.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "lvmd/model/mount_rules.hpp"

namespace lvmd::mounts {
namespace {

// The name first: failed calls have no volume group.
using Key = std::pair<std::string, std::string>;

struct Use {
  bool staged = false;
  std::set<std::string> pods{};
  std::vector<const CallFailures::Failure*> failures{};
};

using Uses = std::map<Key, Use>;

void add(const MountPoint& mount, const model::KubeletTarget& target, const VolumeOf& volume_of,
         Uses& uses) {
  auto volume = volume_of(mount);
  if (!volume) return;
  Use& use = uses[{std::move(volume->volume), std::move(volume->volume_group)}];
  if (target.pod.empty())
    use.staged = true;
  else
    use.pods.insert(target.pod);
}

Use& use_of(const std::string& volume, Uses& uses) {
  const auto found = uses.lower_bound({volume, ""});
  if (found != uses.end() && found->first.first == volume) return found->second;
  return uses[{volume, ""}];
}

v1::VolumesInUse to_message(const Uses& uses) {
  v1::VolumesInUse message;
  for (const auto& [key, use] : uses) {
    v1::VolumeInUse& volume = *message.add_volumes();
    volume.set_name(key.first);
    volume.set_volume_group(key.second);
    volume.set_staged(use.staged);
    volume.set_publications(static_cast<std::uint32_t>(use.pods.size()));
    for (const CallFailures::Failure* const failure : use.failures) {
      v1::FailedCall& call = *volume.add_failures();
      call.set_call(std::string{name_of(failure->call)});
      call.set_reason(failure->reason);
      call.set_message(failure->message);
    }
  }
  return message;
}

}  // namespace

v1::VolumesInUse volumes_in_use(const model::KubeletRoot& kubelet,
                                const std::vector<MountPoint>& table, const VolumeOf& volume_of,
                                const std::vector<CallFailures::Failure>& failures) {
  Uses uses;
  for (const MountPoint& mount : table) {
    // Most mounts are elsewhere, and a refusal of the parser costs more.
    if (!model::is_below(mount.target, kubelet.path)) continue;
    if (const auto target = model::parse_kubelet_target("target", mount.target, kubelet))
      add(mount, *target, volume_of, uses);
  }
  for (const CallFailures::Failure& failure : failures)
    use_of(failure.volume, uses).failures.push_back(&failure);
  v1::VolumesInUse message = to_message(uses);
  message.set_csi_driver(kubelet.driver);
  return message;
}

}  // namespace lvmd::mounts
