#include "lvmd/volumes/service/request_checks.hpp"

#include <cstdint>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/names.hpp"
#include "lvmd/model/request_rules.hpp"

namespace lvmd::volumes {
namespace {

CheckedChange change_of(const model::DeviceClass& device_class, const std::string& volume) {
  return {.volume_group = device_class.volume_group, .volume = volume, .request = {}};
}

}  // namespace

Result<const model::DeviceClass*> find_class(const model::ClassCatalog& catalog,
                                             const std::string& name, Code unknown) {
  const model::DeviceClass* const found = catalog.find_device_class(name);
  if (found != nullptr) return found;
  // TopoLVM's message, which clients may depend on.
  return fail(unknown, "device-class not found: {}", name)
      .because(reason::kUnknownDeviceClass)
      .with(key::kField, "device_class")
      .with(key::kDeviceClass, name);
}

Result<CheckedChange> check(const model::ClassCatalog& catalog,
                            const proto::CreateLVRequest& request) {
  const auto device_class = find_class(catalog, request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  const std::string& group = (*device_class)->volume_group;
  if (auto valid = model::check_new_lv_name("name", request.name(), group); !valid)
    return std::unexpected(valid.error());
  CheckedChange change = change_of(**device_class, request.name());
  internal::CreateVolume& create = *change.request.mutable_create();
  const auto tags = model::distinct_tags({request.tags().begin(), request.tags().end()});
  if (!tags) return std::unexpected(tags.error());
  if (auto valid = model::check_option_class(catalog, request.lvcreate_option_class()); !valid)
    return std::unexpected(valid.error());
  if (auto valid = model::check_create_size(**device_class, request.size_bytes()); !valid)
    return std::unexpected(valid.error());
  create.set_name(request.name());
  create.set_device_class((*device_class)->name);
  create.set_option_class(request.lvcreate_option_class());
  *create.mutable_tags() = {tags->begin(), tags->end()};
  create.set_size_bytes(static_cast<std::uint64_t>(request.size_bytes()));
  return change;
}

Result<CheckedChange> check(const model::ClassCatalog& catalog,
                            const proto::RemoveLVRequest& request) {
  // Clients treat NOT_FOUND of a removal as success and forget the volume. The code for a renamed
  // class must differ.
  const auto device_class = find_class(catalog, request.device_class(), Code::kFailedPrecondition);
  if (!device_class) return std::unexpected(device_class.error());
  if (auto valid = model::check_lv_name("name", request.name()); !valid)
    return std::unexpected(valid.error());
  CheckedChange change = change_of(**device_class, request.name());
  internal::RemoveVolume& remove = *change.request.mutable_remove();
  remove.set_name(request.name());
  remove.set_device_class((*device_class)->name);
  return change;
}

Result<CheckedChange> check(const model::ClassCatalog& catalog,
                            const proto::ResizeLVRequest& request) {
  const auto device_class = find_class(catalog, request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  if (auto valid = model::check_lv_name("name", request.name()); !valid)
    return std::unexpected(valid.error());
  if (auto valid = model::check_size(request.size_bytes()); !valid)
    return std::unexpected(valid.error());
  CheckedChange change = change_of(**device_class, request.name());
  internal::ResizeVolume& resize = *change.request.mutable_resize();
  resize.set_name(request.name());
  resize.set_device_class((*device_class)->name);
  resize.set_size_bytes(static_cast<std::uint64_t>(request.size_bytes()));
  return change;
}

Result<CheckedChange> check(const model::ClassCatalog& catalog,
                            const proto::CreateLVSnapshotRequest& request) {
  const auto device_class = find_class(catalog, request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  if (auto valid = model::check_snapshot_class(**device_class); !valid)
    return std::unexpected(valid.error());
  const std::string& group = (*device_class)->volume_group;
  if (auto valid = model::check_new_lv_name("name", request.name(), group); !valid)
    return std::unexpected(valid.error());
  CheckedChange change = change_of(**device_class, request.name());
  internal::CreateSnapshot& snapshot = *change.request.mutable_snapshot();
  const auto tags = model::distinct_tags({request.tags().begin(), request.tags().end()});
  if (!tags) return std::unexpected(tags.error());
  if (auto valid = model::check_lv_name("source_volume", request.source_volume()); !valid)
    return std::unexpected(valid.error());
  if (auto valid = model::check_access_type(request.access_type()); !valid)
    return std::unexpected(valid.error());
  if (auto valid = model::check_size(request.size_bytes()); !valid)
    return std::unexpected(valid.error());
  snapshot.set_name(request.name());
  snapshot.set_device_class((*device_class)->name);
  snapshot.set_source(request.source_volume());
  *snapshot.mutable_tags() = {tags->begin(), tags->end()};
  snapshot.set_access_type(request.access_type());
  snapshot.set_size_bytes(static_cast<std::uint64_t>(request.size_bytes()));
  return change;
}

}  // namespace lvmd::volumes
