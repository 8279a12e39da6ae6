#include "reconciler/kube/kube_store.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "reconciler/kube/event_sender.hpp"
#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/node_writer.hpp"
#include "reconciler/kube/object_cache.hpp"
#include "reconciler/kube/object_json.hpp"
#include "reconciler/kube/patch_json.hpp"
#include "reconciler/kube/reflector.hpp"
#include "reconciler/kube/volume_handler.hpp"
#include "reconciler/kube/volume_names.hpp"

namespace lvmd::reconciler::kube {
namespace {

class KubeStore final : public VolumeStore {
 public:
  KubeStore(const KubeOptions& options, StopSignal stop)
      : options_(options),
        stop_(std::move(stop)),
        cache_(options.node_name),
        volumes_(Group::kTopolvm, options.node_name, cache_),
        legacy_volumes_(Group::kLegacy, options.node_name, cache_),
        writer_(options, stop_.fd()),
        lister_(options, stop_.fd()),
        events_(options, stop_.fd()),
        node_(options, stop_.fd()) {}
  KubeStore(const KubeStore&) = delete;
  KubeStore& operator=(const KubeStore&) = delete;
  ~KubeStore() override { stop(); }

  Status start(Changed changed) override {
    cache_.on_change(std::move(changed));
    for (VolumeHandler* const volumes : {&volumes_, &legacy_volumes_})
      reflectors_.push_back(std::make_unique<Reflector>(options_, *volumes, stop_.fd()));
    node_reflector_.emplace(options_, node_, stop_.fd());
    started_ = true;
    return {};
  }

  void stop() override {
    stop_.raise();
    // They stay in place, because readiness can be read until the end.
    for (const auto& reflector : reflectors_) reflector->join();
    if (node_reflector_) node_reflector_->join();
    events_.stop();
  }

  bool is_ready() const override {
    return started_ &&
           std::ranges::all_of(reflectors_, [](const auto& one) { return one->is_synced(); });
  }

  std::vector<Key> keys() const override { return cache_.keys(); }
  std::optional<LogicalVolume> get(const Key& key) const override { return cache_.get(key); }

  std::optional<std::vector<Claim>> claims() const override {
    if (!is_ready()) return std::nullopt;
    std::vector<Claim> claims = cache_.claims();
    // The second check: the API server may have become unreachable meanwhile.
    return is_ready() ? std::optional{std::move(claims)} : std::nullopt;
  }

  Result<std::set<std::string>> all_volume_names() override {
    const std::lock_guard lock{lister_mutex_};
    return list_volume_names(lister_);
  }

  // The UID is unique: a Node of another cluster or host has another one, and so has a Node that is
  // created again under the same name.
  std::string owner() const override {
    const std::string uid = node_.uid();
    return uid.empty() ? uid : "kube/" + uid;
  }

  Result<LogicalVolume> reread(const Key& key) override {
    return send(key, {.path = object_path(key)});
  }

  Result<LogicalVolume> add_finalizer(const LogicalVolume& object) override {
    return patch(object.key, object_path(object.key), finalizer_patch(object));
  }

  // metadata.deletionTimestamp is the record of the removal.
  Result<LogicalVolume> begin_removal(const LogicalVolume& object) override { return object; }

  Result<LogicalVolume> write_status(const LogicalVolume& object,
                                     const VolumeStatus& status) override {
    return patch(object.key, status_path(object.key), status_patch(object, status));
  }

  Status remove_finalizer(const LogicalVolume& object) override {
    const auto released =
        patch(object.key, object_path(object.key), finalizer_removal_patch(object));
    if (!released && released.error().code != Code::kNotFound)
      return std::unexpected(released.error());
    return {};
  }

  void record_event(const LogicalVolume& object, const Event& event) override {
    events_.send(object, event);
  }

  Status publish(const Capacity& capacity) override { return node_.publish(capacity); }

 private:
  Result<LogicalVolume> patch(const Key& key, const std::string& path, const std::string& body) {
    return send(key, {.method = "PATCH", .path = path, .body = body});
  }

  Result<LogicalVolume> send(const Key& key, const HttpRequest& request) {
    // One request at a time over one connection: a response takes milliseconds.
    const std::lock_guard lock{writer_mutex_};
    const auto body = body_of(writer_.send(request));
    if (!body) return std::unexpected(body.error());
    return parse_object(key.group, *body);
  }

  const KubeOptions options_;
  const StopSignal stop_;
  ObjectCache cache_;
  VolumeHandler volumes_;
  VolumeHandler legacy_volumes_;
  std::mutex writer_mutex_;
  HttpClient writer_;
  // A connection of its own, because a list of the whole cluster takes longer.
  std::mutex lister_mutex_;
  HttpClient lister_;
  EventSender events_;
  NodeWriter node_;
  // Not part of readiness: the reconciler does not need the Node.
  std::optional<Reflector> node_reflector_;
  // Does not change after `started_` is set.
  std::vector<std::unique_ptr<Reflector>> reflectors_;
  std::atomic<bool> started_ = false;
};

}  // namespace

Result<std::unique_ptr<VolumeStore>> open_kube_store(const KubeOptions& options) {
  auto stop = StopSignal::open();
  if (!stop) return std::unexpected(std::move(stop.error()));
  return std::make_unique<KubeStore>(options, std::move(*stop));
}

}  // namespace lvmd::reconciler::kube
