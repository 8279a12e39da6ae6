#include "lvmd/mounts/mounter/mounting.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/mounts/mounter/content.hpp"
#include "lvmd/mounts/mounter/directory.hpp"
#include "lvmd/mounts/mounter/lock.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/volume.hpp"
#include "lvmd/mounts/table/mount_options.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {
namespace {

// How often mounting is repeated when an Unmount removes the directory in between.
constexpr int kMaxRounds = 10;

std::string path_of(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

const char* name_of(bool read_only) { return read_only ? "read-only" : "read-write"; }

// Mounts the mount that `from` refers to at `to` as well. Both are descriptors of directories. The
// attributes are set before the new mount becomes visible. NotFound when `to` was removed.
//
// Uses the new mount API because mount(2) needs two calls for a read-only bind mount: between them
// the mount is writable, and it stays writable when this process is killed there.
Status bind(int from, int to, const mounts::BindAttributes& attributes) {
  const UniqueFd tree{::open_tree(from, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH)};
  if (!tree) return fail_errno(errno, "open_tree");
  mount_attr attr{};
  attr.attr_set = attributes.set;
  attr.attr_clr = attributes.clear;
  // Mounts that are made later below one of the two directories do not propagate to the other.
  attr.propagation = MS_PRIVATE;
  if (::mount_setattr(tree.get(), "", AT_EMPTY_PATH, &attr, sizeof attr) != 0)
    return fail_errno(errno, "mount_setattr");
  if (::move_mount(tree.get(), "", to, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) != 0)
    return fail_errno(errno, "move_mount");
  return {};
}

class Mounting {
 public:
  Mounting(const internal::MountVolume& job, std::span<const std::string> roots,
           model::MountPlace place, OpenVolume volume)
      : job_(job),
        roots_(roots),
        place_(std::move(place)),
        volume_(std::move(volume)),
        read_only_(job.read_only() || volume_.read_only),
        options_(job.options().begin(), job.options().end()) {}

  Result<internal::Mounts> run() {
    // These checks run before anything is created or written.
    if (const auto directory = open_directory(place_, Missing::kLeave); directory) {
      if (auto there = present(directory->path); !there || *there) return answer(std::move(there));
      if (auto empty = check_empty(*directory, job_.target()); !empty)
        return std::unexpected(empty.error());
    } else if (directory.error().code != Code::kNotFound) {
      return std::unexpected(directory.error());
    }
    if (auto locked = lock(volume_.fd.get(), "volume " + volume_.name); !locked)
      return std::unexpected(locked.error());
    failpoint("mounter.begun");
    if (job_.bind_from().empty()) {
      auto type = mountable_content(volume_, {.fs_type = job_.fs_type(), .format = job_.format()});
      if (!type) return std::unexpected(type.error());
      fs_type_ = std::move(*type);
    }
    for (int round = 0; round < kMaxRounds; ++round) {
      auto done = mount_on_directory();
      if (!done || *done) return answer(std::move(done));
    }
    return fail(Code::kAborted, "other callers removed {} repeatedly: try again", job_.target())
        .because(reason::kTargetUnusable)
        .with(key::kTarget, job_.target());
  }

 private:
  using Present = std::optional<internal::MountedVolume>;

  static Result<internal::Mounts> answer(Result<Present> mount) {
    if (!mount) return std::unexpected(std::move(mount.error()));
    internal::Mounts mounts;
    *mounts.add_mounts() = *std::move(*mount);
    return mounts;
  }

  // Returns the mount at `path` if it is what the job requests, or nothing if nothing is mounted
  // there [P-MOUNT-8].
  Result<Present> present(const std::string& path) const {
    const auto table = mounts::read_mount_table();
    if (!table) return std::unexpected(table.error());
    const mounts::MountPoint* const there = mounts::mounted_at(*table, path);
    if (there == nullptr) return Present{};
    auto described = describe_mount(*there, job_.target());
    if (there->device != volume_.number) {
      const std::string what =
          described.name().empty()
              ? fmt::format("a {}", there->fs_type)
              : fmt::format("volume {}/{}", described.volume_group(), described.name());
      return fail(Code::kAlreadyExists,
                  "{} is already mounted at {}: unmount it, or mount volume {} elsewhere", what,
                  job_.target(), volume_.name)
          .because(reason::kTargetTaken)
          .with(key::kTarget, job_.target())
          .with(key::kExisting, what);
    }
    if (there->read_only != read_only_)
      return differs("read_only", name_of(read_only_), name_of(there->read_only));
    if (!job_.fs_type().empty() && there->fs_type != job_.fs_type())
      return differs("fs_type", job_.fs_type(), there->fs_type);
    return Present{std::move(described)};
  }

  Failure differs(std::string_view field, std::string_view requested,
                  std::string_view existing) const {
    return fail(Code::kAlreadyExists, "volume {} is already mounted at {}, but {} is {}, not {}",
                volume_.name, job_.target(), field, existing, requested)
        .because(reason::kMountDiffers)
        .about(field, requested)
        .with(key::kExisting, existing);
  }

  // Returns nothing when the directory was removed in the meantime.
  Result<Present> mount_on_directory() {
    const auto directory = open_directory(place_, Missing::kCreate);
    if (!directory) return std::unexpected(directory.error());
    // Locks the directory below the mount point while nothing is mounted there. A mounter that
    // waits for this lock finds the other volume's mount afterwards.
    const UniqueFd locked{
        ::open(path_of(directory->fd.get()).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!locked) return fail_errno(errno, directory->path);
    if (auto taken = lock(locked.get(), job_.target()); !taken)
      return std::unexpected(taken.error());
    if (auto there = present(directory->path); !there || *there) return there;
    failpoint("mounter.folder");
    if (auto empty = check_empty(*directory, job_.target()); !empty)
      return std::unexpected(empty.error());
    const auto done = job_.bind_from().empty() ? mount_device(*directory) : bind_from(*directory);
    if (!done) {
      remove_if_empty(*directory);
      return std::unexpected(done.error());
    }
    if (!*done) return Present{};
    failpoint("mounter.mounted");
    auto there = present(directory->path);
    if (there && !*there)
      return fail(Code::kAborted, "another program unmounted {} immediately: try again",
                  job_.target())
          .because(reason::kNotMounted);
    return there;
  }

  // Returns false when the directory was removed in the meantime. Uses mount(2), which sets all
  // flags at once. The target is the descriptor of the checked directory, because its path may lead
  // elsewhere by now.
  Result<bool> mount_device(const Entry& directory) const {
    const auto arguments = mounts::mount_arguments({.fs_type = fs_type_,
                                                    .read_only = read_only_,
                                                    .snapshot = volume_.snapshot,
                                                    .options = options_});
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
    const auto table = mounts::read_mount_table();
    return table && std::ranges::find(*table, std::optional{volume_.number},
                                      &mounts::MountPoint::device) != table->end();
  }

  Failure refused(int error) const {
    std::string hint = "see the kernel's log";
    if (error == EBUSY)
      hint = "it may be mounted read-only elsewhere, which prevents a read-write mount";
    if (error == EEXIST) hint = "a file system with the same UUID may be mounted";
    if (error == ENODEV) hint = "this kernel does not support the file system";
    return fail(Code::kFailedPrecondition, "the kernel did not mount volume {} ({}) at {}: {}; {}",
                volume_.name, fs_type_, job_.target(), std::generic_category().message(error), hint)
        .because(reason::kMountRefused)
        .with(key::kTarget, job_.target());
  }

  // Returns false when the directory was removed in the meantime.
  Result<bool> bind_from(const Entry& directory) const {
    const auto from_place = model::check_mount_target("bind_from", job_.bind_from(), roots_);
    if (!from_place) return std::unexpected(from_place.error());
    const auto from = open_directory(*from_place, Missing::kLeave);
    if (!from && from.error().code != Code::kNotFound) return std::unexpected(from.error());
    const auto table = mounts::read_mount_table();
    if (!table) return std::unexpected(table.error());
    const mounts::MountPoint* const source =
        from ? mounts::mounted_at(*table, from->path) : nullptr;
    if (source == nullptr || source->device != volume_.number)
      return fail(Code::kFailedPrecondition, "volume {} is not mounted at bind_from {}",
                  volume_.name, job_.bind_from())
          .because(reason::kNotMounted)
          .with(key::kTarget, job_.bind_from());
    if (!job_.fs_type().empty() && source->fs_type != job_.fs_type())
      return fail(Code::kFailedPrecondition, "volume {} contains {}, not {}", volume_.name,
                  source->fs_type, job_.fs_type())
          .because(reason::kOtherContent)
          .with(key::kExisting, source->fs_type);
    if (source->read_only && !read_only_)
      return fail(
                 Code::kFailedPrecondition,
                 "bind_from {} is mounted read-only: set read_only, or mount the volume read-write",
                 job_.bind_from())
          .because(reason::kMountRefused)
          .with(key::kTarget, job_.bind_from());
    const auto bound = bind(from->fd.get(), directory.fd.get(),
                            mounts::bind_attributes({.fs_type = source->fs_type,
                                                     .read_only = read_only_,
                                                     .snapshot = volume_.snapshot,
                                                     .options = options_}));
    if (!bound && bound.error().code == Code::kNotFound) return false;
    if (!bound) return std::unexpected(bound.error());
    return true;
  }

  const internal::MountVolume& job_;
  const std::span<const std::string> roots_;
  const model::MountPlace place_;
  const OpenVolume volume_;
  const bool read_only_;
  const std::vector<std::string> options_;
  std::string fs_type_;
};

}  // namespace

Result<internal::Mounts> mount_volume(const internal::MountVolume& job,
                                      std::span<const std::string> roots) {
  auto place = model::check_mount_target("target", job.target(), roots);
  if (!place) return std::unexpected(place.error());
  auto volume = open_volume(job.device());
  if (!volume) return std::unexpected(volume.error());
  return Mounting{job, roots, std::move(*place), std::move(*volume)}.run();
}

}  // namespace lvmd::mounts::mounter
