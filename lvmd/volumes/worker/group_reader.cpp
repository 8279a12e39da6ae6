#include "lvmd/volumes/worker/group_reader.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "lvmd/model/available.hpp"
#include "lvmd/volumes/worker/announcement.hpp"

namespace lvmd::volumes::worker {
namespace {

// The query has its own limit; with this margin it ends before it counts as stuck.
constexpr std::chrono::seconds kGrace{5};

}  // namespace

GroupReader::GroupReader(std::string volume_group, std::vector<std::string> lvm,
                         std::string lvm_path, WorkerEventSink& events)
    : volume_group_(std::move(volume_group)),
      events_(events),
      discovery_(volume_group_, std::move(lvm)),
      reader_(volume_group_, std::move(lvm_path)),
      access_(fail(Code::kUnavailable, "volume group {} has not been queried yet", volume_group_)) {
  reader_.keep_text();
}

Result<model::VgAccess> GroupReader::refresh_access() {
  const Announcement announcement{events_, fmt::format("vgs {}", volume_group_),
                                  state::kDiscoveryLimit + kGrace};
  access_ = discovery_.ask();
  if (access_) {
    access_before_ = *access_;
    return access_;
  }
  // A device that does not answer must not be read.
  if (access_.error().code != Code::kDeadlineExceeded && !access_before_.devices.empty())
    reader_.look_for_new_name(access_before_, access_.error());
  access_.error().code = Code::kUnavailable;
  return access_;
}

model::VgState GroupReader::read() {
  if (!access_) static_cast<void>(refresh_access());
  if (!access_)
    return {.name = volume_group_,
            .observed_at = monotonic_now(),
            .group = std::unexpected(access_.error())};
  model::VgState state = reader_.read(*access_);
  // LVM may use a PV again that was missing at the last query.
  if (!state.group || reader_.devices_incomplete() || !model::check_complete(*state.group)) {
    const auto before = access_;
    if (refresh_access() && access_ != before) state = reader_.read(*access_);
  }
  return state;
}

}  // namespace lvmd::volumes::worker
