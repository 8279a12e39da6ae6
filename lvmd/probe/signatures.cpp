#include "lvmd/probe/signatures.hpp"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <new>
#include <optional>
#include <string_view>

#include "lvmd/base/files.hpp"
#include "lvmd/base/unique_c.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::probe {
namespace {

using Probe = UniqueC<std::remove_pointer_t<blkid_probe>, &blkid_free_probe>;

// A device has a few signatures. If they reappear, another program writes to the device.
constexpr int kMaxSignatures = 128;

// libblkid's return values.
constexpr int kFound = 0;
constexpr int kNothingFound = 1;
// The result of a safe probe that is ambiguous.
constexpr int kSeveralFound = -2;

// Probes for superblocks, with these flags.
Result<Probe> make_probe(int fd, const std::string& path, int flags) {
  Probe probe{blkid_new_probe()};
  if (!probe) throw std::bad_alloc{};
  if (blkid_probe_set_device(probe.get(), fd, 0, 0) != 0)
    return fail(Code::kInternal, "{}: libblkid cannot probe the device", path);
  blkid_probe_enable_superblocks(probe.get(), 1);
  blkid_probe_set_superblocks_flags(probe.get(), flags);
  return probe;
}

Result<Probe> make_full_probe(int fd, const std::string& path) {
  auto probe = make_probe(
      fd, path, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM);
  if (!probe) return probe;
  blkid_probe_enable_partitions(probe->get(), 1);
  // Finds a GPT whose protective MBR is missing.
  blkid_probe_set_partitions_flags(probe->get(), BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
  return probe;
}

std::optional<std::string> value_of(blkid_probe probe, const char* name) {
  const char* data = nullptr;
  // The returned length would include the terminating NUL.
  if (blkid_probe_lookup_value(probe, name, &data, nullptr) != 0) return std::nullopt;
  return std::string{data};
}

// Returns the signature that the last step of the probe found.
Signature found_signature(blkid_probe probe) {
  Signature signature;
  std::optional<std::string> offset;
  if (auto type = value_of(probe, "TYPE")) {
    signature.type = *std::move(type);
    signature.usage = value_of(probe, "USAGE").value_or("other");
    offset = value_of(probe, "SBMAGIC_OFFSET");
  } else if (auto table = value_of(probe, "PTTYPE")) {
    signature.type = *std::move(table);
    signature.usage = "partition table";
    offset = value_of(probe, "PTMAGIC_OFFSET");
  }
  if (offset) std::from_chars(offset->data(), offset->data() + offset->size(), signature.offset);
  return signature;
}

// Calls `visit` for each signature.
template <typename Visit>
Status for_each_signature(blkid_probe probe, const std::string& path, Visit visit) {
  for (int count = 0; count < kMaxSignatures; ++count) {
    const int found = blkid_do_probe(probe);
    if (found == kNothingFound) return {};
    if (found != kFound) return fail(Code::kInternal, "{}: libblkid cannot read the device", path);
    if (auto visited = visit(found_signature(probe)); !visited) return visited;
  }
  return fail(Code::kInternal,
              "{} still has signatures after {} were found: another program writes to it", path,
              kMaxSignatures);
}

Result<std::vector<Signature>> find_all(int fd, const std::string& path) {
  auto probe = make_full_probe(fd, path);
  if (!probe) return std::unexpected(probe.error());
  std::vector<Signature> result;
  auto done = for_each_signature(probe->get(), path, [&result](Signature signature) -> Status {
    result.push_back(std::move(signature));
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return result;
}

Status zero_start(int fd, const std::string& path) {
  const off_t size = ::lseek(fd, 0, SEEK_END);
  if (size < 0) return fail_errno(errno, fmt::format("size of {}", path));
  const std::string zeros(std::min(static_cast<std::size_t>(size), kBlankStart), '\0');
  return write_all_at(fd, zeros, 0, fmt::format("write to {}", path));
}

}  // namespace

Result<std::vector<Signature>> signatures(const std::string& device_path) {
  const UniqueFd fd{::open(device_path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, fmt::format("open {}", device_path));
  return find_all(fd.get(), device_path);
}

Result<std::optional<std::string>> filesystem_uuid(const std::string& device_path) {
  const UniqueFd fd{::open(device_path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, fmt::format("open {}", device_path));
  const auto probe = make_probe(fd.get(), device_path, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_UUID);
  if (!probe) return std::unexpected(probe.error());
  const int found = blkid_do_safeprobe(probe->get());
  if (found == kSeveralFound)
    return fail(Code::kFailedPrecondition, "{}: the device contains several file systems",
                device_path);
  if (found < 0) return fail(Code::kInternal, "{}: libblkid cannot read the device", device_path);
  if (found != 0) return std::nullopt;
  return value_of(probe->get(), "UUID");
}

Status make_blank(const std::string& device_path) {
  const UniqueFd fd{::open(device_path.c_str(), O_RDWR | O_EXCL | O_CLOEXEC)};
  if (!fd && errno == EBUSY)
    return fail(Code::kFailedPrecondition, "{} is in use, so its signatures cannot be wiped",
                device_path);
  if (!fd) return fail_errno(errno, fmt::format("open {} for writing", device_path));
  if (auto zeroed = zero_start(fd.get(), device_path); !zeroed) return zeroed;
  auto probe = make_full_probe(fd.get(), device_path);
  if (!probe) return std::unexpected(probe.error());

  bool found = false;
  const auto wipe = [&](const Signature& signature) -> Status {
    found = true;
    // Overwrites the magic number. The next step looks for the same format again.
    if (blkid_do_wipe(probe->get(), 0) == 0) return {};
    return fail(Code::kInternal, "{}: cannot overwrite the signature {} at {}", device_path,
                signature.type, signature.offset);
  };
  if (auto done = for_each_signature(probe->get(), device_path, wipe); !done) return done;
  if (::fsync(fd.get()) != 0) return fail_errno(errno, fmt::format("flush {}", device_path));

  if (!found) return {};
  const auto left = find_all(fd.get(), device_path);
  if (!left) return std::unexpected(left.error());
  if (!left->empty())
    return fail(Code::kInternal, "{} still has the signature {} at {} after wiping", device_path,
                left->front().type, left->front().offset);
  return {};
}

}  // namespace lvmd::probe
