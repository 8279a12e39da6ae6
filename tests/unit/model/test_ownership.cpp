#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/model/names.hpp"
#include "lvmd/model/ownership.hpp"

using namespace lvmd::model;
using Tags = std::vector<std::string>;

TEST_CASE("ownership has one tag per value [P-TAG-2]", "[model]") {
  CHECK(to_tags({.device_class = "ssd", .size = {4096}}) ==
        Tags{"lvmd.v1:class=ssd", "lvmd.v1:size=4096"});
  CHECK(to_tags({.device_class = "ssd", .size = {4096}, .option_class = "raid"}) ==
        Tags{"lvmd.v1:class=ssd", "lvmd.v1:size=4096", "lvmd.v1:opt=raid"});
  CHECK(to_tags({.device_class = "thin", .size = {0}, .source = "lv1", .access_type = "ro"}) ==
        Tags{"lvmd.v1:class=thin", "lvmd.v1:size=0", "lvmd.v1:src=lv1", "lvmd.v1:access=ro"});
}

TEST_CASE("ownership is read from its tags in any order, among other tags", "[model]") {
  const Ownership ownership{.device_class = "thin",
                            .size = {18'446'744'073'709'551'615U},
                            .option_class = "fast",
                            .source = "lv=1",
                            .access_type = "rw"};
  Tags tags = to_tags(ownership);
  CHECK(ownership_of(tags) == ownership);
  tags = {tags.rbegin(), tags.rend()};
  tags.insert(tags.begin(), "mine");
  tags.emplace_back("lvmd.v1:later=unknown");
  CHECK(ownership_of(tags) == ownership);
}

TEST_CASE("a volume without class or size has no ownership [P-TAG-5]", "[model]") {
  const Tags tags = GENERATE(values<Tags>({
      {},
      {"mine"},
      {"lvmd.v1:class=ssd"},
      {"lvmd.v1:size=4096"},
      {"class=ssd", "size=4096"},
      {"lvmd.v2:class=ssd", "lvmd.v2:size=4096"},
  }));
  CHECK_FALSE(ownership_of(tags).has_value());
}

TEST_CASE("a size that is not a number of bytes counts as missing [P-TAG-5]", "[model]") {
  const std::string size = GENERATE(as<std::string>{}, "", "x", "-1", "+1", " 1", "1 ", "1k",
                                    "0x10", "18446744073709551616");
  const Tags tags{"lvmd.v1:class=ssd", "lvmd.v1:size=" + size};
  CHECK_FALSE(ownership_of(tags).has_value());
}

TEST_CASE("callers see only their own tags, in order [P-TAG-3]", "[model]") {
  const Tags tags{"b", "lvmd.v1:class=ssd", "a", "lvmd.v1:unknown", "lvmd", "xlvmd.v1:a"};
  CHECK(caller_tags(tags) == Tags{"b", "a", "lvmd", "xlvmd.v1:a"});
  CHECK(caller_tags({}).empty());
}

TEST_CASE("a private tag has lvmd's prefix", "[model]") {
  CHECK(is_private_tag("lvmd.v1:"));
  CHECK(is_private_tag("lvmd.v1:class=ssd"));
  CHECK_FALSE(is_private_tag("lvmd.v1"));
  CHECK_FALSE(is_private_tag("LVMD.V1:class=ssd"));
  CHECK_FALSE(is_private_tag(""));
}

TEST_CASE("the marks of a restore are distinct and can be read [P-TAG-7]", "[model]") {
  CHECK(restore_begun_tag("a-1") == "lvmd.v1:restore=a-1");
  CHECK(restore_completed_tag("a-1") == "lvmd.v1:restored=a-1");
  const Tags begun{"restore=x", "lvmd.v1:size=1", "lvmd.v1:restore=a"};
  CHECK(restore_begun(begun) == "a");
  CHECK_FALSE(restore_completed(begun));
  const Tags completed{"lvmd.v1:restored=b"};
  CHECK(restore_completed(completed) == "b");
  CHECK_FALSE(restore_begun(completed));
  CHECK_FALSE(restore_begun(Tags{}));
  for (const std::string& tag : {begun[2], completed[0]}) CHECK(check_mark(tag));
  // Every valid id of a transfer fits.
  CHECK(check_mark(restore_completed_tag(std::string(64, 'a') + "._-9")));
}

TEST_CASE("marks do not belong to the ownership of a volume [P-TAG-6, P-IDEM-3]", "[model]") {
  Tags tags = to_tags({.device_class = "ssd", .size = {4096}});
  const auto before = ownership_of(tags);
  tags.push_back(restore_begun_tag("a"));
  CHECK(ownership_of(tags) == before);
  CHECK(caller_tags(tags).empty());
}
