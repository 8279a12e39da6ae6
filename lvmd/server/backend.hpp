// What the gRPC services stand on: configuration, read model, workers, observer and the two feeds.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd.pb.h"
#include "lvmd/channel/channel.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/health_board.hpp"
#include "lvmd/server/observer_client.hpp"
#include "lvmd/server/read_model.hpp"
#include "lvmd/server/worker_client.hpp"

namespace lvmd::server {

// Thread-safe, but the attach functions are for one thread.
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

  // Waits until every group has a state and a worker, at most `limit`: a client that connects
  // during lvmd's start then gets an answer instead of "not yet". Both feeds begin here.
  void open(std::chrono::milliseconds limit);
  // Whoever waits in open() waits no longer.
  void hurry();
  // Ends every stream, present and future.
  void end_streams(const Error& reason);

  [[nodiscard]] const model::ClassCatalog& catalog() const { return catalog_; }
  [[nodiscard]] const ReadModel& read_model() const { return read_model_; }
  // The group must be one of a class of the catalog.
  [[nodiscard]] WorkerClient& worker(std::string_view volume_group);
  [[nodiscard]] Broadcast<proto::WatchResponse>& watch_feed() { return watch_feed_; }
  [[nodiscard]] HealthBoard& health() { return health_; }

 private:
  void changed();
  [[nodiscard]] bool is_complete() const;

  const model::ClassCatalog catalog_;
  ReadModel read_model_;
  Broadcast<proto::WatchResponse> watch_feed_;
  HealthBoard health_;
  std::atomic<bool> open_ = false;
  std::mutex change_mutex_;
  bool hurried_ = false;
  std::condition_variable change_;
  // The keys never change.
  std::map<std::string, WorkerClient, std::less<>> workers_;
  ObserverClient observer_;
};

}  // namespace lvmd::server
