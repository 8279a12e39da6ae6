// A VolumeStore and a VolumeService in memory: what a pass does to them can be read afterwards.
#pragma once

#include <deque>
#include <map>
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
  std::vector<std::string> calls;
  // Answered by the next writes, one each, in place of success.
  std::deque<Error> errors;
  // What reread() finds.
  std::optional<LogicalVolume> newer;

  Status start(Changed) override { return {}; }
  void stop() override {}
  std::vector<Key> keys() const override { return {object.key}; }
  std::optional<LogicalVolume> get(const Key&) const override {
    return exists ? std::optional{object} : std::nullopt;
  }
  Result<LogicalVolume> reread(const Key&) override {
    calls.emplace_back("reread");
    if (newer) object = *newer;
    return object;
  }
  Result<LogicalVolume> mark(const LogicalVolume&) override {
    if (auto failed = begin("mark"); !failed) return std::unexpected(failed.error());
    object.marked = object.held = true;
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
    object.resource_version += "s";
    return object;
  }
  Status release(const LogicalVolume&) override {
    if (auto failed = begin("release"); !failed) return failed;
    exists = false;
    return {};
  }

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
  std::vector<std::string> calls;
  // Answered by every call while set.
  std::optional<Error> error;
  // OK is answered, but nothing is resized.
  bool lazy = false;

  Result<std::optional<Bytes>> find(const VolumeName& volume) override {
    calls.push_back("find " + volume.device_class);
    if (error) return std::unexpected(*error);
    const auto found = volumes.find(volume.name);
    if (found == volumes.end()) return std::nullopt;
    return found->second;
  }
  Result<Bytes> create(const VolumeName& volume, const std::string& option_class,
                       Bytes size) override {
    calls.push_back("create " + volume.name + " " + option_class);
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
    if (volumes.erase(volume.name) == 0) return fail(Code::kNotFound, "no {}", volume.name);
    return {};
  }
  void cancel() override {}
};

}  // namespace lvmd::reconciler::test
