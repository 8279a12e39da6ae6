#include <catch2/catch.hpp>
#include <vector>

#include "lvmd.pb.h"
#include "lvmd/server/broadcast.hpp"

using namespace lvmd;
using namespace lvmd::server;

namespace {

class Ear final : public Broadcast<proto::WatchResponse>::Listener {
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

TEST_CASE("a listener gets the newest message at once, then each that differs [P-WATCH-4]",
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

TEST_CASE("an end reaches present and future listeners, and nothing follows it", "[server]") {
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
