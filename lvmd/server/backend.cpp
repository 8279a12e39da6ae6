#include "lvmd/server/backend.hpp"

#include <algorithm>
#include <utility>

#include "lvmd/server/responses.hpp"

namespace lvmd::server {

Backend::Backend(model::ClassCatalog catalog, const std::vector<std::string>& volume_groups)
    : catalog_(std::move(catalog)),
      read_model_(volume_groups),
      health_(catalog_, volume_groups, read_model_,
              [this](std::string_view name) { return worker(name).is_attached(); }),
      observer_(read_model_) {
  read_model_.on_change([this] { changed(); });
  for (const std::string& name : volume_groups)
    workers_.try_emplace(name, name, read_model_, [this] { changed(); });
}

Backend::~Backend() {
  // While all of them are still there: their threads look at each other's state in changed().
  for (auto& [name, worker] : workers_) worker.detach();
}

Status Backend::attach_worker(std::string_view volume_group, channel::Channel channel) {
  const auto found = workers_.find(volume_group);
  if (found == workers_.end())
    return fail(Code::kInvalidArgument, "a worker for volume group {}, which isn't configured",
                volume_group);
  found->second.attach(std::move(channel));
  return {};
}

void Backend::attach_observer(channel::Channel channel) { observer_.attach(std::move(channel)); }

WorkerClient& Backend::worker(std::string_view volume_group) {
  return workers_.find(volume_group)->second;
}

bool Backend::is_complete() const {
  return read_model_.is_complete() &&
         std::ranges::all_of(workers_, [](const auto& e) { return e.second.is_attached(); });
}

void Backend::open(std::chrono::milliseconds limit) {
  {
    std::unique_lock lock{change_mutex_};
    change_.wait_for(lock, limit, [this] { return hurried_ || is_complete(); });
  }
  open_ = true;
  changed();
}

void Backend::hurry() {
  const std::lock_guard lock{change_mutex_};
  hurried_ = true;
  change_.notify_all();
}

void Backend::changed() {
  {
    // Taken so that the waiter can't miss a change between its check and its wait.
    const std::lock_guard lock{change_mutex_};
  }
  change_.notify_all();
  if (!open_) return;
  watch_feed_.publish([this] { return watch_message(catalog_, read_model_); });
  health_.refresh();
}

void Backend::end_streams(const Error& reason) {
  watch_feed_.end(reason);
  health_.end(reason);
}

}  // namespace lvmd::server
