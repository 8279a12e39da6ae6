#include <catch2/catch.hpp>
#include <string>

#include "lvmd/transfers/record/location.hpp"

using namespace lvmd;
using namespace lvmd::transfers;

TEST_CASE("S3, REST and local repositories are accepted", "[transfer]") {
  for (const char* const location :
       {"s3:https://store.example/bucket/prefix", "s3:s3.amazonaws.com/bucket",
        "rest:https://store.example:8000/", "rest:http://10.0.0.1:8000/node1/", "/srv/backups",
        "/srv/back ups/node 1"})
    CHECK(check_location("repository.location", location));
  CHECK(is_local("/srv/backups"));
  CHECK_FALSE(is_local("s3:https://store.example/bucket"));
}

TEST_CASE("other backends, missing hosts and unsafe paths are rejected", "[transfer]") {
  for (const char* const location :
       {"", "/", "srv", "/srv/", "/srv//x", "/srv/../etc", "/srv/./x", "/srv/\n", "sftp:host:/x",
        "rclone:x:y", "rest:ftp://host/", "rest:", "s3:", "s3:https://", "rest:https:///x",
        "s3:https://host/a b", "local:/srv"}) {
    const auto refused = check_location("repository.location", location);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kInvalidArgument);
  }
}

TEST_CASE("a location with a user or password is rejected without repeating it", "[transfer]") {
  for (const char* const location :
       {"rest:https://user:geheim@host/", "s3:https://geheim@host/b"}) {
    const auto refused = check_location("repository.location", location);
    REQUIRE_FALSE(refused);
    CHECK_FALSE(refused.error().message.contains("geheim"));
    for (const auto& [key, value] : refused.error().metadata) CHECK_FALSE(value.contains("geheim"));
  }
  // An '@' behind the host is part of the path.
  CHECK(check_location("repository.location", "rest:https://host/node@1/"));
}

TEST_CASE("only listed options with plain values are accepted", "[transfer]") {
  CHECK(check_option("repository.options", "s3.region", "eu-central-1"));
  for (const char* const name :
       {"sftp.command", "sftp.args", "rclone.program", "s3", "", "s3.unsafe-anonymous-auth"})
    CHECK_FALSE(check_option("repository.options", name, "x"));
  for (const char* const value : {"a,s3.retries=1", "a b", "\"", "\n"})
    CHECK_FALSE(check_option("repository.options", "s3.region", value));
  CHECK_FALSE(check_option("repository.options", "s3.region", std::string(129, 'x')));
}
