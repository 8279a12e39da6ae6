#include <catch2/catch.hpp>
#include <vector>

#include "lvmd.pb.h"
#include "lvmd/server/broadcast.hpp"

using namespace lvmd;
using namespace lvmd::server;

namespace {

class Ear final : public Broadcast<proto::WatchResponse>::Subscriber {
 public:
  std::vector<std::uint64_t> heard;
  std::optional<Error> ended;

 private:
  void offer(std::shared_ptr<const proto::WatchResponse> message) override {
    heard.push_back(message->free_bytes());
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

TEST_CASE("a subscriber gets the newest message at once, then each that differs [P-WATCH-4]",
          "[server]") {
  Broadcast<proto::WatchResponse> feed;
  publish(feed, 1);
  publish(feed, 2);
  Ear ear;
  feed.add(ear);
  CHECK(ear.heard == std::vector<std::uint64_t>{2});
  publish(feed, 2);
  publish(feed, 3);
  publish(feed, 2);
  CHECK(ear.heard == std::vector<std::uint64_t>{2, 3, 2});
}

TEST_CASE("an empty message is a message too", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  Ear ear;
  feed.add(ear);
  CHECK(ear.heard.empty());
  publish(feed, 0);
  CHECK(ear.heard == std::vector<std::uint64_t>{0});
}

TEST_CASE("who has left hears nothing", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  Ear ear;
  feed.add(ear);
  feed.remove(ear);
  publish(feed, 1);
  feed.end({.code = Code::kUnavailable, .message = "over"});
  CHECK(ear.heard.empty());
  CHECK_FALSE(ear.ended);
}

TEST_CASE("an end reaches present and future subscribers, and nothing follows it", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  publish(feed, 1);
  Ear present;
  feed.add(present);
  feed.end({.code = Code::kUnavailable, .message = "over"});
  Ear late;
  feed.add(late);
  publish(feed, 2);
  CHECK(present.ended->message == "over");
  CHECK(present.heard == std::vector<std::uint64_t>{1});
  CHECK(late.ended->message == "over");
  CHECK(late.heard.empty());
}

TEST_CASE("what is no news is told to nobody, but to who comes later [P-WATCH-20]", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  Ear ear;
  feed.add(ear);
  const auto in_tens = [&feed](std::uint64_t free) {
    feed.publish(
        [free] {
          proto::WatchResponse message;
          message.set_free_bytes(free);
          return message;
        },
        [](const proto::WatchResponse& told, const proto::WatchResponse& newer) {
          return told.free_bytes() / 10 != newer.free_bytes() / 10;
        });
  };
  for (const std::uint64_t free : {10U, 14U, 19U, 20U, 21U}) in_tens(free);
  CHECK(ear.heard == std::vector<std::uint64_t>{10, 20});
  Ear late;
  feed.add(late);
  CHECK(late.heard == std::vector<std::uint64_t>{21});
  feed.remove(ear);
  feed.remove(late);
}

TEST_CASE("one subscriber too many is ended at once, naming the limit [P-SOCK-23]", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  std::vector<Ear> ears(kMaxSubscribers);
  for (Ear& ear : ears) feed.add(ear);
  Ear one_too_many;
  feed.add(one_too_many);
  REQUIRE(one_too_many.ended);
  CHECK(one_too_many.ended->code == Code::kResourceExhausted);
  CHECK(one_too_many.ended->reason == "TOO_MANY_STREAMS");
  CHECK(one_too_many.ended->message.find("1024") != std::string::npos);
  CHECK_FALSE(ears.back().ended);
  feed.remove(ears.back());
  Ear next;
  feed.add(next);
  CHECK_FALSE(next.ended);
}

TEST_CASE("subscribers can be ended without ending the feed", "[server]") {
  Broadcast<proto::WatchResponse> feed;
  Ear ear;
  feed.add(ear);
  feed.end_present(make_error(Code::kUnavailable, "ask again"));
  CHECK(ear.ended);
  Ear next;
  feed.add(next);
  publish(feed, 1);
  CHECK(next.heard == std::vector<std::uint64_t>{1});
  CHECK(ear.heard.empty());
  feed.remove(next);
}
