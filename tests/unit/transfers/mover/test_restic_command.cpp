#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/transfers/mover/restic_command.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;

namespace {

struct ResticSetting {
  ResticSetting() {
    job.mutable_credentials()->set_access_key_id("AKIASECRET");
    job.mutable_credentials()->set_secret_access_key("keysecret");
    job.mutable_credentials()->set_session_token("tokensecret");
    job.mutable_repository()->set_ca_certificates("certificate");
    (*job.mutable_repository()->mutable_options())["s3.region"] = "here";
  }

  internal::MoverJob job = transfers::sample_job();
};

bool has(const std::vector<std::string>& strings, const std::string& string) {
  return std::ranges::find(strings, string) != strings.end();
}

const SnapshotTags kTags{
    .backup_id = "a", .mode = v1::MODE_FILES, .fs_type = "ext4", .size_bytes = 4096};

std::vector<CommandLine> all_of(const ResticCommands& commands) {
  return {commands.list_locks(),
          commands.list_locks_without_region(),
          commands.read_lock("1"),
          commands.snapshots_of("a"),
          commands.snapshot("1"),
          commands.init(),
          commands.unlock(),
          commands.back_up_files(kTags),
          commands.back_up_blocks(kTags),
          commands.restore_files("1"),
          commands.compare_files("1"),
          commands.list_files("1"),
          commands.dump_files("1"),
          commands.dump_blocks("1"),
          commands.forget({"1", "2"}),
          commands.forget_only("1"),
          commands.prune()};
}

}  // namespace

TEST_CASE("no secret is in an argument or in the environment [P-XFER-5]", "[mover]") {
  const ResticSetting world;
  const auto files = SecretFiles::make(world.job.repository().location(), world.job.repository(),
                                       world.job.credentials());
  REQUIRE(files);
  for (const CommandLine& line : all_of(ResticCommands{world.job, *files})) {
    std::vector<std::string> strings = line.arguments;
    strings.insert(strings.end(), line.environment.begin(), line.environment.end());
    for (const std::string& string : strings)
      for (const char* const secret : {"sesame", "p@ss", "p%40ss", "node1", "AKIASECRET",
                                       "keysecret", "tokensecret", "certificate", "store.example"})
        CHECK_FALSE(string.contains(secret));
  }
}

TEST_CASE("each command gets repository and password as files", "[mover]") {
  const ResticSetting world;
  const auto files = SecretFiles::make(world.job.repository().location(), world.job.repository(),
                                       world.job.credentials());
  REQUIRE(files);
  for (const CommandLine& line : all_of(ResticCommands{world.job, *files})) {
    CHECK(line.arguments.front() == "/restic");
    CHECK(has(line.arguments, "--json"));
    CHECK(has(line.arguments, "--repository-file=" + files->repository_file()));
    CHECK(has(line.arguments, "--password-file=" + files->password_file()));
    CHECK(has(line.arguments, "--cacert=" + files->certificate_file().value()));
    CHECK(has(line.environment, "AWS_SHARED_CREDENTIALS_FILE=" + files->aws_file().value()));
    CHECK(has(line.environment, "HOME=/nonexistent"));
  }
}

TEST_CASE("temporary files are in memory, or in the cache without enough memory [P-XFER-19]",
          "[mover]") {
  ResticSetting world;
  const auto files =
      SecretFiles::make("/repository", world.job.repository(), world.job.credentials());
  REQUIRE(files);
  for (const CommandLine& line : all_of(ResticCommands{world.job, *files}))
    CHECK(has(line.environment, "TMPDIR=/cache"));
  world.job.mutable_settings()->set_memory_limit_bytes(std::uint64_t{1} << 30U);
  for (const CommandLine& line : all_of(ResticCommands{world.job, *files}))
    CHECK(has(line.environment, "TMPDIR=/tmp"));
}

TEST_CASE("all commands have the store's options, but one omits the region", "[mover]") {
  ResticSetting world;
  (*world.job.mutable_repository()->mutable_options())["s3.connections"] = "3";
  const auto files =
      SecretFiles::make("/repository", world.job.repository(), world.job.credentials());
  REQUIRE(files);
  const ResticCommands commands{world.job, *files};
  const auto without = commands.list_locks_without_region().arguments;
  for (const CommandLine& line : all_of(commands)) {
    CHECK(has(line.arguments, "--option=s3.connections=3"));
    CHECK(has(line.arguments, "--option=s3.region=here") == (line.arguments != without));
  }
}

TEST_CASE("the tags of a backup contain what a restore needs [P-XFER-8]", "[mover]") {
  CHECK(to_tags(kTags) == std::vector<std::string>{"lvmd.v1", "lvmd.v1.backup=a",
                                                   "lvmd.v1.mode=files", "lvmd.v1.size=4096",
                                                   "lvmd.v1.fs=ext4"});
  CHECK(parse_tags(to_tags(kTags)) == kTags);
  const SnapshotTags blocks{
      .backup_id = "b", .mode = v1::MODE_BLOCKS, .fs_type = "", .size_bytes = 8};
  CHECK(parse_tags(to_tags(blocks)) == blocks);
  // Tags of a foreign snapshot.
  const SnapshotTags none = parse_tags({"daily", "lvmd.v1.mode=x", "lvmd.v1.size=x"});
  CHECK(none.mode == v1::MODE_AUTO);
  CHECK(none.size_bytes == 0);
}

TEST_CASE("a backup waits for locks, and queries take none [P-XFER-13]", "[mover]") {
  const ResticSetting world;
  const auto files =
      SecretFiles::make("/repository", world.job.repository(), world.job.credentials());
  REQUIRE(files);
  const ResticCommands commands{world.job, *files};
  for (const CommandLine& line :
       {commands.back_up_files(kTags), commands.back_up_blocks(kTags), commands.restore_files("1"),
        commands.forget({"1"}), commands.prune()})
    CHECK(has(line.arguments, "--retry-lock=5m"));
  for (const CommandLine& line :
       {commands.list_locks(), commands.snapshots_of("a"), commands.snapshot("1")})
    CHECK(has(line.arguments, "--no-lock"));
}

TEST_CASE("a restore omits trusted.* attributes if restic supports it [P-XFER-4]", "[mover]") {
  ResticSetting world;
  const auto files =
      SecretFiles::make("/repository", world.job.repository(), world.job.credentials());
  REQUIRE(files);
  const std::string exclusion = "--exclude-xattr=trusted.*";
  CHECK_FALSE(has(ResticCommands{world.job, *files}.restore_files("1").arguments, exclusion));
  world.job.mutable_settings()->set_restic_excludes_xattrs(true);
  CHECK(has(ResticCommands{world.job, *files}.restore_files("1").arguments, exclusion));
}

TEST_CASE("a deletion removes every snapshot and frees their space [P-XFER-11]", "[mover]") {
  const ResticSetting world;
  const auto files =
      SecretFiles::make("/repository", world.job.repository(), world.job.credentials());
  REQUIRE(files);
  const CommandLine line = ResticCommands{world.job, *files}.forget({"1", "2"});
  for (const char* const argument : {"forget", "--prune", "1", "2"})
    CHECK(has(line.arguments, argument));
}
