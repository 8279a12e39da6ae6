#include <limits>
#include <string_view>
#include <utility>

#include "lvmd/ipc/convert.hpp"

namespace lvmd::ipc {
namespace {

// In this form, NaN is false too.
bool is_percent(double value) { return value > 0 && value <= 100; }

Result<model::ThinPoolTarget> thin_pool_from(const internal::ThinPoolTarget& from,
                                             std::string_view device_class) {
  model::ThinPoolTarget to{.name = from.name(), .overprovision_ratio = from.overprovision_ratio()};
  if (from.has_data_high_water_percent())
    to.data_high_water_percent = from.data_high_water_percent();
  if (from.has_metadata_high_water_percent())
    to.metadata_high_water_percent = from.metadata_high_water_percent();
  if (to.name.empty() || !(to.overprovision_ratio >= 1.0) ||
      !is_percent(to.data_high_water_percent.value_or(100)) ||
      !is_percent(to.metadata_high_water_percent.value_or(100)))
    return fail(Code::kInvalidArgument, "device class {} has an invalid thin pool", device_class);
  return to;
}

Result<model::DeviceClass> device_class_from(const internal::DeviceClass& from) {
  if (from.name().empty()) return fail(Code::kInvalidArgument, "device class without a name");
  if (from.volume_group().empty())
    return fail(Code::kInvalidArgument, "device class {} without a volume group", from.name());
  model::DeviceClass to{
      .name = from.name(),
      .volume_group = from.volume_group(),
      .is_default = from.is_default(),
      .spare = {from.spare_bytes()},
      .stripes = from.stripes(),
      .stripe_size = from.stripe_size(),
      .lvcreate_options = {from.lvcreate_options().begin(), from.lvcreate_options().end()},
  };
  if (from.has_thin_pool()) {
    auto pool = thin_pool_from(from.thin_pool(), from.name());
    if (!pool) return std::unexpected(pool.error());
    to.thin_pool = std::move(*pool);
  }
  return to;
}

}  // namespace

internal::Error to_proto(const Error& error) {
  internal::Error to;
  to.set_code(static_cast<std::uint32_t>(error.code));
  to.set_message(error.message);
  if (error.rollback) to.set_rollback(*error.rollback);
  to.set_reason(error.reason);
  for (const auto& [key, value] : error.metadata) {
    internal::ErrorMetadata& entry = *to.add_metadata();
    entry.set_key(key);
    entry.set_value(value);
  }
  return to;
}

Error from_proto(const internal::Error& error) {
  const bool known =
      error.code() != 0 && error.code() <= static_cast<std::uint32_t>(Code::kUnavailable);
  Error to{.code = known ? static_cast<Code>(error.code()) : Code::kInternal,
           .message = error.message()};
  if (error.has_rollback()) to.rollback = error.rollback();
  to.reason = error.reason();
  for (const internal::ErrorMetadata& entry : error.metadata())
    to.metadata.emplace_back(entry.key(), entry.value());
  return to;
}

internal::ClassCatalog to_proto(const model::ClassCatalog& catalog) {
  internal::ClassCatalog to;
  for (const model::DeviceClass& from : catalog.device_classes) {
    internal::DeviceClass& item = *to.add_device_classes();
    item.set_name(from.name);
    item.set_volume_group(from.volume_group);
    item.set_is_default(from.is_default);
    item.set_spare_bytes(from.spare.value);
    item.set_stripes(from.stripes);
    item.set_stripe_size(from.stripe_size);
    item.mutable_lvcreate_options()->Assign(from.lvcreate_options.begin(),
                                            from.lvcreate_options.end());
    if (from.thin_pool) {
      internal::ThinPoolTarget& pool = *item.mutable_thin_pool();
      pool.set_name(from.thin_pool->name);
      pool.set_overprovision_ratio(from.thin_pool->overprovision_ratio);
      if (const auto mark = from.thin_pool->data_high_water_percent)
        pool.set_data_high_water_percent(*mark);
      if (const auto mark = from.thin_pool->metadata_high_water_percent)
        pool.set_metadata_high_water_percent(*mark);
    }
  }
  for (const model::OptionClass& from : catalog.option_classes) {
    internal::OptionClass& item = *to.add_option_classes();
    item.set_name(from.name);
    item.mutable_options()->Assign(from.options.begin(), from.options.end());
  }
  return to;
}

Result<model::ClassCatalog> from_proto(const internal::ClassCatalog& catalog) {
  model::ClassCatalog to;
  for (const internal::DeviceClass& from : catalog.device_classes()) {
    auto device_class = device_class_from(from);
    if (!device_class) return std::unexpected(device_class.error());
    to.device_classes.push_back(std::move(*device_class));
  }
  for (const internal::OptionClass& from : catalog.option_classes())
    to.option_classes.push_back(
        {.name = from.name(), .options = {from.options().begin(), from.options().end()}});
  return to;
}

}  // namespace lvmd::ipc
