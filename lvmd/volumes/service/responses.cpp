#include "lvmd/volumes/service/responses.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "lvmd/model/available.hpp"
#include "lvmd/model/membership.hpp"
#include "lvmd/model/ownership.hpp"

namespace lvmd::volumes {
namespace {

Result<proto::WatchItem> watch_item(const model::VolumeGroup& group,
                                    const model::DeviceClass& device_class) {
  const auto available = model::available(group, device_class);
  if (!available) return std::unexpected(available.error());
  proto::WatchItem item;
  item.set_device_class(device_class.name);
  item.set_size_bytes(group.size().value);
  item.set_free_bytes(available->value);
  if (!device_class.is_thin()) return item;

  const auto pool = model::find_thin_pool(group, *device_class.thin_pool);
  if (!pool) return std::unexpected(pool.error());
  item.set_free_bytes(group.free().value);
  proto::ThinPoolItem& thin = *item.mutable_thin_pool();
  const model::PoolUsage usage = (*pool)->usage.value_or(model::PoolUsage{});
  thin.set_data_percent(usage.data_percent);
  thin.set_metadata_percent(usage.metadata_percent);
  thin.set_overprovision_bytes(available->value);
  thin.set_size_bytes((*pool)->size.value);
  return item;
}

// Encodes one volume at a time, in one message that keeps its memory: encoded messages can be
// concatenated, and their repeated fields then follow one another.
// https://protobuf.dev/programming-guides/encoding/#last-one-wins
Result<std::string> encode_list(const ReadModel::View& view,
                                const model::DeviceClass& device_class) {
  std::string encoded;
  proto::GetLVListResponse one;
  proto::LogicalVolume& message = *one.add_volumes();
  // The model is sorted by name.
  for (const model::LogicalVolume& lv : view.group->logical_volumes) {
    if (!model::is_volume_of(lv, device_class) || view.hidden->contains(lv.name)) continue;
    message.Clear();
    fill(message, lv);
    if (!one.AppendToString(&encoded))
      return fail(Code::kInternal, "volume {} cannot be encoded", lv.name);
  }
  return encoded;
}

}  // namespace

void fill(proto::LogicalVolume& message, const model::LogicalVolume& lv) {
  message.set_name(lv.name);
  if (lv.device) {
    message.set_dev_major(lv.device->major);
    message.set_dev_minor(lv.device->minor);
  }
  for (std::string& tag : model::caller_tags(lv.tags)) message.add_tags(std::move(tag));
  message.set_size_bytes(static_cast<std::int64_t>(lv.size.value));
  message.set_path(lv.path);
  message.set_attr(lv.attr);
}

Result<grpc::ByteBuffer> list_response(const ReadModel::View& view,
                                       const model::DeviceClass& device_class) {
  if (auto exists = model::check_pool_exists(*view.group, device_class); !exists)
    return std::unexpected(exists.error());
  // Not the name of the class: after a reload, a class of the same name may have another pool.
  const std::string pool = device_class.thin_pool ? device_class.thin_pool->name : "";
  return view.responses->find_or_encode(pool, [&] { return encode_list(view, device_class); });
}

proto::WatchResponse watch_message(const model::ClassCatalog& catalog,
                                   const ReadModel& read_model) {
  // Each group is read once, so that all its items come from one state.
  std::map<std::string, std::shared_ptr<const model::VolumeGroup>> groups;
  for (const model::DeviceClass& device_class : catalog.device_classes)
    if (!groups.contains(device_class.volume_group))
      if (auto group = read_model.group(device_class.volume_group))
        groups.emplace(device_class.volume_group, std::move(*group));

  proto::WatchResponse message;
  for (const model::DeviceClass& device_class : catalog.device_classes) {
    const auto group = groups.find(device_class.volume_group);
    if (group == groups.end()) continue;
    const auto item = watch_item(*group->second, device_class);
    if (!item) continue;
    if (device_class.is_default)
      message.set_free_bytes(item->has_thin_pool() ? item->thin_pool().overprovision_bytes()
                                                   : item->free_bytes());
    *message.add_items() = *item;
  }
  return message;
}

}  // namespace lvmd::volumes
