// Wakes whoever waits for a transfer's end, the moment lvmd tells it. What a transfer has come to
// is asked for anew then: a missed end costs one interval, and nothing else.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "reconciler/lvmd_client/transfer_service.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// Safe from every thread.
class TransferWatcher {
 public:
  using Ended = std::function<void(const Key&)>;

  // `ended` is called on threads of the follower. `service` must outlive it, and be stopped before
  // stop() can return.
  TransferWatcher(TransferService& service, Ended ended)
      : service_(service), ended_(std::move(ended)) {}
  TransferWatcher(const TransferWatcher&) = delete;
  TransferWatcher& operator=(const TransferWatcher&) = delete;
  ~TransferWatcher() { stop(); }

  // One stream per object, until the transfer has ended or lvmd is away; does nothing while there
  // is one.
  void follow(const Key& key, const TransferName& name);

  void stop();

 private:
  struct Stream {
    std::atomic<bool> is_over = false;
    std::jthread thread{};
  };

  void watch(const Key& key, const TransferName& name, Stream& stream);

  TransferService& service_;
  Ended ended_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::map<Key, std::unique_ptr<Stream>> streams_;
};

}  // namespace lvmd::reconciler
