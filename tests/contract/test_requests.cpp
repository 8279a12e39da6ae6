// Invalid requests: refused with field and value, before anything is done.
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"

using namespace lvmd;
using namespace lvmd::contract;

namespace {

struct BadName {
  const char* name;
  const char* said;
};

}  // namespace

TEST_CASE("an unknown class is NOT_FOUND, and the error names it [P-CLASS-2, P-CODE-14]",
          "[contract]") {
  Scratch scratch;
  Client& client = scratch.client;
  const auto check = [](const auto& answer) {
    CHECK(answer.code == Code::kNotFound);
    CHECK(answer.message == "device-class not found: no-such");
  };
  check(client.create(create_request("no-such", "x", kExtent)));
  check(client.resize(resize_request("no-such", "x", kExtent)));
  check(client.snapshot(snapshot_request("no-such", "x", "y", "ro")));
  check(client.list("no-such"));
  check(client.free_bytes("no-such"));
}

TEST_CASE("an unknown class in RemoveLV is FAILED_PRECONDITION [P-CLASS-2, P-CODE-6]",
          "[contract]") {
  Scratch scratch;
  const auto answer = scratch.client.remove(remove_request("no-such", "x"));
  CHECK(answer.code == Code::kFailedPrecondition);
  CHECK(answer.says("no-such"));
}

TEST_CASE("the class is checked before the arguments [P-ORDER-1]", "[contract]") {
  Scratch scratch;
  CHECK(scratch.client.create(create_request("no-such", "-x", -1)).code == Code::kNotFound);
  CHECK(scratch.client.snapshot(snapshot_request("thick", "-x", "", "?")).code ==
        Code::kUnimplemented);
}

TEST_CASE("a name that LVM does not accept is INVALID_ARGUMENT [P-NAME-1, P-CODE-2]",
          "[contract]") {
  const auto bad = GENERATE(BadName{"", "empty"}, BadName{"-force", "-force"},
                            BadName{"a/b", "a/b"}, BadName{"a b", "a b"}, BadName{"..", ".."},
                            BadName{"a\nb", "a\nb"}, BadName{"ä", "ä"});
  Scratch scratch;
  CAPTURE(bad.name);
  const auto check = [&bad](const auto& answer, std::string_view field) {
    INFO(answer.message);
    CHECK(answer.code == Code::kInvalidArgument);
    CHECK(answer.says(field));
    CHECK(answer.says(bad.said));
  };
  check(scratch.client.create(create_request("thick", bad.name, kExtent)), "name");
  check(scratch.client.remove(remove_request("thick", bad.name)), "name");
  check(scratch.client.resize(resize_request("thick", bad.name, kExtent)), "name");
  check(scratch.client.snapshot(snapshot_request("thin", bad.name, "source", "ro")), "name");
  check(scratch.client.snapshot(snapshot_request("thin", "target", bad.name, "ro")),
        "source_volume");
}

TEST_CASE("a new name that LVM reserves is INVALID_ARGUMENT [P-NAME-2]", "[contract]") {
  const std::string name =
      GENERATE("snapshot1", "pvmove0", "a_tdata", "a_mimage_0", "lvol0_pmspare");
  Scratch scratch;
  CAPTURE(name);
  const auto answer = scratch.client.create(create_request("thick", name, kExtent));
  CHECK(answer.code == Code::kInvalidArgument);
  CHECK(answer.says(name));
}

TEST_CASE("a new name too long for device-mapper is INVALID_ARGUMENT [P-NAME-3]", "[contract]") {
  Scratch scratch;
  CHECK(scratch.client.create(create_request("thick", std::string(110, 'x'), kExtent)).code ==
        Code::kInvalidArgument);
  CHECK(scratch.client.create(create_request("thick", std::string(60, '-'), kExtent)).code ==
        Code::kInvalidArgument);
}

TEST_CASE("a tag that LVM does not accept is INVALID_ARGUMENT [P-NAME-4]", "[contract]") {
  const std::string tag = GENERATE("", "-x", "a b", "a\"b", "a@b");
  Scratch scratch;
  CAPTURE(tag);
  auto request = create_request("thick", "x", kExtent);
  request.add_tags(tag);
  const auto answer = scratch.client.create(request);
  CHECK(answer.code == Code::kInvalidArgument);
  CHECK(answer.says("tag"));
  CHECK(answer.says(tag));
}

TEST_CASE("a caller can't set lvmd's own tags [P-NAME-5]", "[contract]") {
  Scratch scratch;
  auto request = create_request("thick", "x", kExtent);
  request.add_tags("lvmd.v1:class=thin");
  const auto answer = scratch.client.create(request);
  CHECK(answer.code == Code::kInvalidArgument);
  CHECK(answer.says("lvmd.v1:class=thin"));
}

TEST_CASE("more tags than fit into one LVM command are INVALID_ARGUMENT [P-NAME-6]", "[contract]") {
  Scratch scratch;
  auto request = create_request("thick", "x", kExtent);
  for (int i = 0; i < 100; ++i) request.add_tags(fmt::format("tag{}", i));
  CHECK(scratch.client.create(request).code == Code::kInvalidArgument);
}

TEST_CASE("a negative size is INVALID_ARGUMENT in every call [P-SIZE-1, P-CODE-14]", "[contract]") {
  const std::string device_class = GENERATE("thick", "thin");
  Scratch scratch;
  CAPTURE(device_class);
  const auto check = [](const auto& answer) {
    CHECK(answer.code == Code::kInvalidArgument);
    CHECK(answer.says("size_bytes"));
    CHECK(answer.says("-4096"));
  };
  check(scratch.client.create(create_request(device_class, "x", -4096)));
  check(scratch.client.resize(resize_request(device_class, "x", -4096)));
  auto snapshot = snapshot_request("thin", "x", "y", "ro");
  snapshot.set_size_bytes(-4096);
  check(scratch.client.snapshot(snapshot));
}

TEST_CASE("CreateLV of size 0 is INVALID_ARGUMENT [P-SIZE-2]", "[contract]") {
  Scratch scratch;
  const auto answer = scratch.client.create(create_request("thick", "x", 0));
  CHECK(answer.code == Code::kInvalidArgument);
  CHECK(answer.says("size_bytes"));
}

TEST_CASE("a thick size that is not a multiple of 4096 is INVALID_ARGUMENT [P-SIZE-3]",
          "[contract]") {
  Scratch scratch;
  const auto answer = scratch.client.create(create_request("thick", "x", kExtent + 1));
  CHECK(answer.code == Code::kInvalidArgument);
  CHECK(answer.says(fmt::format("{}", kExtent + 1)));
}

TEST_CASE("an unknown option class is INVALID_ARGUMENT [P-CLASS-6]", "[contract]") {
  Scratch scratch;
  auto request = create_request("thick", "x", kExtent);
  request.set_lvcreate_option_class("no-such");
  const auto answer = scratch.client.create(request);
  CHECK(answer.code == Code::kInvalidArgument);
  CHECK(answer.says("lvcreate_option_class"));
  CHECK(answer.says("no-such"));
}

TEST_CASE("an access type other than ro and rw is INVALID_ARGUMENT [P-SNAP-2]", "[contract]") {
  const std::string access_type = GENERATE("", "RO", "rwx", "read");
  Scratch scratch;
  const auto answer = scratch.client.snapshot(snapshot_request("thin", "x", "y", access_type));
  CHECK(answer.code == Code::kInvalidArgument);
  CHECK(answer.says("access_type"));
  CHECK(answer.says(access_type));
}

TEST_CASE(
    "a class whose volume group does not exist is UNAVAILABLE, with the reason [P-STATE-1, "
    "P-CODE-11]",
    "[contract]") {
  Scratch scratch;
  const auto check = [](const auto& answer) {
    CHECK(answer.code == Code::kUnavailable);
    CHECK(answer.says("vg_absent"));
  };
  check(scratch.client.list("absent"));
  check(scratch.client.free_bytes("absent"));
  check(scratch.client.create(create_request("absent", "x", kExtent)));
  check(scratch.client.resize(resize_request("absent", "x", kExtent)));
  check(scratch.client.remove(remove_request("absent", "x")));
}

TEST_CASE(
    "a class whose pool does not exist is UNAVAILABLE, and its group is available [P-STATE-2]",
    "[contract]") {
  Scratch scratch;
  const auto check = [](const auto& answer) {
    CHECK(answer.code == Code::kUnavailable);
    CHECK(answer.says("no_pool"));
  };
  check(scratch.client.list("poolless"));
  check(scratch.client.free_bytes("poolless"));
  check(scratch.client.create(create_request("poolless", "x", kExtent)));
  CHECK(scratch.client.list("striped").ok());
}

TEST_CASE("unknown fields are ignored, and a request beyond 4 MiB is refused [P-WIRE-7]",
          "[contract]") {
  constexpr int kFieldOfTheFuture = 999;
  Scratch scratch;
  const std::string name = scratch.name("thick");
  auto request = create_request("thick", name, kExtent);
  proto::CreateLVRequest::GetReflection()->MutableUnknownFields(&request)->AddLengthDelimited(
      kFieldOfTheFuture, "new");
  const auto made = scratch.client.create(request);
  INFO(made.message);
  CHECK(made.ok());

  auto large = remove_request("thick", name);
  proto::RemoveLVRequest::GetReflection()->MutableUnknownFields(&large)->AddLengthDelimited(
      kFieldOfTheFuture, std::string(static_cast<std::size_t>(4 * kMiB), 'x'));
  CHECK(scratch.client.remove(large).code == Code::kResourceExhausted);
  CHECK(listed(scratch.client, "thick", name).name() == name);
}
