#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <iterator>
#include <string>

#include "lvmd/transfers/record/record_files.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace std::chrono_literals;
using lvmd::supervisor::ScratchDirectory;

namespace {

const TransferKey kFileKey{.operation = v1::OPERATION_BACKUP, .id = "a"};

}  // namespace

TEST_CASE("a record is replaced atomically and read back", "[transfer]") {
  const ScratchDirectory directory;
  const std::string path = directory.file("");
  REQUIRE(write_record(path, sample_record(v1::PHASE_RUNNING, sample_time(1s))));
  REQUIRE(write_record(path, sample_record(v1::PHASE_SUCCEEDED, sample_time(2s))));
  const auto record = read_record(path, kFileKey);
  REQUIRE(record);
  CHECK(record->transfer().phase() == v1::PHASE_SUCCEEDED);
  CHECK(std::distance(std::filesystem::directory_iterator{path}, {}) == 1);
  struct stat status{};
  REQUIRE(::stat(directory.file("backup-a").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0640);
}

TEST_CASE("a missing record is NotFound", "[transfer]") {
  const ScratchDirectory directory;
  const auto record = read_record(directory.file(""), kFileKey);
  REQUIRE_FALSE(record);
  CHECK(record.error().code == Code::kNotFound);
}

TEST_CASE("a list contains all records in order, and an invalid one as its error", "[transfer]") {
  const ScratchDirectory directory;
  const std::string path = directory.file("");
  REQUIRE(write_record(
      path, sample_record(v1::PHASE_RUNNING, sample_time(1s), v1::OPERATION_RESTORE, "z")));
  REQUIRE(write_record(path, sample_record(v1::PHASE_RUNNING, sample_time(1s))));
  static_cast<void>(directory.write("backup-b", "nonsense"));
  static_cast<void>(directory.write(".backup-c.new", "half"));
  static_cast<void>(directory.write(".backup-a.lock", ""));
  const auto records = list_records(path);
  REQUIRE(records);
  REQUIRE(records->size() == 3);
  CHECK(records->at(0).first == kFileKey);
  CHECK(records->at(0).second);
  CHECK(records->at(1).first.id == "b");
  REQUIRE_FALSE(records->at(1).second);
  CHECK(records->at(1).second.error().code == Code::kInternal);
  CHECK(records->at(2).first == TransferKey{v1::OPERATION_RESTORE, "z"});
}

TEST_CASE("a missing directory has no records", "[transfer]") {
  const auto records = list_records("/nonexistent/transfers");
  REQUIRE(records);
  CHECK(records->empty());
}

TEST_CASE("remove_record removes the record and its lock", "[transfer]") {
  const ScratchDirectory directory;
  REQUIRE(write_record(directory.file(""), sample_record(v1::PHASE_RUNNING, sample_time(1s))));
  static_cast<void>(directory.write(".backup-a.lock", ""));
  REQUIRE(remove_record(directory.file(""), kFileKey));
  CHECK(std::filesystem::is_empty(directory.file("")));
  CHECK(remove_record(directory.file(""), kFileKey));
}
