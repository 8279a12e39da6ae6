#include "lvmd/model/request_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/names.hpp"

namespace lvmd::model {
namespace {

// An LVM command has at most 63 arguments. How many of them tags may use depends on the class's
// options and is checked where the command is built; this bound keeps requests small enough for one
// frame.
constexpr std::size_t kMaxTags = 63;
// TopoLVM's unit for sizes of thick volumes.
constexpr std::int64_t kThickSizeUnit = 4096;

Failure wrong_size(std::int64_t size, Failure failure) {
  return std::move(failure).because(reason::kInvalidSize).about("size_bytes", size);
}

}  // namespace

Status check_snapshot_class(const DeviceClass& device_class) {
  if (device_class.is_thin()) return {};
  // TopoLVM's text, which clients know.
  return fail(Code::kUnimplemented,
              "device class is not thin. Thick snapshots are not implemented yet: {}",
              device_class.name)
      .because(reason::kThickSnapshot)
      .with(key::kDeviceClass, device_class.name);
}

Result<std::vector<std::string>> distinct_tags(const std::vector<std::string>& tags) {
  std::vector<std::string> distinct;
  for (const std::string& tag : tags) {
    if (auto valid = check_caller_tag("tags", tag); !valid) return std::unexpected(valid.error());
    if (std::ranges::find(distinct, tag) == distinct.end()) distinct.push_back(tag);
    if (distinct.size() > kMaxTags)
      return fail(Code::kInvalidArgument, "tags has {} tags, at most {} fit into one LVM command",
                  tags.size(), kMaxTags)
          .because(reason::kTooManyTags)
          .with(key::kField, "tags")
          .with(key::kLimit, kMaxTags);
  }
  return distinct;
}

Status check_option_class(const ClassCatalog& catalog, const std::string& name) {
  if (name.empty() || catalog.find_option_class(name) != nullptr) return {};
  return fail(Code::kInvalidArgument,
              "lvcreate_option_class \"{}\" is not one of lvmd.yaml's lvcreate-option-classes",
              name)
      .because(reason::kUnknownOptionClass)
      .about("lvcreate_option_class", name);
}

Status check_access_type(const std::string& access_type) {
  if (access_type == "ro" || access_type == "rw") return {};
  return fail(Code::kInvalidArgument, "access_type is \"{}\", it must be \"ro\" or \"rw\"",
              access_type)
      .because(reason::kInvalidAccessType)
      .about("access_type", access_type);
}

Status check_size(std::int64_t size) {
  if (size >= 0) return {};
  return wrong_size(
      size, fail(Code::kInvalidArgument, "size_bytes is {}, it must not be negative", size));
}

Status check_create_size(const DeviceClass& device_class, std::int64_t size) {
  if (auto valid = check_size(size); !valid) return valid;
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

}  // namespace lvmd::model
