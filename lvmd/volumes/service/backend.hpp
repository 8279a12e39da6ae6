// The common state of the volume services: the configuration, the read model, the clients of
// workers and observers, the health of the groups, and the feed of Watch.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "lvmd.pb.h"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/volumes/service/health_board.hpp"
#include "lvmd/volumes/service/observer_client.hpp"
#include "lvmd/volumes/service/read_model.hpp"
#include "lvmd/volumes/service/worker_client.hpp"

namespace lvmd::volumes {

// Thread-safe, except that the attach functions and reconfigure() belong to one thread.
class Backend {
 public:
  // `metrics` must outlive the backend.
  Backend(model::ClassCatalog catalog, const std::vector<std::string>& volume_groups,
          server::Metrics& metrics);
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  ~Backend();

  // Connects to a process that the supervisor has started. InvalidArgument for a group that is not
  // configured.
  [[nodiscard]] Status attach_worker(std::string_view volume_group, ipc::Channel channel);
  [[nodiscard]] Status attach_observer(std::string_view volume_group, ipc::Channel channel);

  // Hides volumes that were in creation under an earlier server. Call it before the first state
  // arrives.
  void hide(std::string_view volume_group, const std::vector<std::string>& volumes) {
    read_model_.hide(volume_group, volumes);
  }
  // Applies the configuration. A call that has begun continues with the previous one. The worker of
  // a removed group may still finish and answer the change that it runs.
  void reconfigure(model::ClassCatalog catalog, const std::vector<std::string>& volume_groups);

  // Waits until every group has a state and a worker, at most `limit`, so that a client that
  // connects during lvmd's start gets an answer instead of UNAVAILABLE. Starts the Watch feed and
  // the health feeds.
  void open(std::chrono::milliseconds limit);
  // Ends the wait in open(). Any thread.
  void stop_waiting();
  // Ends the channels of workers and observers. No callback runs or begins once this has returned.
  void detach();
  // Ends every stream, present and future.
  void end_streams(const Error& reason);
  // Answers every queued or running change with `reason`, which says that lvmd stops. A worker
  // finishes the change that it runs. Don't call it concurrently with the attach functions.
  void end_changes(const Error& reason);

  // The current catalog. It is immutable: read it once per call.
  [[nodiscard]] std::shared_ptr<const model::ClassCatalog> catalog() const;
  [[nodiscard]] const ReadModel& read_model() const { return read_model_; }
  // Null when no class names the group.
  [[nodiscard]] std::shared_ptr<WorkerClient> worker(std::string_view volume_group) const;
  [[nodiscard]] server::Broadcast<proto::WatchResponse>& watch_feed() { return watch_feed_; }
  [[nodiscard]] HealthBoard& health() { return health_; }
  // The metrics of the groups as they are now.
  [[nodiscard]] std::vector<prometheus::MetricFamily> metrics() const;

 private:
  void changed();
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] bool is_attached(std::string_view volume_group) const;
  [[nodiscard]] std::shared_ptr<ObserverClient> observer(std::string_view volume_group) const;
  [[nodiscard]] std::optional<Step> observer_step(std::string_view volume_group) const;
  [[nodiscard]] std::shared_ptr<WorkerClient> make_worker(const std::string& volume_group);
  [[nodiscard]] std::shared_ptr<ObserverClient> make_observer(const std::string& volume_group);
  void make_clients(const std::vector<std::string>& volume_groups);
  // Triggers the recovery of workers whose groups have become usable.
  void trigger_recovery();
  // Wakes the watcher because a step has begun.
  void step_begun();
  // Calls changed() when a step becomes stuck, because no event reports that.
  void watch_steps(const std::stop_token& stop);
  [[nodiscard]] std::optional<MonotonicTime> next_stuck_at(MonotonicTime now) const;
  void log_removed_group(const std::string& volume_group) const;

  server::Metrics& metrics_;
  ReadModel read_model_;
  server::Broadcast<proto::WatchResponse> watch_feed_;
  HealthBoard health_;
  std::atomic<bool> open_ = false;
  std::mutex change_mutex_;
  bool waiting_stopped_ = false;
  std::condition_variable change_;
  // Guards the next three. Locked before the locks of the read model and of the workers.
  mutable std::mutex configuration_mutex_;
  std::shared_ptr<const model::ClassCatalog> catalog_;
  std::map<std::string, std::shared_ptr<WorkerClient>, std::less<>> workers_;
  std::map<std::string, std::shared_ptr<ObserverClient>, std::less<>> observers_;
  // The clients of removed groups until their processes have ended. Used by the thread of the
  // attach functions.
  std::vector<std::shared_ptr<WorkerClient>> retired_;
  std::vector<std::shared_ptr<ObserverClient>> retired_observers_;
  // The groups that were usable at the last check.
  std::mutex usable_mutex_;
  std::set<std::string> usable_;
  std::mutex steps_mutex_;
  std::condition_variable_any steps_;
  std::uint64_t steps_begun_ = 0;
  std::jthread step_watcher_;
};

}  // namespace lvmd::volumes
