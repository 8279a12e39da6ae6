// The newest value of something, sent to everybody who listens.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/base/result.hpp"

namespace lvmd::server {

// Each takes memory for a message, and time at every change.
inline constexpr std::size_t kMaxSubscribers = 1024;

// Message is a protobuf message without maps. Thread-safe. Listeners are called with the lock held,
// so each gets the values in one order: they must return at once and must not call back.
template <typename Message>
class Broadcast {
 public:
  class Subscriber {
   public:
    virtual void offer(std::shared_ptr<const Message> message) = 0;
    // No offer follows.
    virtual void end(const Error& reason) = 0;

   protected:
    ~Subscriber() = default;
  };

  // Makes the message with `make` and tells it, unless it equals the newest one [P-WATCH-4]. The
  // call of `make` is under the lock: of two that run at once, the last one sent is the one made
  // last.
  template <typename Make>
  void publish(const Make& make) {
    publish(make, [](const Message& /*sent*/, const Message& /*newer*/) { return true; });
  }

  // The same, but a message that differs is sent only when it `is_significant` beside the one sent last.
  // Whoever listens later begins with the newest one all the same.
  template <typename Make, typename IsSignificant>
  void publish(const Make& make, const IsSignificant& is_significant) {
    const std::lock_guard lock{mutex_};
    Message message = make();
    std::string bytes = message.SerializeAsString();
    if (newest_ != nullptr && bytes == newest_bytes_) return;
    newest_ = std::make_shared<const Message>(std::move(message));
    newest_bytes_ = std::move(bytes);
    if (sent_ != nullptr && !is_significant(*sent_, *newest_)) return;
    sent_ = newest_;
    for (Subscriber* const subscriber : subscribers_) subscriber->offer(newest_);
  }

  // The newest message is offered before this returns, if there is one already; after end(), the
  // end. One subscriber too many is ended at once [P-SOCK-23].
  void add(Subscriber& subscriber) {
    const std::lock_guard lock{mutex_};
    if (ended_) return subscriber.end(*ended_);
    if (subscribers_.size() >= kMaxSubscribers)
      return subscriber.end(
          make_error(Code::kResourceExhausted,
                     "{} streams of this kind are open, which is the limit: share "
                     "one, or try again later",
                     subscribers_.size())
              .because(reason::kTooManyStreams)
              .with(key::kLimit, kMaxSubscribers));
    subscribers_.insert(&subscriber);
    if (newest_ != nullptr) subscriber.offer(newest_);
  }

  // The subscriber isn't called any more once this has returned. One that was never added is fine.
  void remove(Subscriber& subscriber) {
    const std::lock_guard lock{mutex_};
    subscribers_.erase(&subscriber);
  }

  // Ends all present subscribers; whoever comes later is sent as ever.
  void end_present(const Error& reason) {
    const std::lock_guard lock{mutex_};
    for (Subscriber* const subscriber : std::exchange(subscribers_, {})) subscriber->end(reason);
  }

  // Ends all subscribers, present and future.
  void end(const Error& reason) {
    const std::lock_guard lock{mutex_};
    ended_ = reason;
    for (Subscriber* const subscriber : std::exchange(subscribers_, {})) subscriber->end(reason);
  }

 private:
  std::mutex mutex_;
  std::unordered_set<Subscriber*> subscribers_;
  std::shared_ptr<const Message> newest_;
  std::string newest_bytes_;
  std::shared_ptr<const Message> sent_;
  std::optional<Error> ended_;
};

}  // namespace lvmd::server
