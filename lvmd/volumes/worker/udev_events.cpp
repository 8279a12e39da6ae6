#include "lvmd/volumes/worker/udev_events.hpp"

#include <algorithm>
#include <filesystem>
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

UdevEvents::UdevEvents(std::function<devmapper::BlockEvents()> receive,
                       std::function<bool()> is_busy, std::function<Clock::time_point()> now)
    : receive_(std::move(receive)),
      is_busy_(std::move(is_busy)),
      now_(std::move(now)),
      unknown_until_(now_() + kUnknown) {}

void UdevEvents::removed(const std::string& volume, const model::DeviceState& device) {
  update();
  std::erase_if(removed_, [this](const auto& each) { return is_handled(each.second); });
  if (const auto removal = removal_of(number_of(device))) removed_[volume] = *removal;
}

bool UdevEvents::has_event(const model::DeviceState& device) {
  update();
  return devices_.contains(number_of(device)) || is_unknown();
}

bool UdevEvents::has_event_before_removal(const model::DeviceState& device) {
  update();
  const auto found = devices_.find(number_of(device));
  if (found != devices_.end() && found->second.handled < found->second.before_removal) return true;
  return is_unknown();
}

bool UdevEvents::has_removal_before(const model::LogicalVolume& lv) {
  update();
  if (removal_of(number_of(*lv.device))) return true;
  const auto earlier = removed_.find(lv.name);
  return (earlier != removed_.end() && !is_handled(earlier->second)) || is_unknown();
}

void UdevEvents::update() {
  const devmapper::BlockEvents received = receive_();
  if (received.lost) unknown_until_ = now_() + kUnknown;
  for (const devmapper::BlockEvent& event : received.events) {
    if (!event.is_device_mapper()) continue;
    const Number number{event.major, event.minor};
    // udev has handled the earlier events of a device that is not in the list.
    Progress& progress =
        devices_.try_emplace(number, Progress{.handled = event.seqnum - 1}).first->second;
    if (event.handled) {
      progress.handled = std::max(progress.handled, event.seqnum);
    } else {
      if (event.action == "remove") {
        progress.before_removal = progress.last;
        progress.removal = event.seqnum;
      }
      progress.last = event.seqnum;
    }
    if (progress.handled >= progress.last) devices_.erase(number);
  }
}

bool UdevEvents::is_unknown() {
  if (now_() >= unknown_until_) return false;
  if (is_busy_()) return true;
  unknown_until_ = {};
  return false;
}

std::optional<UdevEvents::Event> UdevEvents::removal_of(const Number& device) const {
  const auto found = devices_.find(device);
  if (found == devices_.end() || found->second.removal <= found->second.handled)
    return std::nullopt;
  return Event{.device = device, .seqnum = found->second.removal};
}

bool UdevEvents::is_handled(const Event& event) const {
  const auto found = devices_.find(event.device);
  return found == devices_.end() || found->second.handled >= event.seqnum;
}

}  // namespace lvmd::volumes::worker
