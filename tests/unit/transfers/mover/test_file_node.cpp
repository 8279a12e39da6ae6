#include <catch2/catch.hpp>
#include <string>

#include "lvmd/transfers/mover/file_node.hpp"

using namespace lvmd::transfers::mover;

namespace {

const std::string kLine =
    R"({"name":"a","type":"file","path":"/volume/a","uid":1000,"gid":100,"size":5,)"
    R"("mode":420,"permissions":"-rw-r--r--","mtime":"2026-01-02T03:04:05.000000006Z",)"
    R"("atime":"2026-01-02T03:04:05Z","inode":7,"message_type":"node","struct_type":"node"})";

struct stat as_stored() {
  struct stat found{};
  found.st_mode = S_IFREG | 0644;
  found.st_uid = 1000;
  found.st_gid = 100;
  found.st_size = 5;
  found.st_mtim = {.tv_sec = 1767323045, .tv_nsec = 6};
  return found;
}

}  // namespace

TEST_CASE("times are parsed in the format that Go writes", "[mover]") {
  CHECK(parse_time("1970-01-01T00:00:00Z") == FileTime{0, 0});
  CHECK(parse_time("2026-01-02T03:04:05.000000006Z") == FileTime{1767323045, 6});
  CHECK(parse_time("2026-01-02T05:04:05.5+02:00") == FileTime{1767323045, 500'000'000});
  CHECK(parse_time("2026-01-01T21:34:05.123456789-05:30") == FileTime{1767323045, 123'456'789});
  CHECK(parse_time("1969-12-31T23:59:59.25Z") == FileTime{-1, 250'000'000});
  for (const char* const text :
       {"", "2026", "2026-01-02", "2026-13-02T03:04:05Z", "2026-01-02T03:04:05",
        "2026-01-02T03:04:05Zx", "2026-01-02 03:04:05Z", "-026-01-02T03:04:05Z"})
    CHECK_FALSE(parse_time(text));
}

TEST_CASE("a file of a snapshot is parsed with its type and mode", "[mover]") {
  const auto node = parse_node(kLine);
  REQUIRE(node);
  CHECK(node->path == "/volume/a");
  CHECK(node->type == S_IFREG);
  CHECK(node->mode == 0644);
  CHECK(node->size == 5);
  // Go uses other bits for set-uid, set-gid and sticky: 0o4755 is 1<<23 and 0o755.
  CHECK(parse_node(R"({"struct_type":"node","type":"file","path":"/x","mode":8389101,)"
                   R"("mtime":"2026-01-02T03:04:05Z"})")
            ->mode == 04755);
  CHECK(parse_node(R"({"struct_type":"node","type":"dir","path":"/x","mode":2148532735,)"
                   R"("mtime":"2026-01-02T03:04:05Z"})")
            ->mode == 01777);
  CHECK(parse_node(R"({"struct_type":"node","type":"socket","path":"/x",)"
                   R"("mtime":"2026-01-02T03:04:05Z"})")
            ->type == 0);
}

TEST_CASE("lines that do not describe a file are ignored", "[mover]") {
  for (const char* const line :
       {"", "text", "[]", R"({"struct_type":"snapshot","id":"x"})", R"({"struct_type":"node"})",
        R"({"struct_type":"node","path":"/x","mtime":"yesterday"})"})
    CHECK_FALSE(parse_node(line));
}

TEST_CASE("owner, mode, size, time and type are compared [P-XFER-10]", "[mover]") {
  const auto node = parse_node(kLine);
  REQUIRE(node);
  struct stat found = as_stored();
  CHECK_FALSE(difference(*node, found));
  SECTION("type") { found.st_mode = S_IFDIR | 0644; }
  SECTION("mode") { found.st_mode = S_IFREG | 0600; }
  SECTION("set-uid") { found.st_mode |= S_ISUID; }
  SECTION("owner") { found.st_uid = 0; }
  SECTION("group") { found.st_gid = 0; }
  SECTION("size") { found.st_size = 6; }
  SECTION("second") { found.st_mtim.tv_sec += 1; }
  SECTION("nanosecond") { found.st_mtim.tv_nsec = 0; }
  CHECK(difference(*node, found));
}

TEST_CASE("a difference is described in readable form", "[mover]") {
  const auto node = parse_node(kLine);
  REQUIRE(node);
  struct stat found = as_stored();
  found.st_mode = S_IFREG | 0600;
  CHECK(difference(*node, found) == "mode 0600 instead of 0644");
}

TEST_CASE("has_replaced_bytes detects a name that was not UTF-8", "[mover]") {
  CHECK(has_replaced_bytes("/volume/\xEF\xBF\xBD"));
  CHECK_FALSE(has_replaced_bytes("/volume/\xC3\xBC"));
}
