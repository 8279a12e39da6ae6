// List and watch of one API group, for ever. Rules: R-KUBE-1 to R-KUBE-7.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/store/kube/http_client.hpp"
#include "reconciler/store/kube/kube_api.hpp"
#include "reconciler/store/kube/object_cache.hpp"

namespace lvmd::reconciler::kube {

class GroupFollower {
 public:
  // Works on a thread of its own until `stop_fd` is readable; the destructor waits for its end.
  GroupFollower(const KubeOptions& options, Group group, ObjectCache& cache, int stop_fd);
  GroupFollower(const GroupFollower&) = delete;
  GroupFollower& operator=(const GroupFollower&) = delete;
  ~GroupFollower() = default;

  // The group has been listed, or has no CRD, and nothing has failed since. Safe from every thread.
  [[nodiscard]] bool is_synced() const { return synced_; }

 private:
  void run();
  [[nodiscard]] Status list();
  [[nodiscard]] Result<std::vector<LogicalVolume>> list_pages(const Selection& selection);
  // Returns when a new list is needed.
  void follow();
  [[nodiscard]] Status watch();
  [[nodiscard]] Status take(std::string_view line);
  [[nodiscard]] Status checked(const Result<HttpResponse>& response);

  void told_absent();
  void failed(const char* what, const Error& error);
  void succeeded();
  // Also ends when a stop is asked for.
  void pause(std::chrono::milliseconds time) const;
  [[nodiscard]] bool stopped() const;

  const KubeOptions options_;
  const Group group_;
  ObjectCache& cache_;
  const int stop_fd_;
  HttpClient http_;
  Selection selection_;
  std::string resource_version_;
  std::chrono::seconds retry_after_{0};
  unsigned failures_ = 0;
  bool said_absent_ = false;
  std::atomic<bool> synced_ = false;
  std::jthread thread_;
};

}  // namespace lvmd::reconciler::kube
