#include "reconciler/snapshots/transfer_watcher.hpp"

#include <utility>

namespace lvmd::reconciler {

void TransferWatcher::follow(const Key& key, const TransferName& name) {
  const std::lock_guard lock{mutex_};
  if (stopped_) return;
  // Streams that have ended only have to be joined.
  std::erase_if(streams_, [](const auto& entry) { return entry.second->is_over.load(); });
  const auto [entry, is_new] = streams_.try_emplace(key);
  if (!is_new) return;
  entry->second = std::make_unique<Stream>();
  Stream& stream = *entry->second;
  stream.thread = std::jthread{[this, key, name, &stream] { watch(key, name, stream); }};
}

void TransferWatcher::watch(const Key& key, const TransferName& name, Stream& stream) {
  bool has_ended_now = false;
  // The stream's status adds nothing to the state that is read afterwards.
  static_cast<void>(service_.watch(name, [&](const Transfer& transfer) {
    has_ended_now = has_ended_now || has_ended(transfer);
  }));
  stream.is_over = true;
  if (has_ended_now) ended_(key);
}

void TransferWatcher::stop() {
  std::map<Key, std::unique_ptr<Stream>> ending;
  {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    ending = std::exchange(streams_, {});
  }
}

}  // namespace lvmd::reconciler
