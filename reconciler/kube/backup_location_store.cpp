#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "reconciler/kube/backup_location_handler.hpp"
#include "reconciler/kube/backup_location_json.hpp"
#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/kube_store.hpp"
#include "reconciler/kube/reflector.hpp"

namespace lvmd::reconciler::kube {
namespace {

class KubeBackupLocationStore final : public BackupLocationStore {
 public:
  KubeBackupLocationStore(const KubeOptions& options, StopSignal stop)
      : options_(options), stop_(std::move(stop)), writer_(options, stop_.fd()) {}
  KubeBackupLocationStore(const KubeBackupLocationStore&) = delete;
  KubeBackupLocationStore& operator=(const KubeBackupLocationStore&) = delete;
  ~KubeBackupLocationStore() override { stop(); }

  void start(Changed changed) override {
    handler_.emplace(std::string{kBackupLocationNamespace}, std::move(changed));
    reflector_.emplace(options_, *handler_, stop_.fd());
  }

  void stop() override {
    stop_.raise();
    if (reflector_) reflector_->join();
  }

  const std::string& node() const override { return options_.node_name; }

  std::vector<BackupLocation> backup_locations() const override {
    return handler_ ? handler_->all() : std::vector<BackupLocation>{};
  }

  Result<BackupLocation> write_status(const BackupLocation& location,
                                      const BackupLocationStatus& status) override {
    const std::lock_guard lock{mutex_};
    const auto body = body_of(writer_.send({.method = "PATCH",
                                            .path = backup_location_path(location.name) + "/status",
                                            .body = location_status_patch(location, status)}));
    if (!body) return std::unexpected(body.error());
    return parse_backup_location(*body);
  }

 private:
  const KubeOptions options_;
  const StopSignal stop_;
  std::mutex mutex_;
  HttpClient writer_;
  std::optional<BackupLocationHandler> handler_;
  // Last: its thread uses the handler.
  std::optional<Reflector> reflector_;
};

}  // namespace

Result<std::unique_ptr<BackupLocationStore>> open_backup_location_store(
    const KubeOptions& options) {
  auto stop = StopSignal::open();
  if (!stop) return std::unexpected(std::move(stop.error()));
  return std::make_unique<KubeBackupLocationStore>(options, std::move(*stop));
}

}  // namespace lvmd::reconciler::kube
