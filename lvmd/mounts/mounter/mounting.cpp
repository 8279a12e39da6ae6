#include "lvmd/mounts/mounter/mounting.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/mounts/mounter/bind.hpp"
#include "lvmd/mounts/mounter/checking.hpp"
#include "lvmd/mounts/mounter/directory.hpp"
#include "lvmd/mounts/mounter/lock.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/table/mount_options.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {
namespace {

// How often mounting is repeated when an Unmount removes the directory in between.
constexpr int kMaxRounds = 10;

std::string path_of(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

const char* name_of(bool read_only) { return read_only ? "read-only" : "read-write"; }

class Mounting {
 public:
  Mounting(const OpenVolume& volume, const MountRequest& request)
      : request_(request),
        volume_(volume),
        read_only_(request.read_only || volume.read_only),
        fs_type_(request.content.fs_type) {}

  Result<internal::MountedVolume> run() {
    // These checks run before anything is created or written.
    if (const auto directory = open_directory(request_.place, Missing::kLeave); directory) {
      if (auto there = present(directory->path); !there || *there) return answer(std::move(there));
      if (auto empty = check_empty(*directory, request_.target); !empty)
        return std::unexpected(empty.error());
    } else if (directory.error().code != Code::kNotFound) {
      return std::unexpected(directory.error());
    }
    if (auto locked = lock(volume_.fd.get(), "volume " + volume_.name); !locked)
      return std::unexpected(locked.error());
    failpoint("mounter.begun");
    if (!request_.bind_from)
      if (auto prepared = prepare_content(); !prepared) return std::unexpected(prepared.error());
    for (int round = 0; round < kMaxRounds; ++round) {
      auto done = mount_on_directory();
      if (!done || *done) return answer(std::move(done));
    }
    return fail(Code::kAborted, "other callers removed {} repeatedly: try again", request_.target)
        .because(reason::kTargetUnusable)
        .with(key::kTarget, request_.target);
  }

 private:
  using Present = std::optional<internal::MountedVolume>;

  static Result<internal::MountedVolume> answer(Result<Present> mount) {
    if (!mount) return std::unexpected(std::move(mount.error()));
    return **std::move(mount);
  }

  // Finds the file system on the volume, or makes one.
  Status prepare_content() {
    auto type = mountable_content(volume_, request_.content);
    if (!type) return std::unexpected(type.error());
    fs_type_ = std::move(*type);
    if (!request_.check || is_mounted()) return {};
    return check_before_mount(volume_, fs_type_);
  }

  // Returns the mount at `path` if it is what the job requests, or nothing if nothing is mounted
  // there [P-MOUNT-8].
  Result<Present> present(const std::string& path) const {
    const auto table = mount_table();
    if (!table) return std::unexpected(table.error());
    const mounts::MountPoint* const there = mounts::mounted_at(**table, path);
    if (there == nullptr) return Present{};
    auto described = describe_mount(*there, request_.target);
    if (there->device != volume_.number) {
      const std::string what =
          described.name().empty()
              ? fmt::format("a {}", there->fs_type)
              : fmt::format("volume {}/{}", described.volume_group(), described.name());
      return fail(Code::kAlreadyExists,
                  "{} is already mounted at {}: unmount it, or mount volume {} elsewhere", what,
                  request_.target, volume_.name)
          .because(reason::kTargetTaken)
          .with(key::kTarget, request_.target)
          .with(key::kExisting, what);
    }
    if (there->read_only != read_only_)
      return differs("read_only", name_of(read_only_), name_of(there->read_only));
    const std::string& fs_type = request_.content.fs_type;
    if (!fs_type.empty() && there->fs_type != fs_type)
      return differs("fs_type", fs_type, there->fs_type);
    return Present{std::move(described)};
  }

  Failure differs(std::string_view field, std::string_view requested,
                  std::string_view existing) const {
    return fail(Code::kAlreadyExists, "volume {} is already mounted at {}, but {} is {}, not {}",
                volume_.name, request_.target, field, existing, requested)
        .because(reason::kMountDiffers)
        .about(field, requested)
        .with(key::kExisting, existing);
  }

  // Returns nothing when the directory was removed in the meantime.
  Result<Present> mount_on_directory() {
    const auto directory = open_directory(request_.place, request_.missing);
    if (!directory) return std::unexpected(directory.error());
    // Locks the directory below the mount point while nothing is mounted there. A mounter that
    // waits for this lock finds the other volume's mount afterwards.
    const UniqueFd locked{
        ::open(path_of(directory->fd.get()).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!locked) return fail_errno(errno, directory->path);
    if (auto taken = lock(locked.get(), request_.target); !taken)
      return std::unexpected(taken.error());
    if (auto there = present(directory->path); !there || *there) return there;
    failpoint("mounter.folder");
    if (auto empty = check_empty(*directory, request_.target); !empty)
      return std::unexpected(empty.error());
    const auto done =
        request_.bind_from ? bind_to(*directory, *request_.bind_from) : mount_device(*directory);
    if (!done) {
      if (request_.owns_directory) remove_if_empty(*directory);
      return std::unexpected(done.error());
    }
    if (!*done) return Present{};
    failpoint("mounter.mounted");
    auto there = present(directory->path);
    if (there && !*there)
      return fail(Code::kAborted, "another program unmounted {} immediately: try again",
                  request_.target)
          .because(reason::kNotMounted);
    return there;
  }

  // Returns false when the directory was removed in the meantime. Uses mount(2), which sets all
  // flags at once. The target is the descriptor of the checked directory, because its path may lead
  // elsewhere by now.
  Result<bool> mount_device(const Entry& directory) const {
    const auto arguments = mounts::mount_arguments(spec(fs_type_));
    const auto end = std::chrono::steady_clock::now() + kFormatPatience;
    while (::mount(volume_.path.c_str(), path_of(directory.fd.get()).c_str(), fs_type_.c_str(),
                   arguments.flags, arguments.data.c_str()) != 0) {
      const int error = errno;
      if (error == ENOENT) return false;
      // A program of a mounter that has died still formats the volume.
      if (error != EBUSY || is_mounted() || std::chrono::steady_clock::now() >= end)
        return refused(error);
      std::this_thread::sleep_for(kFormatInterval);
    }
    return true;
  }

  bool is_mounted() const {
    const auto table = mount_table();
    return table && std::ranges::find(**table, std::optional{volume_.number},
                                      &mounts::MountPoint::device) != (*table)->end();
  }

  Failure refused(int error) const {
    std::string hint = "see the kernel's log";
    if (error == EBUSY)
      hint = "it may be mounted read-only elsewhere, which prevents a read-write mount";
    if (error == EEXIST) hint = "a file system with the same UUID may be mounted";
    if (error == ENODEV) hint = "this kernel does not support the file system";
    return fail(Code::kFailedPrecondition, "the kernel did not mount volume {} ({}) at {}: {}; {}",
                volume_.name, fs_type_, request_.target, std::generic_category().message(error),
                hint)
        .because(reason::kMountRefused)
        .with(key::kTarget, request_.target);
  }

  // Returns false when the directory was removed in the meantime.
  Result<bool> bind_to(const Entry& directory, const BindSource& bind_from) const {
    const auto from = open_directory(bind_from.place, Missing::kLeave);
    if (!from && from.error().code != Code::kNotFound) return std::unexpected(from.error());
    const auto table = mount_table();
    if (!table) return std::unexpected(table.error());
    const mounts::MountPoint* const source =
        from ? mounts::mounted_at(**table, from->path) : nullptr;
    if (source == nullptr || source->device != volume_.number)
      return fail(Code::kFailedPrecondition, "volume {} is not mounted at {} {}", volume_.name,
                  bind_from.field, bind_from.target)
          .because(reason::kNotMounted)
          .with(key::kTarget, bind_from.target);
    const std::string& fs_type = request_.content.fs_type;
    if (!fs_type.empty() && source->fs_type != fs_type)
      return fail(Code::kFailedPrecondition, "volume {} contains {}, not {}", volume_.name,
                  source->fs_type, fs_type)
          .because(reason::kOtherContent)
          .with(key::kExisting, source->fs_type);
    if (source->read_only && !read_only_)
      return fail(Code::kFailedPrecondition,
                  "{} {} is mounted read-only: set read_only, or mount the volume read-write",
                  bind_from.field, bind_from.target)
          .because(reason::kMountRefused)
          .with(key::kTarget, bind_from.target);
    const auto bound =
        bind(from->fd.get(), directory.fd.get(), mounts::bind_attributes(spec(source->fs_type)));
    if (!bound && bound.error().code == Code::kNotFound) return false;
    if (!bound) return std::unexpected(bound.error());
    return true;
  }

  [[nodiscard]] mounts::MountSpec spec(std::string_view fs_type) const {
    return {.fs_type = fs_type,
            .read_only = read_only_,
            .duplicate_uuid = volume_.snapshot || request_.duplicate_uuid,
            .options = request_.options.place,
            .nosuid = request_.nosuid,
            .nodev = request_.nodev,
            .file_system_options = request_.options.file_system,
            .context = request_.options.context};
  }

  const MountRequest& request_;
  const OpenVolume& volume_;
  const bool read_only_;
  std::string fs_type_;
};

}  // namespace

Result<internal::MountedVolume> mount_as_requested(const OpenVolume& volume,
                                                   const MountRequest& request) {
  return Mounting{volume, request}.run();
}

Result<internal::Mounts> mount_volume(const internal::MountVolume& job,
                                      std::span<const std::string> roots) {
  auto place = model::check_mount_target("target", job.target(), roots);
  if (!place) return std::unexpected(place.error());
  MountRequest request{.target = job.target(), .place = std::move(*place)};
  request.read_only = job.read_only();
  request.content = {.fs_type = job.fs_type(), .format_as = job.format() ? job.fs_type() : ""};
  request.options.place.assign(job.options().begin(), job.options().end());
  if (!job.bind_from().empty()) {
    auto from = model::check_mount_target("bind_from", job.bind_from(), roots);
    if (!from) return std::unexpected(from.error());
    request.bind_from =
        BindSource{.field = "bind_from", .target = job.bind_from(), .place = std::move(*from)};
  }
  const auto volume = open_volume(job.device());
  if (!volume) return std::unexpected(volume.error());
  auto mounted = mount_as_requested(*volume, request);
  if (!mounted) return std::unexpected(std::move(mounted.error()));
  internal::Mounts mounts;
  *mounts.add_mounts() = std::move(*mounted);
  return mounts;
}

}  // namespace lvmd::mounts::mounter
