#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/kube_store.hpp"
#include "reconciler/kube/snapshot_json.hpp"
#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler::kube {
namespace {

constexpr std::string_view kSnapshots = "/apis/snapshot.storage.k8s.io/v1";

class KubeCatalog final : public SnapshotCatalog {
 public:
  KubeCatalog(const KubeOptions& options, StopSignal stop)
      : stop_(std::move(stop)), http_(options, stop_.fd()) {}

  Result<std::optional<SnapshotClass>> find_class(const LogicalVolume& snapshot) override {
    const auto name = content_name(snapshot.spec.name);
    if (!name) return std::nullopt;
    const auto content =
        get(fmt::format("{}/volumesnapshotcontents/{}", kSnapshots, percent_encode(*name)));
    if (!content) return std::unexpected(content.error());
    if (!*content) return std::nullopt;
    const auto class_name = class_name_of(**content);
    if (!class_name) return std::unexpected(class_name.error());
    if (class_name->empty()) return std::nullopt;
    const auto text =
        get(fmt::format("{}/volumesnapshotclasses/{}", kSnapshots, percent_encode(*class_name)));
    if (!text) return std::unexpected(text.error());
    if (!*text) return std::nullopt;
    return optional_of(parse_snapshot_class(snapshot.key.group, **text));
  }

  Result<std::optional<PersistentVolume>> find_persistent_volume(const std::string& name) override {
    if (name.empty()) return std::nullopt;
    const auto text = get(fmt::format("/api/v1/persistentvolumes/{}", percent_encode(name)));
    if (!text) return std::unexpected(text.error());
    if (!*text) return std::nullopt;
    return optional_of(parse_persistent_volume(**text));
  }

  Result<LocationSettings> open_location(const LogicalVolume& /*object*/,
                                         const LocationName& name) override {
    if (name.name.empty() || name.namespace_name.empty())
      return fail(Code::kFailedPrecondition,
                  "the VolumeSnapshotClass has no parameter {}: it must name a "
                  "SnapshotBackupStorage",
                  name.name.empty() ? "topolvm.io/snapshotStorageName"
                                    : "topolvm.io/snapshotStorageNamespace")
          .because(own_reason::kNoStorage);
    const auto text = get(backup_location_path(name));
    if (!text) return std::unexpected(text.error());
    if (!*text)
      return fail(Code::kUnavailable, "there is no SnapshotBackupStorage {}/{}",
                  name.namespace_name, name.name)
          .because(own_reason::kNoStorage);
    auto location = parse_location(name, **text);
    if (!location) return std::unexpected(std::move(location.error()));
    if (auto added = add_credentials(name, *location); !added)
      return std::unexpected(std::move(added.error()));
    return std::move(location->settings);
  }

  void stop() override { stop_.raise(); }

 private:
  template <typename T>
  static Result<std::optional<T>> optional_of(Result<T> parsed) {
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    return std::optional<T>{std::move(*parsed)};
  }

  Status add_credentials(const LocationName& name, LocationObject& location) {
    const auto secret =
        get(fmt::format("/api/v1/namespaces/{}/secrets/{}", percent_encode(name.namespace_name),
                        percent_encode(location.secret_name)));
    if (!secret) return std::unexpected(secret.error());
    if (!*secret)
      return fail(Code::kUnavailable,
                  "there is no Secret {}/{}, which SnapshotBackupStorage {} names",
                  name.namespace_name, location.secret_name, name.name)
          .because(own_reason::kNoCredentials);
    return add_secret(name, **secret, location.settings);
  }

  // Absent: the object or its kind does not exist. Other errors can be temporary [R-ONLINE-1].
  Result<std::optional<std::string>> get(const std::string& path) {
    // One request at a time over one connection: a response takes milliseconds.
    const std::lock_guard lock{mutex_};
    auto response = http_.send({.path = path});
    if (!response) return std::unexpected(std::move(response.error()));
    const auto error = error_of(response->status, response->body);
    if (!error) return std::optional{std::move(response->body)};
    if (error->code == Code::kNotFound) return std::nullopt;
    return fail(Code::kUnavailable, "{}", error->message).because(own_reason::kLookUpFailed);
  }

  const StopSignal stop_;
  std::mutex mutex_;
  HttpClient http_;
};

}  // namespace

Result<std::unique_ptr<SnapshotCatalog>> open_snapshot_catalog(const KubeOptions& options) {
  auto stop = StopSignal::open();
  if (!stop) return std::unexpected(std::move(stop.error()));
  return std::make_unique<KubeCatalog>(options, std::move(*stop));
}

}  // namespace lvmd::reconciler::kube
