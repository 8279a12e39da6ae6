#include <algorithm>
#include <utility>
#include <vector>

#include "csi/controller/capabilities.hpp"
#include "csi/controller/changes.hpp"
#include "csi/controller/creation.hpp"
#include "csi/controller/paging.hpp"
#include "csi/controller/requests.hpp"
#include "csi/controller/responses.hpp"
#include "lvmd/base/reason.hpp"

namespace lvmd::controller {
namespace {

using reconciler::LogicalVolume;

// The object that the volume gets its content from. A source that is being deleted counts as gone.
Result<LogicalVolume> find_source(const api::VolumeContentSource& source, ObjectStore& store) {
  if (!source.has_snapshot() && !source.has_volume())
    return fail(Code::kInvalidArgument,
                "volume_content_source has neither snapshot nor volume: set one");
  auto found = source.has_snapshot()
                   ? find_snapshot(store, source.snapshot().snapshot_id(), "snapshot_id")
                   : find_volume(store, source.volume().volume_id(), "volume_id");
  if (found && found->removal_wanted)
    return fail(Code::kNotFound, "the source, LogicalVolume {}, is being deleted", found->key.name)
        .because(reason::kSourceNotFound);
  return found;
}

Result<VolumeRequest> check(const api::CreateVolumeRequest& request, ObjectStore& store,
                            const Driver& driver) {
  auto name = object_name(request.name(), "name");
  if (!name) return std::unexpected(std::move(name.error()));
  if (auto checked = check_capabilities(request.volume_capabilities()); !checked)
    return std::unexpected(std::move(checked.error()));
  if (!request.mutable_parameters().empty())
    return fail(Code::kInvalidArgument,
                "mutable_parameters are not supported: use no VolumeAttributesClass");
  auto range = parse_range(request.capacity_range());
  if (!range) return std::unexpected(std::move(range.error()));
  auto parameters = parse_volume_parameters(request.parameters());
  if (!parameters) return std::unexpected(std::move(parameters.error()));
  auto permitted = permitted_nodes(request.accessibility_requirements(), driver.topology_key());
  if (!permitted) return std::unexpected(std::move(permitted.error()));
  VolumeRequest checked{.key = {.group = driver.group(), .name = std::move(*name)},
                        .range = *range,
                        .parameters = std::move(*parameters),
                        .permitted = std::move(*permitted)};
  if (request.has_volume_content_source()) {
    auto source = find_source(request.volume_content_source(), store);
    if (!source) return std::unexpected(std::move(source.error()));
    checked.source = std::move(*source);
  }
  if (auto may = check_source(checked); !may) return std::unexpected(std::move(may.error()));
  return checked;
}

// Volumes that a call has returned or will return.
std::vector<LogicalVolume> volumes_of(const ObjectStore& store) {
  std::vector<LogicalVolume> all = store.seen().all();
  std::erase_if(all, [](const LogicalVolume& object) {
    return is_snapshot(object) || object.status.volume_id.empty();
  });
  return all;
}

template <typename VolumeStatus>
void fill(VolumeStatus& status, const LogicalVolume& object, bool attach_required) {
  *status.mutable_volume_condition() = condition_of(object);
  if (attach_required) status.add_published_node_ids(object.spec.node_name);
}

}  // namespace

Status handle(const api::CreateVolumeRequest& request, api::CreateVolumeResponse& response,
              ObjectStore& store, const Driver& driver, const CallLimit& limit) {
  const auto checked = check(request, store, driver);
  if (!checked) return std::unexpected(checked.error());
  const auto object = create_volume(store, *checked, limit);
  if (!object) return std::unexpected(object.error());
  *response.mutable_volume() = to_volume(*object, driver);
  if (request.has_volume_content_source())
    *response.mutable_volume()->mutable_content_source() = request.volume_content_source();
  return {};
}

Status handle(const api::DeleteVolumeRequest& request, ObjectStore& store, const CallLimit& limit) {
  const auto object = find_volume(store, request.volume_id());
  if (object) return remove(store, *object, limit);
  if (object.error().code == Code::kNotFound) return {};
  return std::unexpected(object.error());
}

Status handle(const api::ControllerExpandVolumeRequest& request,
              api::ControllerExpandVolumeResponse& response, ObjectStore& store,
              const CallLimit& limit) {
  if (!request.has_capacity_range())
    return fail(Code::kInvalidArgument, "capacity_range is missing: set the size to grow to");
  const auto range = parse_range(request.capacity_range());
  if (!range) return std::unexpected(range.error());
  const auto object = find_volume(store, request.volume_id());
  if (!object) return std::unexpected(object.error());
  if (range->limit != 0 && size_of(*object).value > range->limit)
    return fail(Code::kOutOfRange,
                "the volume has {} bytes, more than capacity_range.limit_bytes {}, and volumes "
                "never shrink",
                size_of(*object).value, range->limit)
        .because(reason::kInvalidSize);
  const auto size = wanted_size(*range, std::nullopt);
  if (!size) return std::unexpected(size.error());
  const auto grown = grow(store, *object, *size, limit);
  if (!grown) return std::unexpected(grown.error());
  response.set_capacity_bytes(size_of(*grown).value);
  response.set_node_expansion_required(!request.volume_capability().has_block());
  return {};
}

Status handle(const api::ValidateVolumeCapabilitiesRequest& request,
              api::ValidateVolumeCapabilitiesResponse& response, ObjectStore& store) {
  if (request.volume_capabilities().empty())
    return fail(Code::kInvalidArgument, "volume_capabilities is empty: at least one is required");
  const auto object = find_volume(store, request.volume_id());
  if (!object) return std::unexpected(object.error());
  if (const Status checked = check_capabilities(request.volume_capabilities()); !checked) {
    response.set_message(checked.error().message);
    return {};
  }
  auto& confirmed = *response.mutable_confirmed();
  *confirmed.mutable_volume_context() = request.volume_context();
  *confirmed.mutable_volume_capabilities() = request.volume_capabilities();
  *confirmed.mutable_parameters() = request.parameters();
  return {};
}

Status handle(const api::GetCapacityRequest& request, api::GetCapacityResponse& response,
              const ObjectStore& store, const Driver& driver) {
  const auto parameters = parse_volume_parameters(request.parameters());
  if (!parameters) return std::unexpected(parameters.error());
  std::optional<std::string> node;
  if (request.has_accessible_topology()) {
    const auto& segments = request.accessible_topology().segments();
    const auto segment = segments.find(driver.topology_key());
    // No node has the empty name.
    node = segment == segments.end() ? std::string{} : segment->second;
  }
  FreeCapacity free = free_capacity(node, store.nodes(), parameters->device_class);
  const auto& capabilities = request.volume_capabilities();
  if (!capabilities.empty() && !check_capabilities(capabilities)) free = {};
  response.set_available_capacity(free.total);
  response.mutable_maximum_volume_size()->set_value(free.largest);
  return {};
}

Status handle(const api::ListVolumesRequest& request, api::ListVolumesResponse& response,
              const ObjectStore& store, const Driver& driver, bool attach_required) {
  auto page = page_of(volumes_of(store), request.max_entries(), request.starting_token());
  if (!page) return std::unexpected(std::move(page.error()));
  for (const LogicalVolume& object : page->objects) {
    auto& entry = *response.add_entries();
    *entry.mutable_volume() = to_volume(object, driver);
    fill(*entry.mutable_status(), object, attach_required);
  }
  response.set_next_token(std::move(page->next_token));
  return {};
}

Status handle(const api::ControllerGetVolumeRequest& request,
              api::ControllerGetVolumeResponse& response, ObjectStore& store, const Driver& driver,
              bool attach_required) {
  const auto object = find_volume(store, request.volume_id());
  if (!object) return std::unexpected(object.error());
  *response.mutable_volume() = to_volume(*object, driver);
  fill(*response.mutable_status(), *object, attach_required);
  return {};
}

Status handle(const api::ControllerListVolumeHealthRequest& request,
              api::ControllerListVolumeHealthResponse& response, const ObjectStore& store) {
  std::vector<LogicalVolume> abnormal = volumes_of(store);
  std::erase_if(abnormal,
                [](const LogicalVolume& object) { return !condition_of(object).abnormal(); });
  auto page = page_of(std::move(abnormal), request.max_entries(), request.starting_token());
  if (!page) return std::unexpected(std::move(page.error()));
  for (const LogicalVolume& object : page->objects) *response.add_entries() = health_of(object);
  response.set_next_token(std::move(page->next_token));
  return {};
}

Status handle(const api::ControllerGetVolumeHealthRequest& request,
              api::ControllerGetVolumeHealthResponse& response, ObjectStore& store) {
  const auto object = find_volume(store, request.volume_id());
  if (!object) return std::unexpected(object.error());
  *response.mutable_volume_health() = health_of(*object);
  return {};
}

Status handle(const api::ControllerPublishVolumeRequest& request, ObjectStore& store) {
  if (request.node_id().empty())
    return fail(Code::kInvalidArgument, "node_id is empty").about("node_id", request.node_id());
  if (!request.has_volume_capability())
    return fail(Code::kInvalidArgument, "volume_capability is missing");
  if (auto checked = check_capability(request.volume_capability()); !checked) return checked;
  const auto object = find_volume(store, request.volume_id());
  if (!object) return std::unexpected(object.error());
  const std::vector<StorageNode> nodes = store.nodes();
  if (std::ranges::count(nodes, request.node_id(), &StorageNode::name) == 0)
    return fail(Code::kNotFound, "there is no node \"{}\" with this driver", request.node_id())
        .about("node_id", request.node_id());
  if (object->spec.node_name != request.node_id())
    return fail(Code::kFailedPrecondition,
                "volume {} is on node {} and cannot be attached to node {}", request.volume_id(),
                object->spec.node_name, request.node_id())
        .about("node_id", request.node_id());
  return {};
}

Status handle(const api::ControllerUnpublishVolumeRequest& request) {
  if (request.volume_id().empty())
    return fail(Code::kInvalidArgument, "volume_id is empty")
        .about("volume_id", request.volume_id());
  return {};
}

}  // namespace lvmd::controller
