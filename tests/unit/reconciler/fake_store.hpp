// A VolumeStore and a VolumeService in memory, which record the calls of a reconciliation.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/volume_store.hpp"

namespace lvmd::reconciler::test {

class FakeStore : public VolumeStore {
 public:
  LogicalVolume object;
  bool exists = true;
  // The result of claims().
  std::optional<std::vector<Claim>> claimed;
  std::vector<std::string> calls;
  // The reasons of the recorded events.
  std::vector<std::string> events;
  // status.csiStatus of each written status, or "none".
  std::vector<std::string> states;
  // The class of the last add_finalizer().
  std::string finalizer_class;
  // The results of the next writes, one each.
  std::deque<Error> errors;
  // The same for writes of status only.
  std::deque<Error> status_errors;
  // add_finalizer() stores the class in the object, as in both stores.
  bool keeps_class = false;
  // Like a CRD without these fields.
  bool drops_newer_fields = false;
  // Other objects that reread() finds.
  std::map<Key, LogicalVolume> others;
  // The result of reread() for the object.
  std::optional<LogicalVolume> newer;

  Status start(Changed /*changed*/) override { return {}; }
  void stop() override {}
  bool is_ready() const override { return true; }
  std::vector<Key> keys() const override { return {object.key}; }
  std::optional<std::vector<Claim>> claims() const override { return claimed; }
  std::optional<LogicalVolume> get(const Key& /*key*/) const override {
    return exists ? std::optional{object} : std::nullopt;
  }
  Result<std::set<std::string>> all_volume_names() override {
    if (names_error) return std::unexpected(*names_error);
    return names;
  }
  std::string owner() const override { return own; }
  // The results of all_volume_names() and owner().
  std::set<std::string> names{"somebody's"};
  std::optional<Error> names_error;
  std::string own = "kube/node-1";

  Result<LogicalVolume> reread(const Key& key) override {
    if (key != object.key) {
      calls.push_back("read " + key.name);
      if (const auto other = others.find(key); other != others.end()) return other->second;
      return fail(Code::kNotFound, "no {}", key.name);
    }
    calls.emplace_back("reread");
    if (newer) object = *newer;
    return object;
  }
  Result<LogicalVolume> add_finalizer(const LogicalVolume& volume) override {
    if (auto failed = begin("mark"); !failed) return std::unexpected(failed.error());
    finalizer_class = volume.spec.device_class;
    if (keeps_class) object.spec.device_class = volume.spec.device_class;
    object.has_metadata = object.has_finalizer = true;
    if (!volume.restore_from.empty()) object.restore_from = volume.restore_from;
    object.resource_version += "m";
    if (object.uid.empty()) object.uid = "fresh";
    return object;
  }
  Result<LogicalVolume> begin_removal(const LogicalVolume& /*volume*/) override {
    if (auto failed = begin("begin removal"); !failed) return std::unexpected(failed.error());
    object.removal_begun = true;
    return object;
  }
  Result<LogicalVolume> write_status(const LogicalVolume& /*volume*/,
                                     const VolumeStatus& status) override {
    if (auto failed = begin("status"); !failed) return std::unexpected(failed.error());
    if (!status_errors.empty()) {
      const Error error = status_errors.front();
      status_errors.pop_front();
      return std::unexpected(error);
    }
    object.status = status;
    states.push_back(status.csi ? status.csi->state : "none");
    if (drops_newer_fields) {
      object.status.observed_generation = 0;
      object.status.conditions.clear();
      object.status.csi.reset();
    }
    object.resource_version += "s";
    return object;
  }
  Status remove_finalizer(const LogicalVolume& /*volume*/) override {
    if (auto failed = begin("release"); !failed) return failed;
    exists = false;
    return {};
  }

  void record_event(const LogicalVolume& /*volume*/, const Event& event) override {
    events.push_back(event.reason);
  }
  Status publish(const Capacity& capacity) override {
    const std::lock_guard lock{publish_mutex};
    if (refused < refusals) {
      ++refused;
      return fail(Code::kUnavailable, "API server away");
    }
    published.push_back(capacity);
    return {};
  }
  std::mutex publish_mutex;
  std::vector<Capacity> published;
  // How often publish() fails at first, and how often it has failed.
  int refusals = 0;
  int refused = 0;

 private:
  Status begin(const char* name) {
    calls.emplace_back(name);
    if (errors.empty()) return {};
    const Error error = errors.front();
    errors.pop_front();
    return std::unexpected(error);
  }
};

class FakeService : public VolumeService {
 public:
  std::map<std::string, Bytes> volumes;
  std::vector<ClassGroup> groups;
  std::vector<std::string> calls;
  // The result of every call while it is set.
  std::optional<Error> error;
  // The real class of a volume. remove() does not find the volume in another class.
  std::map<std::string, std::string> class_of;
  // The owners of volumes. An lvmd without owners has no list of classes.
  std::map<std::string, std::string> owners;
  // The restores for which volumes were created.
  std::map<std::string, std::string> restores;
  bool knows_owners = true;
  std::vector<UnusableClass> unusable;
  // set_owner() calls this at its end.
  std::function<void()> on_owner;
  // Empty: lvmd does not report it.
  std::string default_name;
  // resize() returns OK without an effect.
  bool lazy = false;

  Result<std::vector<ClassGroup>> classes(const std::string& name) override {
    calls.push_back("classes " + name);
    if (error) return std::unexpected(*error);
    return groups;
  }
  Result<std::optional<Bytes>> find(const VolumeName& volume) override {
    calls.push_back("find " + volume.device_class);
    if (error) return std::unexpected(*error);
    const auto found = volumes.find(volume.name);
    if (found == volumes.end()) return std::nullopt;
    return found->second;
  }
  Result<std::string> default_class() override {
    if (error) return std::unexpected(*error);
    return default_name;
  }
  Result<Inventory> inventory() override {
    if (error) return std::unexpected(*error);
    Inventory all{
        .classes = {"", "ssd"}, .volumes = {}, .unusable = unusable, .is_complete = knows_owners};
    for (const auto& [name, size] : volumes)
      all.volumes.push_back({.device_class = class_of.contains(name) ? class_of.at(name) : "ssd",
                             .name = name,
                             .path = "/dev/vg0/" + name,
                             .size = size,
                             .owner = owners.contains(name) ? owners.at(name) : ""});
    return all;
  }
  Result<Bytes> create(const VolumeName& volume, const std::string& option_class, Bytes size,
                       const std::string& owner, const std::string& restore) override {
    calls.push_back("create " + volume.name + " " + option_class);
    if (!restore.empty()) restores[volume.name] = restore;
    if (error) return std::unexpected(*error);
    owners[volume.name] = owner;
    class_of[volume.name] = volume.device_class;
    return volumes[volume.name] = size;
  }
  Result<Bytes> create_snapshot(const VolumeName& volume, const std::string& source,
                                const std::string& access_type, Bytes size,
                                const std::string& owner) override {
    calls.push_back("snapshot " + volume.name + " of " + source + " " + access_type);
    if (error) return std::unexpected(*error);
    owners[volume.name] = owner;
    return volumes[volume.name] = size;
  }
  Result<Bytes> resize(const VolumeName& volume, Bytes size) override {
    calls.push_back("resize " + volume.name);
    if (error) return std::unexpected(*error);
    if (!volumes.contains(volume.name)) return fail(Code::kNotFound, "no {}", volume.name);
    if (!lazy) volumes[volume.name] = size;
    return volumes[volume.name];
  }
  Status set_owner(const VolumeName& volume, const std::string& owner) override {
    calls.push_back("owner " + volume.name + " " + owner);
    if (error) return std::unexpected(*error);
    owners[volume.name] = owner;
    if (on_owner) on_owner();
    return {};
  }
  Status remove(const VolumeName& volume) override {
    calls.push_back("remove " + volume.name);
    if (error) return std::unexpected(*error);
    if (const auto real = class_of.find(volume.name);
        real != class_of.end() && real->second != volume.device_class)
      return fail(Code::kNotFound, "no {} in {}", volume.name, volume.device_class);
    if (volumes.erase(volume.name) == 0) return fail(Code::kNotFound, "no {}", volume.name);
    return {};
  }
  Status watch(const CapacityCallback& seen) override {
    for (const Capacity& capacity : capacities) seen(capacity);
    std::unique_lock lock{watch_mutex};
    watch_ended.wait(lock, [this] { return cancelled; });
    return fail(Code::kCancelled, "stopping");
  }
  void cancel() override {
    const std::lock_guard lock{watch_mutex};
    cancelled = true;
    watch_ended.notify_all();
  }
  // The capacities that watch() reports, one after the other.
  std::vector<Capacity> capacities;
  std::mutex watch_mutex;
  std::condition_variable watch_ended;
  bool cancelled = false;
};

}  // namespace lvmd::reconciler::test
