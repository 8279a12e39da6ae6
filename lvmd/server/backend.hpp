// What the gRPC services stand on: configuration, read model, workers, observer, mounters and the
// two feeds.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd.pb.h"
#include "lvmd/channel/channel.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/health_board.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/server/mounter_client.hpp"
#include "lvmd/server/observer_client.hpp"
#include "lvmd/server/read_model.hpp"
#include "lvmd/server/worker_client.hpp"

namespace lvmd::server {

// Thread-safe, but the attach functions and reconfigure() are for one thread.
class Backend {
 public:
  Backend(model::ClassCatalog catalog, const std::vector<std::string>& volume_groups);
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  ~Backend();

  // The process's channel comes as the supervisor started it. InvalidArgument for a group that
  // isn't configured.
  [[nodiscard]] Status attach_worker(std::string_view volume_group, channel::Channel channel);
  void attach_observer(channel::Channel channel);

  // Before the first state: what a predecessor's worker had masked.
  void mask(std::string_view volume_group, const std::vector<std::string>& volumes) {
    read_model_.mask(volume_group, volumes);
  }
  // The configuration from now on. A call that has begun goes on with the one it began with. The
  // worker of a group that is gone may still answer what it runs.
  void reconfigure(model::ClassCatalog catalog, const std::vector<std::string>& volume_groups);

  // Waits until every group has a state and a worker, at most `limit`: a client that connects
  // during lvmd's start then gets an answer instead of "not yet". Both feeds begin here.
  void open(std::chrono::milliseconds limit);
  // Whoever waits in open() waits no longer.
  void hurry();
  // Ends every stream, present and future.
  void end_streams(const Error& reason);

  // Never changes in the caller's hands: one call, one catalog.
  [[nodiscard]] std::shared_ptr<const model::ClassCatalog> catalog() const;
  [[nodiscard]] const ReadModel& read_model() const { return read_model_; }
  // Null when no class names the group (any more).
  [[nodiscard]] std::shared_ptr<WorkerClient> worker(std::string_view volume_group) const;
  [[nodiscard]] Broadcast<proto::WatchResponse>& watch_feed() { return watch_feed_; }
  [[nodiscard]] HealthBoard& health() { return health_; }
  [[nodiscard]] MounterClient& mounters() { return mounters_; }
  [[nodiscard]] Metrics& metrics() { return metrics_; }
  // All metrics, and `more`, as Prometheus' text.
  [[nodiscard]] std::string metrics_text(std::vector<prometheus::MetricFamily> more) const;

 private:
  void changed();
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] bool is_attached(std::string_view volume_group) const;
  [[nodiscard]] std::shared_ptr<WorkerClient> make_worker(const std::string& volume_group);
  void log_abandoned(const std::string& volume_group) const;

  Metrics metrics_;
  ReadModel read_model_;
  Broadcast<proto::WatchResponse> watch_feed_;
  HealthBoard health_;
  std::atomic<bool> open_ = false;
  std::mutex change_mutex_;
  bool hurried_ = false;
  std::condition_variable change_;
  // Guards the next two. Taken before the locks of the read model and of the workers.
  mutable std::mutex configuration_mutex_;
  std::shared_ptr<const model::ClassCatalog> catalog_;
  std::map<std::string, std::shared_ptr<WorkerClient>, std::less<>> workers_;
  // Of groups that are gone, until their workers have left. For the thread of the attach functions.
  std::vector<std::shared_ptr<WorkerClient>> retired_;
  ObserverClient observer_;
  MounterClient mounters_;
};

}  // namespace lvmd::server
