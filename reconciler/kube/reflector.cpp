#include "reconciler/kube/reflector.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/line_splitter.hpp"
#include "reconciler/kube/watch_event.hpp"
#include "reconciler/model/backoff.hpp"

namespace lvmd::reconciler::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kLookForCrd{30'000};  // [R-KUBE-5]
constexpr seconds kWatch{300};
// The server normally ends the watch itself.
constexpr seconds kWatchGrace{60};
// The API server sends a bookmark every minute, but does not guarantee it [R-KUBE-7].
constexpr seconds kSilence{90};

// A list and a watch of metadata have different kinds of responses.
std::string accepted(const ResourceHandler& handler, std::string_view kind) {
  if (!handler.wants_only_metadata()) return "application/json";
  return fmt::format("application/json;as={};v=v1;g=meta.k8s.io", kind);
}

}  // namespace

Reflector::Reflector(const KubeOptions& options, ResourceHandler& handler, int stop_fd)
    : handler_(handler), stop_fd_(stop_fd), http_(options, stop_fd), thread_([this] { run(); }) {}

void Reflector::run() {
  while (!stopped()) {
    const Status listed = list();
    if (listed) {
      succeeded();
      follow();
    } else if (listed.error().code == Code::kNotFound) {
      handle_absent();
      pause(kLookForCrd);
    } else {
      failed("list", listed.error());
    }
  }
}

void Reflector::follow() {
  while (!stopped()) {
    const auto begin = std::chrono::steady_clock::now();
    const Status ended = watch();
    const bool lasted = std::chrono::steady_clock::now() - begin >= kFirstRetry;
    if (ended && lasted) {
      succeeded();
      continue;
    }
    // The watch has expired, or the CRD was deleted: a list returns the current state [R-KUBE-3].
    if (!ended &&
        (ended.error().code == Code::kOutOfRange || ended.error().code == Code::kNotFound))
      return;
    selector_refused_ =
        !ended && ended.error().code == Code::kInvalidArgument && !selector_.empty();
    if (selector_refused_) return;
    failed("watch", ended ? make_error(Code::kUnavailable, "it ended at once") : ended.error());
  }
}

Result<std::string> Reflector::checked(Result<HttpResponse> response) {
  if (response) retry_after_ = response->retry_after;
  return body_of(std::move(response));
}

Status Reflector::list_pages() {
  handler_.begin_list();
  std::string continuation;
  do {
    const auto body =
        checked(http_.send({.path = list_path(handler_.path(), selector_, continuation),
                            .accept = accepted(handler_, "PartialObjectMetadataList")}));
    if (!body) return std::unexpected(body.error());
    auto page = parse_list(*body);
    if (!page) return std::unexpected(std::move(page.error()));
    for (const nlohmann::json& item : page->items)
      if (auto taken = handler_.add_listed(item); !taken) return taken;
    resource_version_ = std::move(page->resource_version);
    continuation = std::move(page->continuation);
  } while (!continuation.empty());
  handler_.end_list();
  return {};
}

Status Reflector::list() {
  selector_ = handler_.field_selector();
  // [R-KUBE-4]
  if (!std::exchange(selector_refused_, false)) {
    Status listed = list_pages();
    if (listed || listed.error().code != Code::kInvalidArgument || selector_.empty()) return listed;
  }
  log::notice(
      fmt::format("{}: the CRD has no selector for one node's objects; all objects are watched",
                  handler_.name()));
  selector_.clear();
  return list_pages();
}

Status Reflector::take(std::string_view line) {
  auto event = parse_watch_event(line);
  if (!event) return std::unexpected(std::move(event.error()));
  if (event->kind == WatchEvent::Kind::kUpserted)
    if (auto taken = handler_.put(event->object); !taken) return taken;
  if (event->kind == WatchEvent::Kind::kDeleted)
    if (auto taken = handler_.erase(event->object); !taken) return taken;
  resource_version_ = std::move(event->resource_version);
  succeeded();
  return {};
}

Status Reflector::watch() {
  LineSplitter lines;
  Status parsed;
  bool is_open = false;
  HttpClient::StreamHandler handler;
  // From now on every change is reported, so all objects are known again.
  handler.on_open = [&] { synced_ = is_open = true; };
  handler.on_data = [&](std::string_view piece) {
    for (const std::string& line : lines.feed(piece))
      // After a line that cannot be parsed, the rest is not usable.
      if (parsed) parsed = take(line);
  };
  auto response =
      http_.send({.path = watch_path(handler_.path(), selector_, resource_version_, kWatch.count()),
                  .timeout = kWatch + kWatchGrace,
                  .silence = kSilence,
                  .accept = accepted(handler_, "PartialObjectMetadata")},
                 &handler);
  if (!parsed) return parsed;
  // Possibly nothing has happened: only the next connection shows whether this one was dead.
  if (!response && response.error().code == Code::kDeadlineExceeded && is_open) return {};
  const auto ended = checked(std::move(response));
  if (!ended) return std::unexpected(ended.error());
  return {};
}

void Reflector::handle_absent() {
  synced_ = true;
  handler_.begin_list();
  handler_.end_list();
  if (!std::exchange(absent_logged_, true))
    log::notice(fmt::format("{}: there is no such CRD; looking for it every {} s", handler_.name(),
                            std::chrono::duration_cast<seconds>(kLookForCrd).count()));
}

void Reflector::failed(const char* what, const Error& error) {
  if (stopped()) return;
  synced_ = false;
  ++failures_;
  const auto wait = std::max<milliseconds>(retry_after(failures_, random_jitter()), retry_after_);
  retry_after_ = seconds{0};
  log::warning(fmt::format("{}: {} failed, trying again in {} ms: {}", handler_.name(), what,
                           wait.count(), describe(error)));
  pause(wait);
}

void Reflector::succeeded() {
  synced_ = true;
  if (std::exchange(failures_, 0U) > 0)
    log::notice(fmt::format("{}: the API server answers again", handler_.name()));
  absent_logged_ = false;
}

bool Reflector::stopped() const {
  pollfd stop{.fd = stop_fd_, .events = POLLIN, .revents = 0};
  return ::poll(&stop, 1, 0) > 0;
}

void Reflector::pause(milliseconds time) const {
  pollfd stop{.fd = stop_fd_, .events = POLLIN, .revents = 0};
  static_cast<void>(::poll(&stop, 1, static_cast<int>(time.count())));
}

}  // namespace lvmd::reconciler::kube
