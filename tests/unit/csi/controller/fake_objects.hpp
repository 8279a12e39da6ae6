// An API server in memory, which behaves as ObjectStore requires (tests/object_store), and the
// nodes' reconcilers, which a case scripts.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "csi/controller/object_store.hpp"
#include "csi/controller/waiter.hpp"

namespace lvmd::controller::test {

class FakeObjects final : public ObjectStore {
 public:
  // What a reconciler does with an object after a write to its spec or the request to remove it:
  // it changes the object, or returns false to release it. Called with the lock held.
  using Reconciler = std::function<bool(reconciler::LogicalVolume&)>;

  // Creates, grows and removes every volume at once.
  static bool obey(reconciler::LogicalVolume& object) {
    if (object.removal_wanted) return false;
    object.status.volume_id = object.uid;
    object.status.current_size =
        reconciler::parse_quantity(object.spec.size).value_or(reconciler::Bytes{});
    return true;
  }
  // As a node that is down.
  static bool wait(reconciler::LogicalVolume& /*object*/) { return true; }

  // Empty: there is no reconciler, not even one that is down.
  Reconciler reconciler = obey;
  // Its further writes after each one, in order.
  std::vector<Reconciler> afterwards;
  std::vector<StorageNode> known_nodes{{.name = "n1", .capacities = {{"00default", 1LL << 40}}}};
  bool ready = true;
  // The watch reports nothing while it is set, as if it were late.
  bool watch_is_late = false;
  // The next request of this kind fails with the error.
  std::map<std::string, Error> failures;
  // "create NAME", "remove NAME", ... in order.
  std::vector<std::string> requests;

  bool is_ready() const override { return ready; }
  const ObjectFeed& seen() const override { return feed_; }
  std::vector<StorageNode> nodes() const override { return known_nodes; }
  Subscription subscribe(const std::string& name) override { return feed_.subscribe(name); }

  Result<reconciler::LogicalVolume> read(const std::string& name) override {
    const std::lock_guard lock{mutex_};
    if (auto failed = begin("read", name)) return std::unexpected(*failed);
    const auto found = objects_.find(name);
    if (found == objects_.end()) return fail(Code::kNotFound, "there is no {}", name);
    return found->second;
  }

  Result<std::vector<reconciler::LogicalVolume>> list() override {
    const std::lock_guard lock{mutex_};
    if (auto failed = begin("list", "")) return std::unexpected(*failed);
    std::vector<reconciler::LogicalVolume> all;
    all.reserve(objects_.size());
    for (const auto& [name, object] : objects_) all.push_back(object);
    return all;
  }

  Result<reconciler::LogicalVolume> create(const NewObject& wanted) override {
    const std::lock_guard lock{mutex_};
    const std::string& name = wanted.key.name;
    if (auto failed = begin("create", name)) return std::unexpected(*failed);
    if (objects_.contains(name)) return fail(Code::kAlreadyExists, "{} exists", name);
    reconciler::LogicalVolume object;
    object.key = wanted.key;
    object.spec = wanted.spec;
    object.annotations = wanted.annotations;
    object.uid = fmt::format("uid-{}", ++uids_);
    object.generation = 1;
    object.creation_timestamp = "2026-01-31T12:00:00Z";
    if (reconciler) object.finalizers = {"topolvm.io/logicalvolume"};
    return write(object);
  }

  Result<reconciler::LogicalVolume> set_size(const reconciler::LogicalVolume& object,
                                             reconciler::Bytes size,
                                             const std::string& timestamp) override {
    const std::lock_guard lock{mutex_};
    if (auto failed = begin("set_size", object.key.name)) return std::unexpected(*failed);
    auto current = expect(object, Removal::kIfUnchanged);
    if (!current) return current;
    const std::string text = reconciler::format_quantity(size);
    if (current->spec.size != text) ++current->generation;
    current->spec.size = text;
    current->annotations["topolvm.io/resize-requested-at"] = timestamp;
    return write(*current);
  }

  Result<Report> remove(const reconciler::LogicalVolume& object, Removal removal) override {
    const std::lock_guard lock{mutex_};
    if (auto failed = begin("remove", object.key.name)) return std::unexpected(*failed);
    auto current = expect(object, removal);
    if (!current) return std::unexpected(current.error());
    if (current->finalizers.empty()) {
      forget(object.key.name);
      return Report{};
    }
    if (!current->removal_wanted) ++current->generation;
    current->removal_wanted = true;
    current->deletion_timestamp = "2026-01-31T13:00:00Z";
    return Report{write(*current)};
  }

  void stop() override { feed_.stop(); }

  // A reconciler, or a person, changes an object. The reconciler of the fake is not called.
  void change(const std::string& name, const std::function<void(reconciler::LogicalVolume&)>& how) {
    const std::lock_guard lock{mutex_};
    reconciler::LogicalVolume object = objects_.at(name);
    how(object);
    keep(object);
  }
  // An object that exists before the case.
  void add(const reconciler::LogicalVolume& object) {
    const std::lock_guard lock{mutex_};
    keep(object);
  }
  void drop(const std::string& name) {
    const std::lock_guard lock{mutex_};
    forget(name);
  }
  std::optional<reconciler::LogicalVolume> find(const std::string& name) {
    const std::lock_guard lock{mutex_};
    const auto found = objects_.find(name);
    return found == objects_.end() ? std::nullopt : std::optional{found->second};
  }

 private:
  std::optional<Error> begin(const std::string& kind, const std::string& name) {
    requests.push_back(name.empty() ? kind : kind + " " + name);
    const auto failure = failures.find(kind);
    if (failure == failures.end()) return std::nullopt;
    Error error = failure->second;
    failures.erase(failure);
    return error;
  }

  Result<reconciler::LogicalVolume> expect(const reconciler::LogicalVolume& object,
                                           Removal removal) {
    const auto found = objects_.find(object.key.name);
    if (found == objects_.end()) return fail(Code::kNotFound, "there is no {}", object.key.name);
    const bool is_same =
        found->second.uid == object.uid &&
        (removal == Removal::kAlways || found->second.resource_version == object.resource_version);
    if (!is_same) return fail(Code::kAborted, "{} has changed", object.key.name);
    return found->second;
  }

  // The object as written. What the reconciler does follows, and only the watch reports it.
  reconciler::LogicalVolume write(const reconciler::LogicalVolume& object) {
    const reconciler::LogicalVolume written = keep(object);
    if (!reconciler) return written;
    reconciler::LogicalVolume handled = written;
    if (!reconciler(handled)) {
      forget(object.key.name);
    } else if (handled != written) {
      keep(handled);
    }
    for (const Reconciler& next : afterwards)
      if (next(handled)) keep(handled);
    return written;
  }

  reconciler::LogicalVolume keep(reconciler::LogicalVolume object) {
    object.resource_version = fmt::format("{}", ++versions_);
    objects_[object.key.name] = object;
    if (!watch_is_late) feed_.put(object);
    return object;
  }

  void forget(const std::string& name) {
    objects_.erase(name);
    if (!watch_is_late) feed_.erase(name);
  }

  mutable std::mutex mutex_;
  ObjectFeed feed_;
  std::map<std::string, reconciler::LogicalVolume> objects_;
  unsigned uids_ = 0;
  unsigned versions_ = 100;
};

// A limit that no case reaches, and one that is over.
inline CallLimit long_limit() {
  return {.deadline = std::chrono::steady_clock::now() + std::chrono::minutes{1}};
}
inline CallLimit no_time() { return {.deadline = std::chrono::steady_clock::now()}; }

}  // namespace lvmd::controller::test
