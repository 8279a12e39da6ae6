#include "csi/controller/creation.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "csi/controller/progress.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"

namespace lvmd::controller {
namespace {

using reconciler::LogicalVolume;

// How volumes and snapshots differ.
struct Plan {
  std::string name{};
  std::function<Result<NewObject>()> new_object{};
  std::function<Status(const LogicalVolume&)> check_same{};
  std::function<bool(const LogicalVolume&)> is_misplaced = [](const LogicalVolume& /*object*/) {
    return false;
  };
  SizeRange range{};
};

class Creation {
 public:
  Creation(ObjectStore& store, const Plan& plan, const CallLimit& limit)
      : store_(store), plan_(plan), waiter_(store, plan.name, limit) {}

  Result<LogicalVolume> run() {
    object_ = store_.seen().get(plan_.name);
    for (;;) {
      if (auto may = waiter_.check("it is not created yet"); !may)
        return std::unexpected(std::move(may.error()));
      auto done = object_ ? continue_existing() : begin();
      if (!done) return std::unexpected(std::move(done.error()));
      if (*done) return std::move(*object_);
    }
  }

 private:
  // Each step is true when the volume exists as requested. Otherwise `object_` is its new state.
  using Step = Result<bool>;

  Step begin() {
    auto wanted = plan_.new_object();
    if (!wanted) {
      // The object may exist although the watch has not reported it. Then its volume, and not
      // somebody else's, takes the space [C-CREATE-2].
      if (auto found = look(); !found) return std::unexpected(std::move(found.error()));
      if (!object_) return std::unexpected(std::move(wanted.error()));
      return false;
    }
    auto created = store_.create(*wanted);
    if (!created && created.error().code == Code::kAlreadyExists) return look();
    if (!created) return std::unexpected(std::move(created.error()));
    own_uid_ = created->uid;
    object_ = std::move(*created);
    return false;
  }

  Step continue_existing() {
    if (object_->removal_wanted) return wait();
    const bool is_own = object_->uid == own_uid_;
    if (auto same = is_own ? Status{} : plan_.check_same(*object_); !same)
      return std::unexpected(std::move(same.error()));
    const Verdict verdict = creation_of(*object_);
    const bool has_failed = verdict && !*verdict;
    if (has_failed && is_own) return give_up(verdict->error());
    if (has_failed || plan_.is_misplaced(*object_)) return replace();
    if (!verdict) return wait();
    if (is_own && plan_.range.limit != 0 && size_of(*object_).value > plan_.range.limit)
      return give_up(make_error(Code::kOutOfRange,
                                "the volume has {} bytes, because its size is a multiple of the "
                                "extents of the volume group: capacity_range.limit_bytes {} is "
                                "too small",
                                size_of(*object_).value, plan_.range.limit)
                         .because(reason::kInvalidSize));
    return true;
  }

  Step wait() {
    auto report = waiter_.next(*object_);
    if (!report) return std::unexpected(std::move(report.error()));
    object_ = std::move(*report);
    return false;
  }

  Step look() {
    auto found = store_.read(plan_.name);
    if (!found && found.error().code != Code::kNotFound)
      return std::unexpected(std::move(found.error()));
    object_ = found ? Report{std::move(*found)} : std::nullopt;
    return false;
  }

  // The object is of an earlier call, and nobody got its handle.
  Step replace() {
    auto removed = store_.remove(*object_, Removal::kIfUnchanged);
    if (removed) {
      object_ = std::move(*removed);
      return false;
    }
    const Code code = removed.error().code;
    if (code == Code::kAborted || code == Code::kNotFound) return look();
    return std::unexpected(std::move(removed.error()));
  }

  // Removes the object of this call, unless it has changed: then it may have a volume after all.
  Step give_up(Error why) {
    const auto removed = store_.remove(*object_, Removal::kIfUnchanged);
    if (!removed && removed.error().code == Code::kAborted) return look();
    if (!removed && removed.error().code != Code::kNotFound)
      log::warning(
          fmt::format("LogicalVolume {} failed and cannot be removed now; the next call "
                      "removes it: {}",
                      plan_.name, describe(removed.error())));
    return std::unexpected(std::move(why));
  }

  ObjectStore& store_;
  const Plan& plan_;
  Waiter waiter_;
  // The last known state; absent: there is no object.
  Report object_;
  // Of the object that this call created.
  std::string own_uid_;
};

Result<NewObject> plan_volume(const ObjectStore& store, const VolumeRequest& request) {
  const auto size = size_for(request);
  if (!size) return std::unexpected(size.error());
  if (!is_free_to_place(request)) {
    const std::string& node = request.source->spec.node_name;
    if (!permits(request.permitted, node))
      return fail(Code::kResourceExhausted,
                  "the source is on node {}, which accessibility_requirements does not permit: a "
                  "clone is on the node of its source",
                  node);
    return desired_volume(request, node, *size);
  }
  const auto node =
      choose_node(request.permitted, store.nodes(), request.parameters.device_class, *size);
  if (!node) return std::unexpected(node.error());
  return desired_volume(request, *node, *size);
}

}  // namespace

Result<LogicalVolume> create_volume(ObjectStore& store, const VolumeRequest& request,
                                    const CallLimit& limit) {
  const Plan plan{
      .name = request.key.name,
      .new_object = [&] { return plan_volume(store, request); },
      .check_same = [&](const LogicalVolume& object) { return check_same(object, request); },
      .is_misplaced =
          [&](const LogicalVolume& object) {
            return object.status.volume_id.empty() &&
                   !permits(request.permitted, object.spec.node_name);
          },
      .range = request.range};
  return Creation{store, plan, limit}.run();
}

Result<LogicalVolume> create_snapshot(ObjectStore& store, const SnapshotRequest& request,
                                      const CallLimit& limit) {
  const Plan plan{
      .name = request.key.name,
      .new_object = [&]() -> Result<NewObject> { return desired_snapshot(request); },
      .check_same = [&](const LogicalVolume& object) { return check_same(object, request); }};
  return Creation{store, plan, limit}.run();
}

}  // namespace lvmd::controller
