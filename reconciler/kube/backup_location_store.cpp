#include <curl/curl.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "lvmd/base/unique_fd.hpp"
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
  KubeBackupLocationStore(const KubeOptions& options, UniqueFd stop)
      : options_(options), stop_(std::move(stop)), writer_(options, stop_.get()) {}
  ~KubeBackupLocationStore() override { stop(); }

  void start(Changed changed) override {
    cache_.emplace(std::move(changed));
    reflector_.emplace(
        options_,
        std::make_unique<BackupLocationHandler>(std::string{kBackupLocationNamespace}, *cache_),
        stop_.get());
  }

  void stop() override {
    // Adding 1 to a counter far from its maximum cannot fail.
    static_cast<void>(::eventfd_write(stop_.get(), 1));
    if (reflector_) reflector_->join();
  }

  const std::string& node() const override { return options_.node_name; }

  std::vector<BackupLocation> backup_locations() const override {
    return cache_ ? cache_->all() : std::vector<BackupLocation>{};
  }

  Result<BackupLocation> write_status(const BackupLocation& location,
                                      const BackupLocationStatus& status) override {
    const std::lock_guard lock{mutex_};
    const auto response = writer_.send({.method = "PATCH",
                                        .path = backup_location_path(location.name) + "/status",
                                        .body = location_status_patch(location, status)});
    if (!response) return std::unexpected(response.error());
    if (auto error = error_of(response->status, response->body))
      return std::unexpected(std::move(*error));
    return parse_backup_location(response->body);
  }

 private:
  const KubeOptions options_;
  const UniqueFd stop_;
  std::mutex mutex_;
  HttpClient writer_;
  std::optional<BackupLocationCache> cache_;
  // Last: its thread fills the cache.
  std::optional<Reflector> reflector_;
};

}  // namespace

Result<std::unique_ptr<BackupLocationStore>> open_backup_location_store(
    const KubeOptions& options) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    return fail(Code::kInternal, "libcurl cannot be initialised");
  UniqueFd stop{::eventfd(0, EFD_CLOEXEC)};
  if (!stop) return fail_errno(errno, "opening an eventfd");
  return std::make_unique<KubeBackupLocationStore>(options, std::move(stop));
}

}  // namespace lvmd::reconciler::kube
