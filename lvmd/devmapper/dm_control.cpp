#include "lvmd/devmapper/dm_control.hpp"

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace lvmd::devmapper {
namespace {

constexpr const char* kControl = "/dev/mapper/control";
constexpr std::size_t kFirstListSize = std::size_t{16} << 10U;
constexpr std::size_t kLargestListSize = std::size_t{64} << 20U;

dm_ioctl header(std::size_t data_size, std::uint64_t device) {
  dm_ioctl request{};
  request.version[0] = DM_VERSION_MAJOR;
  request.data_size = static_cast<std::uint32_t>(data_size);
  request.data_start = sizeof(dm_ioctl);
  request.dev = device;
  return request;
}

Result<dm_ioctl> header_for(std::string_view uuid) {
  dm_ioctl request = header(sizeof(dm_ioctl), 0);
  if (uuid.empty() || uuid.size() >= sizeof request.uuid)
    return fail(Code::kInternal, "device-mapper rejects the UUID \"{}\"", uuid);
  std::memcpy(&request.uuid[0], uuid.data(), uuid.size());
  return request;
}

std::unexpected<Error> control_error(int error) {
  return fail_errno(error, fmt::format("{}: is the dm_mod module loaded, and does the caller have "
                                       "CAP_SYS_ADMIN?",
                                       kControl));
}

bool has(const dm_ioctl& answer, std::uint32_t flag) { return (answer.flags & flag) != 0; }

// The kernel's encoding of device numbers (new_encode_dev).
std::uint32_t major_of(std::uint64_t number) {
  return static_cast<std::uint32_t>((number >> 8U) & 0xfffU);
}
std::uint32_t minor_of(std::uint64_t number) {
  return static_cast<std::uint32_t>((number & 0xffU) | ((number >> 12U) & 0xfff00U));
}

// The entries are consecutive; each has the offset of the next one. The kernel is trusted.
std::vector<ListedDevice> entries(std::string_view bytes) {
  std::vector<ListedDevice> devices;
  for (std::size_t at = 0; at + sizeof(dm_name_list) <= bytes.size();) {
    dm_name_list entry{};
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    // An empty list has one entry without a device.
    if (entry.dev == 0) break;
    const std::string_view rest = bytes.substr(at + offsetof(dm_name_list, name));
    devices.push_back({.number = entry.dev, .name = std::string{rest.substr(0, rest.find('\0'))}});
    if (entry.next == 0) break;
    at += entry.next;
  }
  return devices;
}

// The devices in the result of DM_TABLE_DEPS.
std::vector<std::uint64_t> targets_of(std::string_view bytes) {
  dm_target_deps deps{};
  constexpr std::size_t kHead = offsetof(dm_target_deps, dev);
  if (bytes.size() < kHead) return {};
  std::memcpy(&deps, bytes.data(), kHead);
  const std::size_t count =
      std::min<std::size_t>(deps.count, (bytes.size() - kHead) / sizeof(std::uint64_t));
  std::vector<std::uint64_t> devices(count);
  if (count != 0) std::memcpy(devices.data(), bytes.data() + kHead, count * sizeof(std::uint64_t));
  return devices;
}

}  // namespace

Result<DmControl> DmControl::open() {
  UniqueFd fd{::open(kControl, O_RDWR | O_CLOEXEC)};
  if (!fd) return control_error(errno);
  return DmControl{std::move(fd)};
}

Result<std::string_view> DmControl::query(unsigned long command, std::uint64_t number) {
  if (buffer_.empty()) buffer_.resize(kFirstListSize);
  for (;;) {
    dm_ioctl request = header(buffer_.size(), number);
    std::memcpy(buffer_.data(), &request, sizeof request);
    if (::ioctl(fd_.get(), command, buffer_.data()) != 0) {
      if (errno == ENXIO) return std::string_view{};
      return control_error(errno);
    }
    dm_ioctl answer{};
    std::memcpy(&answer, buffer_.data(), sizeof answer);
    if (!has(answer, DM_BUFFER_FULL_FLAG)) {
      const std::size_t end = std::min<std::size_t>(answer.data_size, buffer_.size());
      const std::size_t begin = std::min<std::size_t>(answer.data_start, end);
      return std::string_view{buffer_.data() + begin, end - begin};
    }
    if (buffer_.size() >= kLargestListSize)
      return fail(Code::kInternal, "{}: the result is larger than {} MiB", kControl,
                  kLargestListSize >> 20U);
    buffer_.resize(buffer_.size() * 2);
  }
}

Result<std::vector<ListedDevice>> DmControl::list() {
  const auto answer = query(DM_LIST_DEVICES, 0);
  if (!answer) return std::unexpected(answer.error());
  return entries(*answer);
}

Result<std::vector<std::uint64_t>> DmControl::dependencies(std::uint64_t number) {
  const auto answer = query(DM_TABLE_DEPS, number);
  if (!answer) return std::unexpected(answer.error());
  return targets_of(*answer);
}

Status DmControl::clear(std::uint64_t number) const {
  dm_ioctl request = header(sizeof(dm_ioctl), number);
  if (::ioctl(fd_.get(), DM_TABLE_CLEAR, &request) != 0) return control_error(errno);
  return {};
}

Status DmControl::resume(std::uint64_t number) const {
  dm_ioctl request = header(sizeof(dm_ioctl), number);
  // Without DM_SUSPEND_FLAG, DM_DEV_SUSPEND resumes the device.
  if (::ioctl(fd_.get(), DM_DEV_SUSPEND, &request) != 0) return control_error(errno);
  return {};
}

Result<bool> DmControl::exists(std::string_view uuid) const {
  auto request = header_for(uuid);
  if (!request) return std::unexpected(request.error());
  if (::ioctl(fd_.get(), DM_DEV_STATUS, &*request) == 0) return true;
  if (errno == ENXIO) return false;
  return control_error(errno);
}

Result<bool> DmControl::remove(std::string_view uuid) const {
  auto request = header_for(uuid);
  if (!request) return std::unexpected(request.error());
  if (::ioctl(fd_.get(), DM_DEV_REMOVE, &*request) == 0 || errno == ENXIO) return true;
  if (errno == EBUSY) return false;
  return control_error(errno);
}

Result<std::optional<DeviceInfo>> DmControl::info(std::uint64_t number) const {
  dm_ioctl request = header(sizeof(dm_ioctl), number);
  if (::ioctl(fd_.get(), DM_DEV_STATUS, &request) != 0) {
    if (errno == ENXIO) return std::nullopt;
    return control_error(errno);
  }
  return DeviceInfo{.uuid = std::string{&request.uuid[0]},
                    .state = {.major = major_of(request.dev),
                              .minor = minor_of(request.dev),
                              .open_count = request.open_count,
                              .suspended = has(request, DM_SUSPEND_FLAG),
                              .read_only = has(request, DM_READONLY_FLAG),
                              .live_table = has(request, DM_ACTIVE_PRESENT_FLAG),
                              .inactive_table = has(request, DM_INACTIVE_PRESENT_FLAG)}};
}

}  // namespace lvmd::devmapper
