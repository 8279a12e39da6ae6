#include "lvmd/transfers/launcher/job_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "lvmd/base/files.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/transfers/record/job.hpp"
#include "lvmd/transfers/record/local_root.hpp"

namespace lvmd::transfers {
namespace {

Status check_device(const internal::VolumeDevice& device,
                    std::span<const std::string> volume_groups,
                    const std::filesystem::path& sysfs) {
  if (std::ranges::find(volume_groups, device.volume_group()) == volume_groups.end())
    return fail(Code::kInvalidArgument, "volume group \"{}\" is not configured",
                device.volume_group());
  const std::string number = fmt::format("{}:{}", device.major(), device.minor());
  const std::filesystem::path folder = sysfs / "dev/block" / number / "dm";
  const std::string name = first_line(folder / "name");
  if (name == model::mapped_name(device.volume_group(), device.name()) &&
      first_line(folder / "uuid") == device.uuid())
    return {};
  return fail(Code::kFailedPrecondition,
              "device {} is not volume {}/{} but {}: the device has changed; try again", number,
              device.volume_group(), device.name(),
              name.empty() ? "not a device-mapper device" : name);
}

}  // namespace

Status check_mover_job(const internal::MoverJob& job, const config::TransferSettings& limits,
                       std::span<const std::string> volume_groups,
                       const std::filesystem::path& sysfs) {
  if (auto valid = check_job(job); !valid) return valid;
  if (auto valid = check_settings(job.settings()); !valid) return valid;
  if (auto valid =
          check_below_roots("repository.location", job.repository().location(), limits.local_roots);
      !valid)
    return valid;
  return job.has_device() ? check_device(job.device(), volume_groups, sysfs) : Status{};
}

}  // namespace lvmd::transfers
