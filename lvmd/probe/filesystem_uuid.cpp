#include "lvmd/probe/filesystem_uuid.hpp"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <new>
#include <type_traits>

#include "lvmd/base/unique_c.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::probe {
namespace {

using Probe = UniqueC<std::remove_pointer_t<blkid_probe>, &blkid_free_probe>;

// libblkid's result of a safe probe that is ambiguous.
constexpr int kSeveralFound = -2;

}  // namespace

Result<std::optional<std::string>> filesystem_uuid(const std::string& device_path) {
  const UniqueFd fd{::open(device_path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, fmt::format("open {}", device_path));
  const Probe probe{blkid_new_probe()};
  if (!probe) throw std::bad_alloc{};
  if (blkid_probe_set_device(probe.get(), fd.get(), 0, 0) != 0)
    return fail(Code::kInternal, "{}: libblkid cannot probe the device", device_path);
  blkid_probe_enable_superblocks(probe.get(), 1);
  blkid_probe_set_superblocks_flags(probe.get(), BLKID_SUBLKS_TYPE | BLKID_SUBLKS_UUID);
  const int found = blkid_do_safeprobe(probe.get());
  if (found == kSeveralFound)
    return fail(Code::kFailedPrecondition, "{}: the device contains several file systems",
                device_path);
  if (found < 0) return fail(Code::kInternal, "{}: libblkid cannot read the device", device_path);
  const char* uuid = nullptr;
  if (found != 0 || blkid_probe_lookup_value(probe.get(), "UUID", &uuid, nullptr) != 0)
    return std::nullopt;
  return std::string{uuid};
}

}  // namespace lvmd::probe
