// A VolumeStore and a VolumeService in memory: what a pass does to them can be read afterwards.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/store/volume_store.hpp"

namespace lvmd::reconciler::test {

class FakeStore : public VolumeStore {
 public:
  LogicalVolume object;
  bool exists = true;
  // Answered by claims().
  std::optional<std::vector<Claim>> claimed;
  std::vector<std::string> calls;
  // The reasons of the events told.
  std::vector<std::string> events;
  // The class that came with mark().
  std::string marked_class;
  // Answered by the next writes, one each, in place of success.
  std::deque<Error> errors;
  // As a CRD from before them does.
  bool drops_newer_fields = false;
  // Objects beside it that reread() finds.
  std::map<Key, LogicalVolume> others;
  // What reread() finds of it.
  std::optional<LogicalVolume> newer;

  Status start(Changed) override { return {}; }
  void stop() override {}
  bool is_ready() const override { return true; }
  std::vector<Key> keys() const override { return {object.key}; }
  std::optional<std::vector<Claim>> claims() const override { return claimed; }
  std::optional<LogicalVolume> get(const Key&) const override {
    return exists ? std::optional{object} : std::nullopt;
  }
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
  Result<LogicalVolume> mark(const LogicalVolume& volume) override {
    if (auto failed = begin("mark"); !failed) return std::unexpected(failed.error());
    marked_class = volume.spec.device_class;
    object.marked = object.held = true;
    if (!volume.restore_from.empty()) object.restore_from = volume.restore_from;
    object.resource_version += "m";
    if (object.uid.empty()) object.uid = "fresh";
    return object;
  }
  Result<LogicalVolume> begin_removal(const LogicalVolume&) override {
    if (auto failed = begin("begin removal"); !failed) return std::unexpected(failed.error());
    object.removal_begun = true;
    return object;
  }
  Result<LogicalVolume> write_status(const LogicalVolume&, const VolumeStatus& status) override {
    if (auto failed = begin("status"); !failed) return std::unexpected(failed.error());
    object.status = status;
    if (drops_newer_fields) {
      object.status.observed_generation = 0;
      object.status.conditions.clear();
    }
    object.resource_version += "s";
    return object;
  }
  Status release(const LogicalVolume&) override {
    if (auto failed = begin("release"); !failed) return failed;
    exists = false;
    return {};
  }

  void tell(const LogicalVolume&, const Event& event) override { events.push_back(event.reason); }
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
  // So many times publish() fails at first; so often it has.
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
  // Answered by every call while set.
  std::optional<Error> error;
  // The class that a volume is really in; of any other class remove() doesn't find it.
  std::map<std::string, std::string> class_of;
  // OK is answered, but nothing is resized.
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
  Result<Inventory> inventory() override {
    if (error) return std::unexpected(*error);
    Inventory all{.classes = {"", "ssd"}, .volumes = {}};
    for (const auto& [name, size] : volumes)
      all.volumes.push_back({.device_class = class_of.contains(name) ? class_of.at(name) : "ssd",
                             .name = name,
                             .path = "/dev/vg0/" + name,
                             .size = size});
    return all;
  }
  Result<Bytes> create(const VolumeName& volume, const std::string& option_class,
                       Bytes size) override {
    calls.push_back("create " + volume.name + " " + option_class);
    if (error) return std::unexpected(*error);
    return volumes[volume.name] = size;
  }
  Result<Bytes> create_snapshot(const VolumeName& volume, const std::string& source,
                                const std::string& access_type, Bytes size) override {
    calls.push_back("snapshot " + volume.name + " of " + source + " " + access_type);
    if (error) return std::unexpected(*error);
    return volumes[volume.name] = size;
  }
  Result<Bytes> resize(const VolumeName& volume, Bytes size) override {
    calls.push_back("resize " + volume.name);
    if (error) return std::unexpected(*error);
    if (!volumes.contains(volume.name)) return fail(Code::kNotFound, "no {}", volume.name);
    if (!lazy) volumes[volume.name] = size;
    return volumes[volume.name];
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
  Status watch(const Seen& seen) override {
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
  // What watch() tells, one after the other.
  std::vector<Capacity> capacities;
  std::mutex watch_mutex;
  std::condition_variable watch_ended;
  bool cancelled = false;
};

}  // namespace lvmd::reconciler::test
