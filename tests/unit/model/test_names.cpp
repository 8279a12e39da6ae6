#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "lvmd/model/names.hpp"

using namespace lvmd::model;
using lvmd::Code;
using lvmd::Status;

namespace {

std::string why_refused(const Status& status) {
  if (status.has_value()) return "accepted";
  CHECK(status.error().code == Code::kInvalidArgument);
  return status.error().message;
}

}  // namespace

TEST_CASE("names of LVM's characters are accepted [P-NAME-1]", "[model]") {
  const std::string name =
      GENERATE(as<std::string>{}, "a", "0", "_", ".a", "...", "+", "a-", "lvol0",
               "b5c4f5f2-6c1d-4f0e-9f61-0a4f8b8d6f7e", "A.b_c+d-e", std::string(127, 'x'));
  CHECK(why_refused(check_lv_name("name", name)) == "accepted");
}

TEST_CASE("names that LVM cannot store are rejected with field, value and rule [P-NAME-1]",
          "[model]") {
  const std::string charset = " has a character other than letters, digits, '_', '.', '+' and '-'";
  const auto [name, message] = GENERATE_COPY(table<std::string, std::string>({
      {"", "name is empty"},
      {"-a", "name \"-a\" must not start with '-' or be \".\" or \"..\""},
      {".", "name \".\" must not start with '-' or be \".\" or \"..\""},
      {"..", "name \"..\" must not start with '-' or be \".\" or \"..\""},
      {"a/b", "name \"a/b\"" + charset},
      {"a b", "name \"a b\"" + charset},
      {"a\n", "name \"a\n\"" + charset},
      {"a@b", "name \"a@b\"" + charset},
      {"\xc3\xa4", "name \"\xc3\xa4\"" + charset},
      {std::string(128, 'x'),
       "name has 128 characters, at most 127 are allowed: \"" + std::string(128, 'x') + "\""},
  }));
  CHECK(why_refused(check_lv_name("name", name)) == message);
}

TEST_CASE("a name with a NUL character is rejected [P-NAME-1]", "[model]") {
  CHECK_FALSE(check_lv_name("name", std::string{"a\0b", 3}).has_value());
}

TEST_CASE("names with a prefix that LVM reserves are rejected for new volumes [P-NAME-2]",
          "[model]") {
  const std::string prefix = GENERATE(as<std::string>{}, "snapshot", "pvmove");
  for (const std::string& name : {prefix, prefix + "0", prefix + "-of-mine"}) {
    CHECK(why_refused(check_new_lv_name("name", name, "vg")) ==
          fmt::format("name \"{}\" starts with \"{}\", which LVM reserves", name, prefix));
    CHECK(why_refused(check_lv_name("name", name)) == "accepted");
  }
  CHECK(why_refused(check_new_lv_name("name", "my-" + prefix, "vg")) == "accepted");
}

TEST_CASE("names that contain a reserved part are rejected for new volumes [P-NAME-2]", "[model]") {
  // Both lists of lvm2's lib/misc/lvm-string.c.
  const std::string part =
      GENERATE(as<std::string>{}, "_cdata", "_cmeta", "_corig", "_cpool", "_cvol", "_wcorig",
               "_mimage", "_mlog", "_rimage", "_rmeta", "_tdata", "_tmeta", "_vdata", "_imeta",
               "_iorig", "_pmspare", "_vorigin");
  for (const std::string& name : {part, "lv" + part, "lv" + part + "_0"}) {
    CHECK(why_refused(check_new_lv_name("name", name, "vg")) ==
          fmt::format("name \"{}\" contains \"{}\", which LVM reserves", name, part));
    CHECK(why_refused(check_lv_name("name", name)) == "accepted");
  }
  CHECK(why_refused(check_new_lv_name("name", "lv-" + part.substr(1), "vg")) == "accepted");
}

TEST_CASE("the device-mapper name of a new volume is limited, hyphens count twice [P-NAME-3]",
          "[model]") {
  CHECK(why_refused(check_new_lv_name("name", std::string(114, 'x'), "vg")) == "accepted");
  CHECK(why_refused(check_new_lv_name("name", std::string(115, 'x'), "vg")) ==
        "name \"" + std::string(115, 'x') +
            "\" is too long: its device name would have 118 characters, at most 117 are allowed");
  CHECK(why_refused(check_new_lv_name("name", std::string(113, 'x'), "v-g")) ==
        "name \"" + std::string(113, 'x') +
            "\" is too long: its device name would have 118 characters, at most 117 are allowed");
  CHECK(why_refused(check_new_lv_name("name", "a-" + std::string(111, 'x'), "vg")) == "accepted");
  CHECK_FALSE(check_new_lv_name("name", "a-" + std::string(112, 'x'), "vg").has_value());
}

TEST_CASE("the rules for stored names also apply to new names [P-NAME-1]", "[model]") {
  CHECK(why_refused(check_new_lv_name("source_volume", "", "vg")) == "source_volume is empty");
  CHECK_FALSE(check_new_lv_name("name", "a b", "vg").has_value());
}

TEST_CASE("tags of LVM's characters are accepted [P-NAME-4]", "[model]") {
  const std::string tag =
      GENERATE(as<std::string>{}, "a", "Az09_+.-/=!:&#", "#", ".", "a-", "lvmd", "lvmd.v1",
               "lvmd.v2:class=x", "x.lvmd.v1:class=x", std::string(1024, 't'));
  CHECK(why_refused(check_caller_tag("tags", tag)) == "accepted");
}

TEST_CASE("tags that LVM rejects are rejected [P-NAME-4]", "[model]") {
  const std::string rule =
      " starts with '-' or has a character other than letters, digits and _+.-/=!:&#";
  const auto [tag, message] = GENERATE_COPY(table<std::string, std::string>({
      {"", "tags has an empty tag"},
      {"-a", "tags: tag \"-a\"" + rule},
      {"a b", "tags: tag \"a b\"" + rule},
      {"a,b", "tags: tag \"a,b\"" + rule},
      {"@a", "tags: tag \"@a\"" + rule},
      {"\"a\"", "tags: tag \"\"a\"\"" + rule},
      {std::string(1025, 't'), "tags has a tag of 1025 characters, at most 1024 are allowed"},
  }));
  CHECK(why_refused(check_caller_tag("tags", tag)) == message);
}

TEST_CASE("a caller cannot set a private tag of lvmd [P-NAME-5]", "[model]") {
  const std::string tag = GENERATE(as<std::string>{}, "lvmd.v1:", "lvmd.v1:class=ssd");
  CHECK(why_refused(check_caller_tag("tags", tag)) ==
        "tags: tag \"" + tag + "\" begins with \"lvmd.v1:\", which lvmd reserves");
}

TEST_CASE("an id of a transfer has 1 to 64 of the allowed characters [P-XFER-1]", "[model]") {
  CHECK(check_transfer_id("id", "a"));
  CHECK(check_transfer_id("id", "6F9619FF-8b86-d011-b42d-00cf4fc964ff"));
  CHECK(check_transfer_id("id", "x.lock"));
  CHECK(check_transfer_id("id", std::string(64, 'z')));
  for (const std::string& id :
       {std::string{}, std::string(65, 'z'), std::string{".a"}, std::string{"-a"},
        std::string{"a/b"}, std::string{"a b"}, std::string{"a\0b", 3}, std::string{"ä"}}) {
    const auto refused = check_transfer_id("id", id);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kInvalidArgument);
    CHECK(refused.error().message.starts_with("id "));
  }
}
