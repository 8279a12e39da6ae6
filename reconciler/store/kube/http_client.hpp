// HTTPS requests to the API server that a stop ends at once.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_c.hpp"
#include "reconciler/store/kube/kube_store.hpp"

namespace lvmd::reconciler::kube {

struct HttpRequest {
  std::string method = "GET";
  // With the query, beginning with '/'.
  std::string path;
  // Sent when not empty: as a JSON merge patch, with POST as JSON.
  std::string body{};
  std::chrono::seconds timeout{30};
};

struct HttpResponse {
  long status = 0;
  std::string body;
  // What the server asks for before the next try; 0: nothing [R-KUBE-7, R-KUBE-14].
  std::chrono::seconds retry_after{0};
};

// One connection, kept open between requests. Not safe from several threads at once.
class HttpClient {
 public:
  // Takes a piece of the body of a response with status 200.
  using OnData = std::function<void(std::string_view)>;

  // `stop_fd`: a descriptor that is readable when every request has to end, from then on. libcurl
  // must have been initialised.
  HttpClient(const KubeOptions& options, int stop_fd);

  // The server's answer, whatever its status. Unavailable when there is none, or while the pause
  // that the server asked for lasts [R-KUBE-14], Cancelled on a stop; the message names the server,
  // never the token.
  [[nodiscard]] Result<HttpResponse> send(const HttpRequest& request);

  // As send(), but a body with status 200 goes to `on_data` as it comes and not into the response.
  [[nodiscard]] Result<HttpResponse> stream(const HttpRequest& request, const OnData& on_data);

 private:
  [[nodiscard]] Status check_pause() const;
  [[nodiscard]] Status set_headers(const HttpRequest& request);
  void set_trust();
  [[nodiscard]] Status prepare(const HttpRequest& request);
  [[nodiscard]] Status perform();
  [[nodiscard]] Status finish();

  KubeOptions options_;
  int stop_fd_;
  std::chrono::steady_clock::time_point not_before_{};
  UniqueC<CURLM, &curl_multi_cleanup> multi_;
  UniqueC<CURL, &curl_easy_cleanup> easy_;
  UniqueC<curl_slist, &curl_slist_free_all> headers_;
};

}  // namespace lvmd::reconciler::kube
