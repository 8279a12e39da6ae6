// Sends the newest value of a message to every subscriber.
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

// Each subscriber takes memory for one message, and time at every change.
inline constexpr std::size_t kMaxSubscribers = 1024;

// Message is a protobuf message without maps. Thread-safe. Subscribers are called with the lock
// held, so that all of them get the values in the same order. A subscriber must return at once and
// must not call back.
template <typename Message>
class Broadcast {
 public:
  class Subscriber {
   public:
    virtual void offer(std::shared_ptr<const Message> message) = 0;
    // The last call: no offer() follows.
    virtual void end(const Error& reason) = 0;

   protected:
    ~Subscriber() = default;
  };

  // Makes the message with `make` and sends it, unless it equals the newest one [P-WATCH-4]. `make`
  // runs under the lock: of two concurrent calls, the message that is made last is sent last.
  template <typename Make>
  void publish(const Make& make) {
    publish(make, [](const Message& /*sent*/, const Message& /*newer*/) { return true; });
  }

  // As above, but sends a message that differs only when `is_significant(sent, newer)` holds, where
  // `sent` is the message sent last. A later subscriber begins with the newest message in any case.
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

  // Offers the newest message, if there is one, before it returns. After end(), ends the
  // subscriber. Above kMaxSubscribers, ends the subscriber with ResourceExhausted [P-SOCK-23].
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

  // No call of the subscriber runs or begins once this has returned. Ignores an unknown subscriber.
  void remove(Subscriber& subscriber) {
    const std::lock_guard lock{mutex_};
    subscribers_.erase(&subscriber);
  }

  // Ends all present subscribers. Later subscribers get messages as usual.
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
