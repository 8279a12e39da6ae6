#include "lvmd/volumes/service/request_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/names.hpp"

namespace lvmd::volumes {
namespace {

using Tags = google::protobuf::RepeatedPtrField<std::string>;

// An LVM command has at most 63 arguments. How many of them tags may use depends on the class's
// options and is checked where the command is built; this bound keeps requests small enough for one
// frame.
constexpr std::size_t kMaxTags = 63;
// TopoLVM's unit for sizes of thick volumes.
constexpr std::int64_t kThickSizeUnit = 4096;

// Copies the tags without duplicates.
Status take_tags(const Tags& tags, Tags& target) {
  for (const std::string& tag : tags) {
    if (auto valid = model::check_caller_tag("tags", tag); !valid) return valid;
    if (std::ranges::find(target, tag) == target.end()) *target.Add() = tag;
    if (static_cast<std::size_t>(target.size()) > kMaxTags)
      return fail(Code::kInvalidArgument, "tags has {} tags, at most {} fit into one LVM command",
                  tags.size(), kMaxTags)
          .because(reason::kTooManyTags)
          .with(key::kField, "tags")
          .with(key::kLimit, kMaxTags);
  }
  return {};
}

Failure wrong_size(std::int64_t size, Failure failure) {
  return std::move(failure)
      .because(reason::kInvalidSize)
      .with(key::kField, "size_bytes")
      .with(key::kValue, size);
}

Result<std::uint64_t> check_size(std::int64_t size) {
  if (size < 0)
    return wrong_size(
        size, fail(Code::kInvalidArgument, "size_bytes is {}, it must not be negative", size));
  return static_cast<std::uint64_t>(size);
}

Status check_option_class(const model::ClassCatalog& catalog, const std::string& name) {
  if (name.empty() || catalog.find_option_class(name) != nullptr) return {};
  return fail(Code::kInvalidArgument,
              "lvcreate_option_class \"{}\" is not one of lvmd.yaml's lvcreate-option-classes",
              name)
      .because(reason::kUnknownOptionClass)
      .with(key::kField, "lvcreate_option_class")
      .with(key::kValue, name);
}

Status check_create_size(const model::DeviceClass& device_class, std::int64_t size) {
  if (size == 0)
    return wrong_size(size,
                      fail(Code::kInvalidArgument, "size_bytes is 0, a new volume needs a size"));
  if (!device_class.is_thin() && size % kThickSizeUnit != 0)
    return wrong_size(
        size, fail(Code::kInvalidArgument,
                   "size_bytes is {}, in the thick device class {} it must be a multiple of {}",
                   size, device_class.name, kThickSizeUnit));
  return {};
}

Status check_access_type(const std::string& access_type) {
  if (access_type == "ro" || access_type == "rw") return {};
  return fail(Code::kInvalidArgument, "access_type is \"{}\", it must be \"ro\" or \"rw\"",
              access_type)
      .because(reason::kInvalidAccessType)
      .with(key::kField, "access_type")
      .with(key::kValue, access_type);
}

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
  if (auto valid = take_tags(request.tags(), *create.mutable_tags()); !valid)
    return std::unexpected(valid.error());
  if (auto valid = check_option_class(catalog, request.lvcreate_option_class()); !valid)
    return std::unexpected(valid.error());
  const auto size = check_size(request.size_bytes());
  if (!size) return std::unexpected(size.error());
  if (auto valid = check_create_size(**device_class, request.size_bytes()); !valid)
    return std::unexpected(valid.error());
  create.set_name(request.name());
  create.set_device_class((*device_class)->name);
  create.set_option_class(request.lvcreate_option_class());
  create.set_size_bytes(*size);
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
  const auto size = check_size(request.size_bytes());
  if (!size) return std::unexpected(size.error());
  CheckedChange change = change_of(**device_class, request.name());
  internal::ResizeVolume& resize = *change.request.mutable_resize();
  resize.set_name(request.name());
  resize.set_device_class((*device_class)->name);
  resize.set_size_bytes(*size);
  return change;
}

Result<CheckedChange> check(const model::ClassCatalog& catalog,
                            const proto::CreateLVSnapshotRequest& request) {
  const auto device_class = find_class(catalog, request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  if (!(*device_class)->is_thin())
    return fail(Code::kUnimplemented,
                "device class is not thin. Thick snapshots are not implemented yet: {}",
                (*device_class)->name)
        .because(reason::kThickSnapshot)
        .with(key::kDeviceClass, (*device_class)->name);
  const std::string& group = (*device_class)->volume_group;
  if (auto valid = model::check_new_lv_name("name", request.name(), group); !valid)
    return std::unexpected(valid.error());
  CheckedChange change = change_of(**device_class, request.name());
  internal::CreateSnapshot& snapshot = *change.request.mutable_snapshot();
  if (auto valid = take_tags(request.tags(), *snapshot.mutable_tags()); !valid)
    return std::unexpected(valid.error());
  if (auto valid = model::check_lv_name("source_volume", request.source_volume()); !valid)
    return std::unexpected(valid.error());
  if (auto valid = check_access_type(request.access_type()); !valid)
    return std::unexpected(valid.error());
  const auto size = check_size(request.size_bytes());
  if (!size) return std::unexpected(size.error());
  snapshot.set_name(request.name());
  snapshot.set_device_class((*device_class)->name);
  snapshot.set_source(request.source_volume());
  snapshot.set_access_type(request.access_type());
  snapshot.set_size_bytes(*size);
  return change;
}

}  // namespace lvmd::volumes
