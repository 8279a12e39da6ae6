#include "lvmd/volumes/worker/udev_backlog.hpp"

#include <filesystem>
#include <string>
#include <system_error>

namespace lvmd::volumes::worker {
namespace {

std::pair<std::uint32_t, std::uint32_t> number_of(const model::DeviceState& device) {
  return {device.major, device.minor};
}

}  // namespace

bool udev_is_busy() {
  std::error_code error;
  return std::filesystem::exists("/run/udev/queue", error);
}

UdevBacklog::UdevBacklog(std::function<devmapper::BlockEvents()> receive,
                         std::function<bool()> is_busy, std::function<Clock::time_point()> now)
    : receive_(std::move(receive)), is_busy_(std::move(is_busy)), now_(std::move(now)) {
  set_unknown();
}

std::size_t UdevBacklog::size() {
  update();
  return events_.size();
}

void UdevBacklog::forget_events() {
  update();
  events_.clear();
}

void UdevBacklog::add_removed(const std::string& volume, const model::DeviceState& device) {
  update();
  if (const Number number = number_of(device); removals_.contains(number))
    removed_[volume] = number;
}

bool UdevBacklog::has_removal_before(const model::LogicalVolume& lv) {
  update();
  return removals_.contains(number_of(*lv.device)) || removed_.contains(lv.name) || is_unknown();
}

void UdevBacklog::update() {
  const devmapper::BlockEvents received = receive_();
  for (const devmapper::BlockEvent& event : received.events) {
    if (!event.is_device_mapper()) continue;
    const Number number{event.major, event.minor};
    if (!event.handled) {
      events_.emplace(number, event.seqnum);
      if (event.action == "remove") removals_[number] = event.seqnum;
      continue;
    }
    // udev handles the events of a device in their order.
    events_.erase(events_.lower_bound({number, 0}), events_.upper_bound({number, event.seqnum}));
    const auto removal = removals_.find(number);
    if (removal == removals_.end() || event.seqnum < removal->second) continue;
    removals_.erase(removal);
    std::erase_if(removed_, [&](const auto& volume) { return volume.second == number; });
  }
  if (received.lost || events_.size() > kMost) set_unknown();
}

// udev's message about any of these events may be lost. Such an event would never be removed.
void UdevBacklog::set_unknown() {
  unknown_since_ = now_();
  unknown_until_ = unknown_since_ + kUnknown;
  events_.clear();
  removals_.clear();
  removed_.clear();
}

bool UdevBacklog::is_unknown() {
  const auto now = now_();
  if (now >= unknown_until_) return false;
  if (now < unknown_since_ + kUnseen || is_busy_()) return true;
  unknown_until_ = {};
  return false;
}

}  // namespace lvmd::volumes::worker
