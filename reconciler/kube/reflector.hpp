// List and watch of one collection, for ever. Rules: R-KUBE-1 to R-KUBE-7.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/resource_handler.hpp"

namespace lvmd::reconciler::kube {

class Reflector {
 public:
  // Works on a thread of its own until `stop_fd` is readable; join() and the destructor wait for
  // its end.
  Reflector(const KubeOptions& options, std::unique_ptr<ResourceHandler> collection, int stop_fd);
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;
  ~Reflector() = default;

  // It has been listed, or has no CRD, and what failed since goes on again. Safe from every thread,
  // also after join().
  [[nodiscard]] bool is_synced() const { return synced_; }

  // Idempotent; not from two threads at once.
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run();
  [[nodiscard]] Status list();
  [[nodiscard]] Status list_pages();
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

  const std::unique_ptr<ResourceHandler> handler_;
  const int stop_fd_;
  HttpClient http_;
  std::string selector_;
  std::string resource_version_;
  std::chrono::seconds retry_after_{0};
  unsigned failures_ = 0;
  bool said_absent_ = false;
  // The last watch was answered that there is no such field to select by.
  bool selector_refused_ = false;
  std::atomic<bool> synced_ = false;
  std::jthread thread_;
};

}  // namespace lvmd::reconciler::kube
