// HTTPS requests to the API server that a stop ends at once.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_c.hpp"
#include "reconciler/kube/kube_store.hpp"

namespace lvmd::reconciler::kube {

struct HttpRequest {
  std::string method = "GET";
  // With the query, beginning with '/'.
  std::string path;
  // Sent when not empty: as a JSON merge patch, with POST as JSON.
  std::string body{};
  std::chrono::seconds timeout{30};
  // The longest time in which nothing comes; 0: only `timeout` counts.
  std::chrono::seconds silence{0};
};

struct HttpResponse {
  long status = 0;
  std::string body;
  // What the server asks for before the next try; 0: nothing [R-KUBE-7, R-KUBE-14].
  std::chrono::seconds retry_after{0};
};

// One connection, kept open between requests. A request that ends without its answer closes it: the
// next one opens another [R-KUBE-15]. Not safe from several threads at once.
class HttpClient {
 public:
  struct StreamHandler {
    // The response has status 200; its body comes.
    std::function<void()> on_open;
    // Takes a piece of that body.
    std::function<void(std::string_view)> on_data;
  };

  // `stop_fd`: a descriptor that is readable when every request has to end, from then on. libcurl
  // must have been initialised.
  HttpClient(const KubeOptions& options, int stop_fd);

  // The server's answer, whatever its status. Unavailable when there is none, or while the pause
  // that the server asked for lasts [R-KUBE-14], Cancelled on a stop; the message names the server,
  // never the token.
  [[nodiscard]] Result<HttpResponse> send(const HttpRequest& request);

  // As send(), but a response with status 200 goes to `listener` as it comes. DeadlineExceeded when
  // nothing came for `request.silence`.
  [[nodiscard]] Result<HttpResponse> stream(const HttpRequest& request,
                                            const StreamHandler& handler);

 private:
  struct Received;

  static std::size_t receive_header(char* data, std::size_t size, std::size_t count, void* target);
  static std::size_t receive(char* data, std::size_t size, std::size_t count, void* target);

  [[nodiscard]] Result<HttpResponse> exchange(const HttpRequest& request,
                                              const StreamHandler* handler);
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
