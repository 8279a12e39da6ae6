#include "lvmd/devmapper/dm_task.hpp"

#include <cerrno>
#include <new>

namespace lvmd::devmapper {
namespace {

DmTask create(int type) {
  DmTask task{dm_task_create(type)};
  // The function only allocates memory.
  if (!task) throw std::bad_alloc{};
  return task;
}

Result<DmTask> run(DmTask task, const std::string& what) {
  // Without this flag, a status call makes the kernel commit a thin pool's metadata and wait for
  // the disk.
  dm_task_no_flush(task.get());
  if (dm_task_run(task.get()) != 0) return task;
  if (const int error = dm_task_get_errno(task.get()); error != 0)
    return fail_errno(error, fmt::format("device-mapper: {}", what));
  return fail(Code::kInternal,
              "device-mapper: {}: /dev/mapper/control cannot be used: is the dm_mod module loaded, "
              "and does the caller have CAP_SYS_ADMIN?",
              what);
}

}  // namespace

Result<DmTask> run_task(int type, const ByUuid& device) {
  DmTask task = create(type);
  if (dm_task_set_uuid(task.get(), device.uuid.c_str()) == 0)
    return fail(Code::kInternal, "device-mapper rejects the UUID \"{}\"", device.uuid);
  return run(std::move(task), device.uuid);
}

Result<std::optional<model::DeviceState>> device_state(dm_task* task) {
  dm_info info{};
  if (dm_task_get_info(task, &info) == 0)
    return fail(Code::kInternal, "device-mapper returns no information about a device");
  if (info.exists == 0) return std::nullopt;
  return model::DeviceState{.major = info.major,
                            .minor = info.minor,
                            .open_count = info.open_count,
                            .suspended = info.suspended != 0,
                            .read_only = info.read_only != 0,
                            .live_table = info.live_table != 0,
                            .inactive_table = info.inactive_table != 0};
}

Status for_each_target(
    dm_task* task,
    const std::function<Status(std::string_view type, const std::string& status)>& visit) {
  void* next = nullptr;
  do {
    std::uint64_t start = 0;
    std::uint64_t length = 0;
    char* type = nullptr;
    char* status = nullptr;
    next = dm_get_next_target(task, next, &start, &length, &type, &status);
    if (type == nullptr || status == nullptr) continue;
    if (auto visited = visit(type, status); !visited) return visited;
  } while (next != nullptr);
  return {};
}

}  // namespace lvmd::devmapper
