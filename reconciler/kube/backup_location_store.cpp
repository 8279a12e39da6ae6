#include "reconciler/kube/backup_location_store.hpp"

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
#include "reconciler/kube/reflector.hpp"

namespace lvmd::reconciler::kube {
namespace {

class KubeStorages final : public StorageStore {
 public:
  KubeStorages(const KubeOptions& options, UniqueFd stop)
      : options_(options), stop_(std::move(stop)), writer_(options, stop_.get()) {}
  ~KubeStorages() override { stop(); }

  void start(Changed changed) override {
    cache_.emplace(std::move(changed));
    follower_.emplace(options_,
                      std::make_unique<StorageCollection>(std::string{kStoragesNamespace}, *cache_),
                      stop_.get());
  }

  void stop() override {
    // Adding 1 to a counter far from full can't fail.
    static_cast<void>(::eventfd_write(stop_.get(), 1));
    if (follower_) follower_->join();
  }

  const std::string& node() const override { return options_.node_name; }

  std::vector<BackupStorage> storages() const override {
    return cache_ ? cache_->all() : std::vector<BackupStorage>{};
  }

  Result<BackupStorage> write_status(const BackupStorage& storage,
                                     const StorageStatus& status) override {
    const std::lock_guard lock{mutex_};
    const auto response = writer_.send({.method = "PATCH",
                                        .path = storage_path(storage.name) + "/status",
                                        .body = storage_status_patch(storage, status)});
    if (!response) return std::unexpected(response.error());
    if (auto error = error_of(response->status, response->body))
      return std::unexpected(std::move(*error));
    return parse_backup_storage(response->body);
  }

 private:
  const KubeOptions options_;
  const UniqueFd stop_;
  std::mutex mutex_;
  HttpClient writer_;
  std::optional<StorageCache> cache_;
  // Last: its thread fills the cache.
  std::optional<Follower> follower_;
};

}  // namespace

Result<std::unique_ptr<StorageStore>> open_storage_store(const KubeOptions& options) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    return fail(Code::kInternal, "libcurl can't be initialised");
  UniqueFd stop{::eventfd(0, EFD_CLOEXEC)};
  if (!stop) return fail_errno(errno, "opening an eventfd");
  return std::make_unique<KubeStorages>(options, std::move(stop));
}

}  // namespace lvmd::reconciler::kube
