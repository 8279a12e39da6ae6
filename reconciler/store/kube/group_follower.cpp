#include "reconciler/store/kube/group_follower.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "lvmd/base/log.hpp"
#include "reconciler/model/backoff.hpp"
#include "reconciler/store/kube/line_splitter.hpp"
#include "reconciler/store/kube/object_json.hpp"
#include "reconciler/store/kube/watch_event.hpp"

namespace lvmd::reconciler::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kLookForCrd{30'000};  // [R-KUBE-5]
constexpr seconds kWatch{300};
// The server ends a watch itself; one that is silent for longer is dead [R-KUBE-7].
constexpr seconds kWatchGrace{60};

}  // namespace

GroupFollower::GroupFollower(const KubeOptions& options, Group group, ObjectCache& cache,
                             int stop_fd)
    : options_(options),
      group_(group),
      cache_(cache),
      stop_fd_(stop_fd),
      http_(options, stop_fd),
      thread_([this] { run(); }) {}

void GroupFollower::run() {
  while (!stopped()) {
    const Status listed = list();
    if (listed) {
      succeeded();
      follow();
    } else if (listed.error().code == Code::kNotFound) {
      told_absent();
      pause(kLookForCrd);
    } else {
      failed("list", listed.error());
    }
  }
}

void GroupFollower::follow() {
  while (!stopped()) {
    const auto begin = std::chrono::steady_clock::now();
    const Status ended = watch();
    const bool lasted = std::chrono::steady_clock::now() - begin >= kFirstRetry;
    if (ended && lasted) continue;
    // Expired, or the CRD is gone: the list tells what is true now [R-KUBE-3].
    if (!ended &&
        (ended.error().code == Code::kOutOfRange || ended.error().code == Code::kNotFound))
      return;
    failed("watch", ended ? make_error(Code::kUnavailable, "it ended at once") : ended.error());
  }
}

Status GroupFollower::checked(const Result<HttpResponse>& response) {
  if (!response) return std::unexpected(response.error());
  retry_after_ = response->retry_after;
  if (auto error = error_of(response->status, response->body))
    return std::unexpected(std::move(*error));
  return {};
}

Result<std::vector<LogicalVolume>> GroupFollower::list_pages(const Selection& selection) {
  std::vector<LogicalVolume> objects;
  std::string continuation;
  do {
    const auto response = http_.send({.path = list_path(group_, selection, continuation)});
    if (const auto ok = checked(response); !ok) return std::unexpected(ok.error());
    auto page = parse_list(group_, response->body);
    if (!page) return std::unexpected(std::move(page.error()));
    std::ranges::move(page->objects, std::back_inserter(objects));
    resource_version_ = std::move(page->resource_version);
    continuation = std::move(page->continuation);
  } while (!continuation.empty());
  return objects;
}

Status GroupFollower::list() {
  selection_ = {.node_name = options_.node_name};
  auto objects = list_pages(selection_);
  if (!objects && objects.error().code == Code::kInvalidArgument) {  // [R-KUBE-4]
    log::notice(fmt::format("{}: the CRD can't be asked for one node's objects; all are watched",
                            to_string(group_)));
    selection_ = {};
    objects = list_pages(selection_);
  }
  if (!objects) return std::unexpected(std::move(objects.error()));
  cache_.replace(group_, *objects);
  return {};
}

Status GroupFollower::take(std::string_view line) {
  auto event = parse_watch_event(group_, line);
  if (!event) return std::unexpected(std::move(event.error()));
  if (const auto* upserted = std::get_if<Upserted>(&*event)) {
    resource_version_ = upserted->object.resource_version;
    cache_.put(upserted->object);
  } else if (const auto* deleted = std::get_if<Deleted>(&*event)) {
    resource_version_ = deleted->object.resource_version;
    cache_.erase(deleted->object.key);
  } else {
    resource_version_ = std::get<Bookmark>(*event).resource_version;
  }
  succeeded();
  return {};
}

Status GroupFollower::watch() {
  LineSplitter lines;
  Status told;
  const auto on_data = [&](std::string_view piece) {
    for (const std::string& line : lines.feed(piece))
      // Behind a line that can't be understood, nothing is.
      if (told) told = take(line);
  };
  const auto response =
      http_.stream({.path = watch_path(group_, selection_, resource_version_, kWatch.count()),
                    .timeout = kWatch + kWatchGrace},
                   on_data);
  if (!told) return told;
  return checked(response);
}

void GroupFollower::told_absent() {
  synced_ = true;
  cache_.replace(group_, {});
  if (!std::exchange(said_absent_, true))
    log::notice(fmt::format("{}: no such CRD; looking for it again every {} s", to_string(group_),
                            std::chrono::duration_cast<seconds>(kLookForCrd).count()));
}

void GroupFollower::failed(const char* what, const Error& error) {
  if (stopped()) return;
  synced_ = false;
  ++failures_;
  const auto wait = std::max<milliseconds>(retry_after(failures_, random_jitter()), retry_after_);
  retry_after_ = seconds{0};
  log::warning(fmt::format("{}: {} failed, trying again in {} ms: {}", to_string(group_), what,
                           wait.count(), describe(error)));
  pause(wait);
}

void GroupFollower::succeeded() {
  synced_ = true;
  if (std::exchange(failures_, 0U) > 0)
    log::notice(fmt::format("{}: the API server answers again", to_string(group_)));
  said_absent_ = false;
}

bool GroupFollower::stopped() const {
  pollfd stop{.fd = stop_fd_, .events = POLLIN, .revents = 0};
  return ::poll(&stop, 1, 0) > 0;
}

void GroupFollower::pause(milliseconds time) const {
  pollfd stop{.fd = stop_fd_, .events = POLLIN, .revents = 0};
  static_cast<void>(::poll(&stop, 1, static_cast<int>(time.count())));
}

}  // namespace lvmd::reconciler::kube
