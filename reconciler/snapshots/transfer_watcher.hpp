// Calls back when lvmd reports the end of a transfer. The result is read again then: a missed end
// costs one interval and nothing else. Safe from every thread.
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

class TransferWatcher {
 public:
  using Ended = std::function<void(const Key&)>;

  // Threads of the watcher call `ended`. `service` must outlive the watcher. Stop it before stop(),
  // which waits for its streams.
  TransferWatcher(TransferService& service, Ended ended)
      : service_(service), ended_(std::move(ended)) {}
  TransferWatcher(const TransferWatcher&) = delete;
  TransferWatcher& operator=(const TransferWatcher&) = delete;
  ~TransferWatcher() { stop(); }

  // One stream for each object, until the transfer has ended or lvmd is unavailable. Does nothing
  // while there is a stream.
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
