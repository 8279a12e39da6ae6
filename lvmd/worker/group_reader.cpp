#include "lvmd/worker/group_reader.hpp"

#include <utility>

namespace lvmd::worker {

GroupReader::GroupReader(std::string volume_group, std::string lvm_path, LvmExecutor& executor)
    : volume_group_(std::move(volume_group)),
      executor_(executor),
      reader_(volume_group_, std::move(lvm_path)),
      access_(
          fail(Code::kUnavailable, "volume group {} has not been looked for yet", volume_group_)) {}

Result<model::VgAccess> GroupReader::refresh_access() {
  access_ = executor_.access();
  return access_;
}

model::VgState GroupReader::read() {
  if (!access_) static_cast<void>(refresh_access());
  if (!access_)
    return {.name = volume_group_,
            .observed_at = monotonic_now(),
            .group = std::unexpected(access_.error())};
  model::VgState state = reader_.read(*access_);
  if (reader_.devices_incomplete() || !state.group) {
    const auto before = access_;
    if (refresh_access() && access_ != before) state = reader_.read(*access_);
  }
  return state;
}

}  // namespace lvmd::worker
