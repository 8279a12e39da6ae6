#include "reconciler/lvmd_client/lvmd_client.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "lvmd.grpc.pb.h"
#include "lvmd/v1/owner.grpc.pb.h"
#include "reconciler/lvmd_client/connection.hpp"
#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {
namespace {

// Metadata of the calls that create volumes [P-OWNER-2, P-XFER-25].
constexpr const char* kOwnerKey = "lvmd-owner";
constexpr const char* kRestoreKey = "lvmd-restore";

// "vg0" of "/dev/vg0/name".
std::string group_in_path(std::string_view path) {
  constexpr std::string_view kPrefix = "/dev/";
  if (!path.starts_with(kPrefix)) return {};
  path.remove_prefix(kPrefix.size());
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string{} : std::string{path.substr(0, slash)};
}

// Null when the list has no such volume.
const proto::LogicalVolume* find_by_name(const proto::GetLVListResponse& list,
                                         const std::string& name) {
  const auto found =
      std::ranges::find(list.volumes(), name, [](const auto& listed) { return listed.name(); });
  return found == list.volumes().end() ? nullptr : &*found;
}

// The class was removed or became unusable meanwhile, or there is no default class.
bool is_unusable_class(const Error& error) {
  return error.code == Code::kNotFound ||
         (error.code == Code::kUnavailable && error.reason != own_reason::kLvmdUnreachable);
}

// [P-WATCH-7]
Capacity to_capacity(const proto::WatchResponse& state) {
  Capacity capacity{.default_class = state.free_bytes()};
  for (const auto& item : state.items())
    capacity.classes[item.device_class()] =
        item.has_thin_pool() ? item.thin_pool().overprovision_bytes() : item.free_bytes();
  return capacity;
}

std::vector<ClassGroup> usable_classes(const v1::ListVolumesResponse& all,
                                       const std::string& volume) {
  std::vector<ClassGroup> classes;
  for (const v1::ClassState& state : all.classes()) {
    if (!state.problem().empty()) continue;
    const bool has_volume = std::ranges::any_of(all.volumes(), [&](const auto& listed) {
      return listed.name() == volume && listed.device_class() == state.name();
    });
    classes.push_back({.device_class = state.name(),
                       .volume_group = state.volume_group(),
                       .has_volume = has_volume});
  }
  return classes;
}

Inventory to_inventory(const v1::ListVolumesResponse& all) {
  Inventory inventory{.classes = {}, .volumes = {}, .is_complete = true};
  for (const v1::ClassState& state : all.classes()) {
    if (!state.problem().empty()) {
      inventory.unusable.push_back({.name = state.name(), .problem = state.problem()});
      continue;
    }
    inventory.classes.insert(state.name());
    if (state.is_default()) inventory.classes.emplace();
  }
  for (const v1::OwnedVolume& volume : all.volumes())
    inventory.volumes.push_back({.device_class = volume.device_class(),
                                 .name = volume.name(),
                                 .path = volume.path(),
                                 .size = Bytes{volume.size_bytes()},
                                 .owner = volume.owner()});
  return inventory;
}

class LvmdClient final : public VolumeService {
 public:
  LvmdClient(const std::string& socket_path, std::chrono::milliseconds limit)
      : lvmd_(socket_path, limit),
        volumes_(lvmd_.stub<proto::LVService>()),
        groups_(lvmd_.stub<proto::VGService>()),
        owners_(lvmd_.stub<v1::OwnerService>()) {}

  Result<std::vector<ClassGroup>> classes(const std::string& name) override {
    const auto all = list_all();
    if (!all) return std::unexpected(all.error());
    if (*all) return usable_classes(**all, name);
    const auto state = state_now();
    if (!state) return std::unexpected(state.error());
    std::vector<ClassGroup> classes;
    for (const auto& item : state->items()) {
      auto group = group_of({.name = name, .device_class = item.device_class()});
      if (!group) return std::unexpected(std::move(group.error()));
      classes.push_back(std::move(*group));
    }
    return classes;
  }

  Result<std::optional<Bytes>> find(const VolumeName& volume) override {
    const auto listed = list(volume.device_class);
    if (!listed) return std::unexpected(listed.error());
    const proto::LogicalVolume* const found = find_by_name(*listed, volume.name);
    if (found == nullptr) return std::nullopt;
    return Bytes{found->size_bytes()};
  }

  Result<std::string> default_class() override {
    const auto all = list_all();
    if (!all) return std::unexpected(all.error());
    if (*all)
      for (const v1::ClassState& state : (*all)->classes())
        if (state.is_default()) return state.name();
    return std::string{};
  }

  Result<Inventory> inventory() override {
    const auto all = list_all();
    if (!all) return std::unexpected(all.error());
    if (*all) return to_inventory(**all);
    const auto state = state_now();
    if (!state) return std::unexpected(state.error());
    // The default class last: its volumes are already listed if the class has another name.
    std::vector<std::string> classes;
    for (const auto& item : state->items()) classes.push_back(item.device_class());
    classes.emplace_back();
    Inventory inventory;
    std::set<std::string> paths;
    for (const std::string& device_class : classes) {
      const auto listed = list(device_class);
      if (!listed && is_unusable_class(listed.error())) continue;
      if (!listed) return std::unexpected(listed.error());
      inventory.classes.insert(device_class);
      for (const auto& volume : listed->volumes())
        if (paths.insert(volume.path()).second)
          inventory.volumes.push_back({.device_class = device_class,
                                       .name = volume.name(),
                                       .path = volume.path(),
                                       .size = Bytes{volume.size_bytes()}});
    }
    return inventory;
  }

  Result<Bytes> create(const VolumeName& volume, const std::string& option_class, Bytes size,
                       const std::string& owner, const std::string& restore) override {
    auto request = request_about<proto::CreateLVRequest>(volume);
    request.set_lvcreate_option_class(option_class);
    request.set_size_bytes(size.value);
    const auto created = lvmd_.call(*volumes_, &Volumes::CreateLV, request,
                                    {{kOwnerKey, owner}, {kRestoreKey, restore}});
    if (!created) return std::unexpected(created.error());
    return Bytes{created->volume().size_bytes()};
  }

  Result<Bytes> create_snapshot(const VolumeName& volume, const std::string& source,
                                const std::string& access_type, Bytes size,
                                const std::string& owner) override {
    auto request = request_about<proto::CreateLVSnapshotRequest>(volume);
    request.set_source_volume(source);
    request.set_access_type(access_type);
    request.set_size_bytes(size.value);
    const auto created =
        lvmd_.call(*volumes_, &Volumes::CreateLVSnapshot, request, {{kOwnerKey, owner}});
    if (!created) return std::unexpected(created.error());
    return Bytes{created->snapshot().size_bytes()};
  }

  Result<Bytes> resize(const VolumeName& volume, Bytes size) override {
    auto request = request_about<proto::ResizeLVRequest>(volume);
    request.set_size_bytes(size.value);
    const auto resized = lvmd_.call(*volumes_, &Volumes::ResizeLV, request);
    if (!resized) return std::unexpected(resized.error());
    return Bytes{resized->size_bytes()};
  }

  Status set_owner(const VolumeName& volume, const std::string& owner) override {
    auto request = request_about<v1::SetOwnerRequest>(volume);
    request.set_owner(owner);
    return status_of(lvmd_.call(*owners_, &Owners::SetOwner, request));
  }

  Status remove(const VolumeName& volume) override {
    return status_of(
        lvmd_.call(*volumes_, &Volumes::RemoveLV, request_about<proto::RemoveLVRequest>(volume)));
  }

  Status watch(const CapacityCallback& seen) override {
    return lvmd_.follow_states<proto::WatchResponse>(
        [&](grpc::ClientContext& context) { return groups_->Watch(&context, proto::Empty{}); },
        [&](const proto::WatchResponse& state) { seen(to_capacity(state)); });
  }

  void cancel() override { lvmd_.cancel_all(); }

 private:
  using Volumes = proto::LVService::Stub;
  using Groups = proto::VGService::Stub;
  using Owners = v1::OwnerService::Stub;

  template <typename Response>
  static Status status_of(const Result<Response>& called) {
    if (!called) return std::unexpected(called.error());
    return {};
  }

  // Absent: lvmd has no OwnerService.
  Result<std::optional<v1::ListVolumesResponse>> list_all() {
    auto listed = lvmd_.call(*owners_, &Owners::ListVolumes, v1::ListVolumesRequest{});
    if (listed) return std::move(*listed);
    if (listed.error().code == Code::kUnimplemented) return std::nullopt;
    return std::unexpected(std::move(listed.error()));
  }

  Result<proto::WatchResponse> state_now() {
    proto::WatchResponse state;
    const Status watched = lvmd_.exchange([&](grpc::ClientContext& context) {
      const auto stream = groups_->Watch(&context, proto::Empty{});
      if (!stream->Read(&state)) return stream->Finish();
      context.TryCancel();
      static_cast<void>(stream->Finish());  // Cancelled by this client.
      return grpc::Status::OK;
    });
    if (!watched) return std::unexpected(watched.error());
    return state;
  }

  Result<proto::GetLVListResponse> list(const std::string& device_class) {
    proto::GetLVListRequest request;
    request.set_device_class(device_class);
    return lvmd_.call(*groups_, &Groups::GetLVList, request);
  }

  // For an lvmd without OwnerService, as TopoLVM's. The path of every volume contains the group
  // [P-MSG-7]; nothing else of TopoLVM's protocol does.
  // docs/adr/0009-class-of-a-volume-group.md
  Result<ClassGroup> group_of(const VolumeName& volume) {
    const auto listed = list(volume.device_class);
    if (!listed) return std::unexpected(listed.error());
    ClassGroup group{.device_class = volume.device_class,
                     .volume_group = {},
                     .has_volume = find_by_name(*listed, volume.name) != nullptr};
    if (listed->volumes_size() > 0) group.volume_group = group_in_path(listed->volumes(0).path());
    if (group.volume_group.empty())
      return fail(Code::kFailedPrecondition,
                  "lvmd does not report the volume group of device class {}: write the intended "
                  "class into spec.deviceClass",
                  volume.device_class);
    return group;
  }

  Connection lvmd_;
  std::unique_ptr<Volumes> volumes_;
  std::unique_ptr<Groups> groups_;
  std::unique_ptr<Owners> owners_;
};

}  // namespace

std::unique_ptr<VolumeService> make_lvmd_client(const std::string& socket_path,
                                                std::chrono::milliseconds limit) {
  return std::make_unique<LvmdClient>(socket_path, limit);
}

}  // namespace lvmd::reconciler
