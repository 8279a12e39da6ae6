#include "lvmd/supervisor/job_check.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "lvmd/model/mapped_name.hpp"
#include "lvmd/transfer/job.hpp"
#include "lvmd/transfer/local_root.hpp"

namespace lvmd::supervisor {
namespace {

Status check_device(const internal::VolumeDevice& device, const std::filesystem::path& sysfs) {
  const std::string number = fmt::format("{}:{}", device.major(), device.minor());
  std::ifstream file{sysfs / "dev/block" / number / "dm/name"};
  std::string name;
  std::getline(file, name);
  if (name == model::mapped_name(device.volume_group(), device.name())) return {};
  return fail(Code::kFailedPrecondition,
              "device {} is not volume {}/{}, but {}: it has changed since; try again", number,
              device.volume_group(), device.name(), name.empty() ? "none of device-mapper" : name);
}

}  // namespace

Status check_mover_job(const internal::MoverJob& job, const config::Transfers& limits,
                       const std::filesystem::path& sysfs) {
  if (auto valid = transfer::check_job(job); !valid) return valid;
  if (auto valid = transfer::check_settings(job.settings()); !valid) return valid;
  if (auto valid = transfer::check_below_roots("repository.location", job.repository().location(),
                                               limits.local_roots);
      !valid)
    return valid;
  return job.has_device() ? check_device(job.device(), sysfs) : Status{};
}

}  // namespace lvmd::supervisor
