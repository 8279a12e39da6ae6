#include "reconciler/directory/directory_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <ranges>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/directory/catalog.hpp"
#include "reconciler/directory/first_start.hpp"
#include "reconciler/directory/folder_monitor.hpp"
#include "reconciler/directory/reading_log.hpp"
#include "reconciler/directory/trust.hpp"
#include "reconciler/model/uuid.hpp"

namespace lvmd::reconciler::directory {
namespace {

// The write only informs readers. The next poll retries it.
bool saved(const Status& status) {
  if (!status) log::error(describe(status.error()));
  return status.has_value();
}

std::vector<Key> differences(const std::map<Key, LogicalVolume>& before,
                             const std::map<Key, LogicalVolume>& after) {
  std::vector<Key> keys;
  for (const auto& [key, object] : before)
    if (!after.contains(key)) keys.push_back(key);
  for (const auto& [key, object] : after)
    if (const auto old = before.find(key); old == before.end() || old->second != object)
      keys.push_back(key);
  return keys;
}

class WatchedFolder final : public DirectoryStore {
 public:
  WatchedFolder(DirectoryOptions options, Now now, StateDirectory directory, StateContents state,
                FolderIdentity identity, std::string owner)
      : options_(std::move(options)),
        now_(std::move(now)),
        directory_(std::move(directory)),
        state_(std::move(state)),
        trust_(options_.folder, identity, count_recorded(state_)),
        owner_(std::move(owner)) {}
  WatchedFolder(const WatchedFolder&) = delete;
  WatchedFolder& operator=(const WatchedFolder&) = delete;
  ~WatchedFolder() override { stop(); }

  Status start(Changed changed) override {
    changed_ = std::move(changed);
    auto monitor = FolderMonitor::start(
        options_.folder, [this] { notify(poll()); }, [this] { return next_due(); });
    if (!monitor) return std::unexpected(std::move(monitor.error()));
    monitor_ = std::move(*monitor);
    return {};
  }

  void stop() override { monitor_.reset(); }

  bool is_ready() const override {
    const std::lock_guard lock{mutex_};
    return folder_status_ && folder_status_->distrust.empty();
  }

  std::vector<Key> keys() const override {
    const std::lock_guard lock{mutex_};
    const auto keys = std::views::keys(catalog_.objects);
    return {keys.begin(), keys.end()};
  }

  // An unusable record hides the name of its volume [R-REC-5].
  std::optional<std::vector<Claim>> claims() const override {
    const std::lock_guard lock{mutex_};
    if (!folder_status_ || !folder_status_->distrust.empty() || !state_.broken_records.empty())
      return std::nullopt;
    std::vector<Claim> claims;
    for (const auto& [key, record] : state_.records) {
      LogicalVolume object;
      if (const auto status = state_.statuses.find(key); status != state_.statuses.end())
        object.status = status->second;
      claims.push_back({.key = key,
                        .uid = record.uid,
                        .device_class = record.device_class,
                        .vg_name = {},
                        .has_volume = record.created && !record.removing && !is_stored(object)});
    }
    return claims;
  }

  // Nothing else writes records. They are read again, because volumes without a record are removed.
  Result<std::set<std::string>> all_volume_names() override {
    const std::lock_guard lock{mutex_};
    auto state = directory_.load();
    if (!state) return std::unexpected(std::move(state.error()));
    if (!state->broken_records.empty())
      return std::unexpected(state->broken_records.begin()->second);
    std::set<std::string> names;
    for (const auto* const records : {&state->records, &state_.records})
      for (const auto& [key, record] : *records) names.insert(record.uid);
    return names;
  }

  std::string owner() const override { return owner_; }

  std::optional<LogicalVolume> get(const Key& key) const override {
    const std::lock_guard lock{mutex_};
    const auto object = catalog_.objects.find(key);
    if (object == catalog_.objects.end()) return std::nullopt;
    return object->second;
  }

  // The catalog changes only with the folder, and a change of the folder is read at once.
  Result<LogicalVolume> reread(const Key& key) override {
    const std::lock_guard lock{mutex_};
    return current(key);
  }

  Result<LogicalVolume> add_finalizer(const LogicalVolume& volume) override {
    const std::lock_guard lock{mutex_};
    auto object = current(volume.key);
    if (!object) return object;
    if (object->has_finalizer) {
      if (volume.restore_from.empty() || volume.restore_from == object->restore_from) return object;
      Record decided = state_.records.at(volume.key);
      decided.restore_from = volume.restore_from;
      return object_with(std::move(decided));
    }
    auto uid = random_uuid();
    if (!uid) return std::unexpected(std::move(uid.error()));
    return object_with({.key = volume.key,
                        .uid = std::move(*uid),
                        .device_class = volume.spec.device_class,
                        .restore_from = volume.restore_from});
  }

  // [R-DEL-4, R-REC-3]
  Result<LogicalVolume> begin_removal(const LogicalVolume& volume) override {
    std::vector<Key> others;
    Result<LogicalVolume> result =
        fail(Code::kAborted, "{} is no longer to be removed", to_string(volume.key));
    {
      const std::lock_guard lock{mutex_};
      const auto before = catalog_.objects;
      read();
      others = differences(before, catalog_.objects);
      const auto record = state_.records.find(volume.key);
      const auto object = current(volume.key);
      if (object && object->removal_wanted && record != state_.records.end()) {
        Record removing = record->second;
        removing.removing = true;
        result = object_with(std::move(removing));
      }
    }
    notify(others);
    return result;
  }

  Result<LogicalVolume> write_status(const LogicalVolume& volume,
                                     const VolumeStatus& status) override {
    const std::lock_guard lock{mutex_};
    const auto record = state_.records.find(volume.key);
    const bool has_record = record != state_.records.end();
    // A volume that was created is recorded even if the document was removed meanwhile.
    if (!has_record && !catalog_.objects.contains(volume.key)) return current(volume.key);
    if (has_record && !status.volume_id.empty() && !record->second.created) {  // [R-REC-3]
      Record created = record->second;
      created.created = true;
      if (auto done = save(created); !done) return std::unexpected(std::move(done.error()));
    }
    if (auto done = save(volume.key, status); !done)
      return std::unexpected(std::move(done.error()));
    rebuild();
    return current(volume.key);
  }

  // The status first: after a crash in between, the record makes sure that the removal is finished
  // [R-DEL-7].
  Status remove_finalizer(const LogicalVolume& volume) override {
    const Key& key = volume.key;
    bool has_document = false;
    {
      const std::lock_guard lock{mutex_};
      has_document = std::ranges::any_of(
          reading_.manifests, [&](const Manifest& manifest) { return manifest.object.key == key; });
      const VolumeStatus removed{.message = is_abandoned(volume) ? "released without its volume"
                                                                 : "removed"};
      Status written = has_document ? directory_.save_status(key, "", removed)  // [R-DEL-1]
                                    : directory_.remove_status(key);
      if (!written) return written;
      if (auto done = directory_.remove_record(key); !done) return done;
      state_.records.erase(key);
      state_.statuses.erase(key);
      if (has_document) state_.statuses[key] = removed;
      rebuild();
    }
    // A document that was added again meanwhile is a new object [R-REC-4].
    if (has_document) notify({key});
    return {};
  }

  // The log and the status already have the message.
  void record_event(const LogicalVolume& /*object*/, const Event& /*event*/) override {}
  // No scheduler chooses nodes here.
  Status publish(const Capacity& /*capacity*/) override { return {}; }

  std::vector<Key> poll() override {
    const std::lock_guard lock{mutex_};
    const auto before = catalog_.objects;
    read();
    return differences(before, catalog_.objects);
  }

  Time next_due() const override {
    const std::lock_guard lock{mutex_};
    return catalog_.next_due.value_or(Time::max());
  }

 private:
  // All but notify() need the lock.

  void read() {
    reading_ = read_folder(options_.folder);
    FolderStatus status{
        .distrust = trust_.judge(reading_, count_wanted(reading_, state_, options_.node_name)),
        .problems = reading_.problems};
    if (status.distrust.empty() && trust_.can_learn_from(reading_) &&
        saved(directory_.save_folder_record(reading_.identity)))
      trust_.learn(reading_.identity);
    reading_log_.report(reading_, status);
    hold_ = status.distrust;
    if (hold_.empty() && !status.problems.empty())
      hold_ = fmt::format("{} cannot be read: {}", status.problems.front().name,
                          status.problems.front().message);
    if (folder_status_ != status && saved(directory_.save_folder_status(status)))
      folder_status_ = std::move(status);
    rebuild();
    write_missing();
    if (hold_.empty()) remove_stale();
  }

  void rebuild() {
    catalog_ = make_catalog(reading_, state_,
                            {.node_name = options_.node_name,
                             .delete_after = options_.delete_after,
                             .now = now_(),
                             .hold = hold_},
                            gaps_);
  }

  void write_missing() {
    for (const auto& [key, message] : catalog_.missing) {
      VolumeStatus status = state_.statuses[key];
      if (status.message == message) continue;
      status.message = message;
      log::notice(fmt::format("{}: {}", to_string(key), message));
      saved(save(key, status));
    }
  }

  void remove_stale() {
    for (const Key& key : stale_statuses(reading_, state_))
      if (saved(directory_.remove_status(key))) state_.statuses.erase(key);
  }

  Status save(Record record) {
    if (auto done = directory_.save_record(record); !done) return done;
    const Key key = record.key;
    state_.records[key] = std::move(record);
    return {};
  }

  // Saves the record, and returns the object with it.
  Result<LogicalVolume> object_with(Record record) {
    const Key key = record.key;
    if (auto done = save(std::move(record)); !done) return std::unexpected(std::move(done.error()));
    rebuild();
    return current(key);
  }

  Status save(const Key& key, const VolumeStatus& status) {
    const auto record = state_.records.find(key);
    const std::string uid = record == state_.records.end() ? "" : record->second.uid;
    if (auto done = directory_.save_status(key, uid, status); !done) return done;
    state_.statuses[key] = status;
    return {};
  }

  Result<LogicalVolume> current(const Key& key) const {
    const auto object = catalog_.objects.find(key);
    if (object == catalog_.objects.end())
      return fail(Code::kNotFound, "the manifest of {} was removed", to_string(key));
    return object->second;
  }

  void notify(const std::vector<Key>& keys) const {
    if (!changed_) return;
    for (const Key& key : keys) changed_(key);
  }

  const DirectoryOptions options_;
  const Now now_;
  mutable std::mutex mutex_;
  StateDirectory directory_;
  StateContents state_;
  Trust trust_;
  const std::string owner_;
  ReadingLog reading_log_;
  FolderReading reading_;
  std::optional<FolderStatus> folder_status_;
  std::string hold_;
  Gaps gaps_;
  Catalog catalog_;
  Changed changed_;
  std::unique_ptr<FolderMonitor> monitor_;
};

}  // namespace

Result<std::unique_ptr<DirectoryStore>> DirectoryStore::open(DirectoryOptions options, Now now) {
  auto directory = StateDirectory::open(options.state_directory);
  if (!directory) return std::unexpected(std::move(directory.error()));
  if (auto apart = check_apart(options.folder, options.state_directory); !apart)
    return std::unexpected(std::move(apart.error()));
  auto state = directory->load();
  if (!state) return std::unexpected(std::move(state.error()));
  auto identity = directory->folder_record();
  if (!identity) return std::unexpected(std::move(identity.error()));
  if (!*identity) {
    const auto made = first_start(options.folder, *directory);
    if (!made) return std::unexpected(made.error());
    *identity = *made;
  }
  auto owner = directory->owner_id(options.node_name);
  if (!owner) return std::unexpected(std::move(owner.error()));
  return std::make_unique<WatchedFolder>(std::move(options), std::move(now), std::move(*directory),
                                         std::move(*state), **identity, "directory/" + *owner);
}

}  // namespace lvmd::reconciler::directory
