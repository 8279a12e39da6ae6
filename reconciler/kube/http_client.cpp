#include "reconciler/kube/http_client.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "reconciler/kube/socket_options.hpp"

namespace lvmd::reconciler::kube {
namespace {

using Clock = std::chrono::steady_clock;

constexpr long kConnectSeconds = 10;
constexpr int kPollMilliseconds = 1000;
// The longest pause, even if the server requests a longer one: nothing would show why the
// reconciler does nothing.
constexpr std::chrono::minutes kLongestPause{5};
// A pause up to this length is waited for here. A longer one is an error, so that it does not delay
// the retries of other objects.
constexpr std::chrono::seconds kPatience{10};

int prepare_socket(void* /*client*/, curl_socket_t socket, curlsocktype /*purpose*/) {
  return limit_silence(socket) ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

// Empty: no token.
Result<std::string> read_token(const KubeOptions& options) {
  if (options.token_file.empty()) return options.token;
  std::ifstream file{options.token_file};
  std::string token;
  if (!(file >> token))
    return fail(Code::kUnavailable, "token file {} cannot be read or is empty", options.token_file);
  return token;
}

void set_pem(CURL* easy, const Pem& pem, CURLoption file, CURLoption data) {
  if (!pem.data.empty()) {
    curl_blob blob{.data = const_cast<char*>(pem.data.data()),  // NOLINT: copied, never written to
                   .len = pem.data.size(),
                   .flags = CURL_BLOB_COPY};
    curl_easy_setopt(easy, data, &blob);
  } else if (!pem.file.empty()) {
    curl_easy_setopt(easy, file, pem.file.c_str());
  }
}

}  // namespace

Result<StopSignal> StopSignal::open() {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    return fail(Code::kInternal, "libcurl cannot be initialised");
  UniqueFd fd{::eventfd(0, EFD_CLOEXEC)};
  if (!fd) return fail_errno(errno, "opening an eventfd");
  return StopSignal{std::move(fd)};
}

void StopSignal::raise() const {
  // Adding 1 to a counter far from its maximum cannot fail.
  static_cast<void>(::eventfd_write(fd_.get(), 1));
}

struct HttpClient::Received {
  CURL* easy = nullptr;
  const StreamHandler* handler = nullptr;
  Clock::time_point last = Clock::now();
  HttpResponse response{};
};

HttpClient::HttpClient(KubeOptions options, int stop_fd)
    : options_(std::move(options)), stop_fd_(stop_fd), easy_(curl_easy_init()) {}

std::size_t HttpClient::receive_header(char* data, std::size_t size, std::size_t count,
                                       void* target) {
  auto& received = *static_cast<Received*>(target);
  const std::string_view line{data, size * count};
  received.last = Clock::now();
  curl_easy_getinfo(received.easy, CURLINFO_RESPONSE_CODE, &received.response.status);
  const bool is_end = line == "\r\n";
  if (is_end && received.handler != nullptr && received.response.status == 200)
    received.handler->on_open();
  return line.size();
}

std::size_t HttpClient::receive(char* data, std::size_t size, std::size_t count, void* target) {
  auto& received = *static_cast<Received*>(target);
  const std::string_view piece{data, size * count};
  received.last = Clock::now();
  curl_easy_getinfo(received.easy, CURLINFO_RESPONSE_CODE, &received.response.status);
  if (received.handler != nullptr && received.response.status == 200)
    received.handler->on_data(piece);
  else
    received.response.body += piece;
  return piece.size();
}

Status HttpClient::check_pause() const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(not_before_ - Clock::now());
  if (left.count() <= 0) return {};
  if (left > kPatience)
    return fail(Code::kUnavailable, "{} requested a pause, which ends in {} ms", options_.server,
                left.count());
  pollfd stop{.fd = stop_fd_, .events = POLLIN, .revents = 0};
  if (::poll(&stop, 1, static_cast<int>(left.count())) > 0)
    return fail(Code::kCancelled, "stopping");
  return {};
}

Status HttpClient::set_headers(const HttpRequest& request) {
  auto token = read_token(options_);
  if (!token) return std::unexpected(std::move(token.error()));
  std::vector<std::string> headers{
      "Accept: " + request.accept,
      fmt::format("Content-Type: application/{}",
                  request.method == "PATCH" ? "merge-patch+json" : "json")};
  if (!token->empty()) headers.push_back("Authorization: Bearer " + *token);
  headers_.reset();
  for (const std::string& header : headers) {
    curl_slist* const longer = curl_slist_append(headers_.get(), header.c_str());
    if (longer == nullptr) return fail(Code::kResourceExhausted, "out of memory");
    static_cast<void>(headers_.release());
    headers_.reset(longer);
  }
  curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
  return {};
}

void HttpClient::set_trust() {
  CURL* const easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_CAINFO, nullptr);
  curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  // libcurl's default is a day, in which a replaced file has no effect [R-KUBE-11].
  curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, 0L);
  set_pem(easy, options_.ca, CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB);
  set_pem(easy, options_.client_certificate, CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB);
  set_pem(easy, options_.client_key, CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB);
}

Status HttpClient::prepare(const HttpRequest& request) {
  CURL* const easy = easy_.get();
  // Resets the options of the last request and keeps the connection.
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_URL, (options_.server + request.path).c_str());
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (!request.body.empty()) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
  }
  curl_easy_setopt(easy, CURLOPT_USERAGENT, (options_.user_agent + "/" LVMD_VERSION).c_str());
  set_trust();
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https");  // [R-KUBE-11]
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
  // With HTTP/2, an API server that shuts down can send its clients to another one (GOAWAY).
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT, static_cast<long>(request.timeout.count()));
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, &prepare_socket);
  return set_headers(request);
}

// curl_multi with one transfer, because it can also wait for another descriptor.
Status HttpClient::perform(const Received& received, std::chrono::seconds silence) {
  if (curl_multi_add_handle(multi_.get(), easy_.get()) != CURLM_OK)
    return fail(Code::kInternal, "libcurl cannot begin a request");
  // The handle must be removed before its next use, on every path.
  const auto leave = [this](CURL* easy) { curl_multi_remove_handle(multi_.get(), easy); };
  const std::unique_ptr<CURL, decltype(leave)> entered{easy_.get(), leave};
  int running = 1;
  while (true) {
    if (const CURLMcode code = curl_multi_perform(multi_.get(), &running); code != CURLM_OK)
      return fail(Code::kUnavailable, "{}: {}", options_.server, curl_multi_strerror(code));
    if (running == 0) return finish();
    curl_waitfd stop{.fd = stop_fd_, .events = CURL_WAIT_POLLIN, .revents = 0};
    const CURLMcode code = curl_multi_poll(multi_.get(), &stop, 1, kPollMilliseconds, nullptr);
    if (code != CURLM_OK)
      return fail(Code::kUnavailable, "{}: {}", options_.server, curl_multi_strerror(code));
    if (stop.revents != 0) return fail(Code::kCancelled, "stopping");
    if (silence.count() > 0 && Clock::now() - received.last >= silence)
      return fail(Code::kDeadlineExceeded, "{}: no data for {} s", options_.server,
                  silence.count());
  }
}

Status HttpClient::finish() {
  int left = 0;
  const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left);
  if (message == nullptr) return fail(Code::kInternal, "libcurl lost a request");
  if (message->data.result == CURLE_OK) return {};
  return fail(Code::kUnavailable, "{}: {}", options_.server,
              curl_easy_strerror(message->data.result));
}

Result<HttpResponse> HttpClient::send(const HttpRequest& request, const StreamHandler* handler) {
  if (!multi_) multi_.reset(curl_multi_init());
  if (!multi_ || !easy_) return fail(Code::kInternal, "libcurl cannot be used");
  if (auto may = check_pause(); !may) return std::unexpected(std::move(may.error()));
  if (auto ready = prepare(request); !ready) return std::unexpected(std::move(ready.error()));
  Received received{.easy = easy_.get(), .handler = handler};
  curl_easy_setopt(easy_.get(), CURLOPT_HEADERFUNCTION, &receive_header);
  curl_easy_setopt(easy_.get(), CURLOPT_HEADERDATA, &received);
  curl_easy_setopt(easy_.get(), CURLOPT_WRITEFUNCTION, &receive);
  curl_easy_setopt(easy_.get(), CURLOPT_WRITEDATA, &received);
  if (auto done = perform(received, request.silence); !done) {
    // libcurl keeps an HTTP/2 connection whose stream reached its time limit, and would use it for
    // the next request [R-KUBE-15]. Resetting the multi handle closes all of its connections.
    multi_.reset();
    return std::unexpected(std::move(done.error()));
  }
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &received.response.status);
  curl_off_t retry_after = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &retry_after);
  received.response.retry_after =
      std::min<std::chrono::seconds>(std::chrono::seconds{retry_after}, kLongestPause);
  not_before_ = Clock::now() + received.response.retry_after;
  return std::move(received.response);
}

}  // namespace lvmd::reconciler::kube
