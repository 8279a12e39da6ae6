#include <catch2/catch.hpp>
#include <vector>

#include "lvmd.pb.h"
#include "lvmd/server/broadcast.hpp"

using namespace lvmd;
using namespace lvmd::server;

namespace {

class RecordingSubscriber final : public Broadcast<proto::WatchResponse>::Subscriber {
 public:
  std::vector<std::uint64_t> messages;
  std::optional<Error> ended;

 private:
  void offer(std::shared_ptr<const proto::WatchResponse> message) override {
    messages.push_back(message->free_bytes());
  }

  void end(const Error& reason) override { ended = reason; }
};

void publish(Broadcast<proto::WatchResponse>& feed, std::uint64_t free) {
  feed.publish([free] {
    proto::WatchResponse message;
    message.set_free_bytes(free);
    return message;
  });
}

}  // namespace

TEST_CASE("a subscriber gets the newest message at once, then each different one [P-WATCH-4]",
          "[server]") {
  Broadcast<proto::WatchResponse> feed;
  publish(feed, 1);
  publish(feed, 2);
  RecordingSubscriber subscriber;
  feed.add(subscriber);
  CHECK(subscriber.messages == std::vector<std::uint64_t>{2});
  publish(feed, 2);
  publish(feed, 3);
  publish(feed, 2);
  CHECK(subscriber.messages == std::vector<std::uint64_t>{2, 3, 2});
}

TEST_CASE("an empty message is sent as well", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  RecordingSubscriber subscriber;
  feed.add(subscriber);
  CHECK(subscriber.messages.empty());
  publish(feed, 0);
  CHECK(subscriber.messages == std::vector<std::uint64_t>{0});
}

TEST_CASE("a removed subscriber gets no message", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  RecordingSubscriber subscriber;
  feed.add(subscriber);
  feed.remove(subscriber);
  publish(feed, 1);
  feed.end({.code = Code::kUnavailable, .message = "over"});
  CHECK(subscriber.messages.empty());
  CHECK_FALSE(subscriber.ended);
}

TEST_CASE("end() ends present and future subscribers, and no message follows it", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  publish(feed, 1);
  RecordingSubscriber present;
  feed.add(present);
  feed.end({.code = Code::kUnavailable, .message = "over"});
  RecordingSubscriber late;
  feed.add(late);
  publish(feed, 2);
  CHECK(present.ended->message == "over");
  CHECK(present.messages == std::vector<std::uint64_t>{1});
  CHECK(late.ended->message == "over");
  CHECK(late.messages.empty());
}

TEST_CASE("an insignificant change is sent to later subscribers only [P-WATCH-20]", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  RecordingSubscriber subscriber;
  feed.add(subscriber);
  const auto in_tens = [&feed](std::uint64_t free) {
    feed.publish(
        [free] {
          proto::WatchResponse message;
          message.set_free_bytes(free);
          return message;
        },
        [](const proto::WatchResponse& sent, const proto::WatchResponse& newer) {
          return sent.free_bytes() / 10 != newer.free_bytes() / 10;
        });
  };
  for (const std::uint64_t free : {10U, 14U, 19U, 20U, 21U}) in_tens(free);
  CHECK(subscriber.messages == std::vector<std::uint64_t>{10, 20});
  RecordingSubscriber late;
  feed.add(late);
  CHECK(late.messages == std::vector<std::uint64_t>{21});
  feed.remove(subscriber);
  feed.remove(late);
}

TEST_CASE(
    "a subscriber above the limit is ended at once, and the error names the limit [P-SOCK-23]",
    "[server]") {
  Broadcast<proto::WatchResponse> feed;
  std::vector<RecordingSubscriber> subscribers(kMaxSubscribers);
  for (RecordingSubscriber& subscriber : subscribers) feed.add(subscriber);
  RecordingSubscriber one_too_many;
  feed.add(one_too_many);
  REQUIRE(one_too_many.ended);
  CHECK(one_too_many.ended->code == Code::kResourceExhausted);
  CHECK(one_too_many.ended->reason == "TOO_MANY_STREAMS");
  CHECK(one_too_many.ended->message.find("1024") != std::string::npos);
  CHECK_FALSE(subscribers.back().ended);
  feed.remove(subscribers.back());
  RecordingSubscriber next;
  feed.add(next);
  CHECK_FALSE(next.ended);
}

TEST_CASE("subscribers can be ended while the feed continues", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  RecordingSubscriber subscriber;
  feed.add(subscriber);
  feed.end_present(make_error(Code::kUnavailable, "ask again"));
  CHECK(subscriber.ended);
  RecordingSubscriber next;
  feed.add(next);
  publish(feed, 1);
  CHECK(next.messages == std::vector<std::uint64_t>{1});
  CHECK(subscriber.messages.empty());
  feed.remove(next);
}
