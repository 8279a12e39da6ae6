// Lists and watches one resource without end. Rules: R-KUBE-1 to R-KUBE-7.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/resource_handler.hpp"

namespace lvmd::reconciler::kube {

class Reflector {
 public:
  // Works on a thread of its own until `stop_fd` is readable. join() and the destructor wait for
  // its end. `handler` must outlive it.
  Reflector(const KubeOptions& options, ResourceHandler& handler, int stop_fd);
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;
  ~Reflector() = default;

  // The resource was listed, or has no CRD, and no failure has occurred since or the reflector has
  // recovered from it. Safe from every thread, also after join().
  [[nodiscard]] bool is_synced() const { return synced_; }

  // Idempotent. For one thread at a time.
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
  // body_of(), and notes the pause that the server requests.
  [[nodiscard]] Result<std::string> checked(Result<HttpResponse> response);

  void handle_absent();
  void failed(const char* what, const Error& error);
  void succeeded();
  // A stop ends the pause.
  void pause(std::chrono::milliseconds time) const;
  [[nodiscard]] bool stopped() const;

  ResourceHandler& handler_;
  const int stop_fd_;
  HttpClient http_;
  std::string selector_;
  std::string resource_version_;
  std::chrono::seconds retry_after_{0};
  unsigned failures_ = 0;
  bool absent_logged_ = false;
  // The response to the last watch was that the selector's field does not exist.
  bool selector_refused_ = false;
  std::atomic<bool> synced_ = false;
  std::jthread thread_;
};

}  // namespace lvmd::reconciler::kube
