// HTTPS requests to the API server that a stop ends at once.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_c.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "reconciler/kube/kube_store.hpp"

namespace lvmd::reconciler::kube {

struct HttpRequest {
  std::string method = "GET";
  // With the query; begins with '/'.
  std::string path;
  // Sent when not empty: as a JSON merge patch with PATCH, otherwise as JSON.
  std::string body{};
  std::chrono::seconds timeout{30};
  // The longest time without data; 0: only `timeout` applies.
  std::chrono::seconds silence{0};
  // The form of the response.
  std::string accept = "application/json";
};

struct HttpResponse {
  long status = 0;
  std::string body;
  // The pause that the server requests before the next attempt; 0: none [R-KUBE-7, R-KUBE-14].
  std::chrono::seconds retry_after{0};
};

// Ends every request whose HttpClient has its descriptor.
class StopSignal {
 public:
  // Initialises libcurl, too.
  [[nodiscard]] static Result<StopSignal> open();

  // Readable after raise().
  [[nodiscard]] int fd() const { return fd_.get(); }
  void raise() const;

 private:
  explicit StopSignal(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

// One connection, which stays open between requests. A request without a response closes it, and
// the next one opens another [R-KUBE-15]. For one thread at a time.
class HttpClient {
 public:
  struct StreamHandler {
    // The response has status 200. Its body follows.
    std::function<void()> on_open;
    // Receives a piece of the body.
    std::function<void(std::string_view)> on_data;
  };

  // `stop_fd`: of a StopSignal, which must outlive the client.
  HttpClient(KubeOptions options, int stop_fd);

  // The server's response, whatever its status. Unavailable when there is none, or during the pause
  // that the server requested [R-KUBE-14]. Cancelled on a stop. The message names the server and
  // never contains the token.
  //
  // With a handler, the body of a response with status 200 goes to it as it arrives.
  // DeadlineExceeded when no data arrived for `request.silence`.
  [[nodiscard]] Result<HttpResponse> send(const HttpRequest& request,
                                          const StreamHandler* handler = nullptr);

 private:
  struct Received;

  static std::size_t receive_header(char* data, std::size_t size, std::size_t count, void* target);
  static std::size_t receive(char* data, std::size_t size, std::size_t count, void* target);

  [[nodiscard]] Status check_pause() const;
  [[nodiscard]] Status set_headers(const HttpRequest& request);
  void set_trust();
  [[nodiscard]] Status prepare(const HttpRequest& request);
  [[nodiscard]] Status perform(const Received& received, std::chrono::seconds silence);
  [[nodiscard]] Status finish();

  KubeOptions options_;
  int stop_fd_;
  std::chrono::steady_clock::time_point not_before_{};
  UniqueC<CURLM, &curl_multi_cleanup> multi_;
  UniqueC<CURL, &curl_easy_cleanup> easy_;
  UniqueC<curl_slist, &curl_slist_free_all> headers_;
};

}  // namespace lvmd::reconciler::kube
