#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "lvmd/ipc/convert.hpp"
#include "lvmd/transfers/launcher/movers.hpp"
#include "lvmd/transfers/record/record_files.hpp"
#include "lvmd/transfers/record/record_lock.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/launcher/sample_job.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace lvmd::supervisor;
using transfers::TransferKey;
using namespace std::chrono_literals;

namespace {

// Records the requests; the test decides their results.
class Launcher final : public MoverLauncher {
 public:
  struct Start {
    MoverUnit unit;
    UniqueFd job;
    Done done;
  };

  explicit Launcher(std::vector<Start>& starts, std::vector<TransferKey>& stops)
      : starts_(starts), stops_(stops) {}

  void start(const MoverUnit& unit, UniqueFd job, Done done) override {
    starts_.push_back({.unit = unit, .job = std::move(job), .done = std::move(done)});
  }
  void stop(const TransferKey& key, Done done) override {
    stops_.push_back(key);
    done({});
  }
  std::optional<pollfd> polled() const override { return std::nullopt; }
  std::optional<Clock::time_point> next_due() const override { return std::nullopt; }
  void process(Clock::time_point /*now*/) override {}
  void reap() override {}

 private:
  std::vector<Start>& starts_;
  std::vector<TransferKey>& stops_;
};

// A host with the sample's device and a limit of two transfers.
class MoversOnHost {
 public:
  MoversOnHost() {
    std::filesystem::create_directories(directory.file("sys/dev/block/253:7/dm"));
    static_cast<void>(directory.write("sys/dev/block/253:7/dm/name", "vg--0-snap\n"));
    static_cast<void>(
        directory.write("sys/dev/block/253:7/dm/uuid", std::string{kSnapUuid} + "\n"));
    std::filesystem::create_directories(records());
  }

  [[nodiscard]] std::filesystem::path records() const { return directory.file("transfers"); }
  [[nodiscard]] Movers movers() {
    MoversSpec spec{.limits = {.max_running = 2},
                    .program = "/usr/lib/lvmd/lvmd-mover",
                    .settings = {},
                    .volume_groups = [] { return std::vector<std::string>{"vg-0"}; },
                    .sysfs = directory.file("sys")};
    spec.settings.set_restic_path("/usr/bin/restic");
    spec.settings.set_record_directory(records());
    spec.settings.set_cache_directory("/var/cache/lvmd/restic");
    spec.settings.set_stall_seconds(600);
    return Movers{std::move(spec), std::make_unique<Launcher>(starts, stops),
                  [this](const internal::TransferReply& reply) { replies.push_back(reply); }};
  }
  [[nodiscard]] v1::Transfer transfer(const TransferKey& key) const {
    const auto record = transfers::read_record(records(), key);
    INFO((record ? "" : record.error().message));
    REQUIRE(record);
    return record->transfer();
  }
  // The error of the last reply; absent for success.
  [[nodiscard]] std::optional<Error> last_error() const {
    REQUIRE_FALSE(replies.empty());
    if (!replies.back().has_error()) return std::nullopt;
    return ipc::from_proto(replies.back().error());
  }

  ScratchDirectory directory;
  std::vector<Launcher::Start> starts;
  std::vector<TransferKey> stops;
  std::vector<internal::TransferReply> replies;
};

const TransferKey kMoverKey{.operation = v1::OPERATION_BACKUP, .id = "backup-1"};

internal::TransferRequest start_of(internal::MoverJob job, std::uint64_t number = 1) {
  internal::TransferRequest request;
  request.set_number(number);
  *request.mutable_start() = std::move(job);
  return request;
}

internal::TransferRecord record_in(v1::Phase phase, transfers::Time begun) {
  internal::MoverJob job = sample_backup();
  job.set_attempt(4);
  internal::TransferRecord record = transfers::new_record(job, begun);
  record.mutable_transfer()->set_phase(phase);
  if (transfers::has_ended(phase))
    *record.mutable_transfer()->mutable_completion_time() = transfers::to_timestamp(begun);
  if (phase == v1::PHASE_FAILED) record.mutable_transfer()->mutable_error()->set_code("X");
  return record;
}

}  // namespace

TEST_CASE("a start is recorded, and answered when the mover has been started [P-XFER-1]",
          "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  movers.handle(start_of(sample_backup(), 77));
  REQUIRE(host.starts.size() == 1);
  CHECK(host.starts[0].unit.name == "lvmd-transfer-backup-backup-1.service");
  CHECK(host.replies.empty());
  const v1::Transfer pending = host.transfer(kMoverKey);
  CHECK(pending.phase() == v1::PHASE_PENDING);
  CHECK(pending.attempt() == 1);
  CHECK(pending.volume_group() == "vg-0");
  host.starts[0].done({});
  REQUIRE(host.replies.size() == 1);
  CHECK(host.replies[0].number() == 77);
  CHECK_FALSE(host.replies[0].has_error());
}

TEST_CASE("the mover gets its complete job in an immutable file [P-XFER-5]", "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  movers.handle(start_of(sample_backup()));
  REQUIRE(host.starts.size() == 1);
  const int fd = host.starts[0].job.get();
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  CHECK(::fcntl(fd, F_GET_SEALS) == kSeals);
  CHECK(::write(fd, "x", 1) < 0);
  internal::MoverJob job;
  REQUIRE(job.ParseFromFileDescriptor(fd));
  CHECK(job.credentials().password() == kSecret);
  CHECK(job.attempt() == 1);
  CHECK(job.settings().restic_path() == "/usr/bin/restic");
  CHECK(job.device().minor() == 7);
}

TEST_CASE("a mover's job says whether restic can exclude attributes [P-XFER-4]", "[supervisor]") {
  const auto [version, expected] =
      GENERATE(table<ResticVersion, bool>({{{.major = 0, .minor = 17, .patch = 3}, false},
                                           {{.major = 0, .minor = 18, .patch = 0}, true},
                                           {{.major = 1, .minor = 0, .patch = 0}, true}}));
  MoversOnHost host;
  Movers movers = host.movers();
  movers.use_restic(version);
  movers.handle(start_of(sample_backup()));
  REQUIRE(host.starts.size() == 1);
  internal::MoverJob job;
  REQUIRE(job.ParseFromFileDescriptor(host.starts[0].job.get()));
  CHECK(job.settings().restic_excludes_xattrs() == expected);
}

TEST_CASE("records and replies contain no credential [P-XFER-5]", "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  movers.handle(start_of(sample_backup()));
  REQUIRE(host.starts.size() == 1);
  host.starts[0].done(fail(Code::kUnavailable, "systemd says no"));
  std::ostringstream text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{host.records()})
    text << std::ifstream{entry.path()}.rdbuf();
  CHECK(text.str().find("backup-1") != std::string::npos);
  CHECK(text.str().find(kSecret) == std::string::npos);
  CHECK(host.replies.back().SerializeAsString().find(kSecret) == std::string::npos);
}

TEST_CASE(
    "a mover that fails to start leaves FAILED, and the next start is another attempt [P-XFER-1]",
    "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  movers.handle(start_of(sample_backup()));
  host.starts.at(0).done(fail(Code::kUnavailable, "systemd says no"));
  REQUIRE(host.last_error());
  CHECK(host.last_error()->message == "systemd says no");
  const v1::Transfer failed = host.transfer(kMoverKey);
  CHECK(failed.phase() == v1::PHASE_FAILED);
  CHECK(failed.error().code() == "SnapshotExecutionFailed");
  CHECK(failed.error().reason() == "MoverFailed");
  CHECK(failed.error().message() == "systemd says no");
  CHECK(failed.error().transient());
  movers.handle(start_of(sample_backup()));
  CHECK(host.starts.size() == 2);
  CHECK(host.transfer(kMoverKey).attempt() == 2);
}

TEST_CASE("a transfer that runs or has succeeded is not started again [P-XFER-1]", "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  SECTION("it is being started") { movers.handle(start_of(sample_backup())); }
  SECTION("its mover runs") {
    REQUIRE(transfers::write_record(
        host.records(), record_in(v1::PHASE_RUNNING, std::chrono::system_clock::now())));
  }
  SECTION("it succeeded") {
    REQUIRE(transfers::write_record(
        host.records(), record_in(v1::PHASE_SUCCEEDED, std::chrono::system_clock::now())));
  }
  const auto lock = transfers::RecordLock::take(host.records(), kMoverKey);
  REQUIRE(lock);
  const std::size_t before = host.starts.size();
  movers.handle(start_of(sample_backup()));
  CHECK(host.starts.size() == before);
  REQUIRE(host.last_error());
  CHECK(host.last_error()->code == Code::kAlreadyExists);
}

TEST_CASE(
    "a check that has succeeded is started again, one that is being started is not [P-XFER-20]",
    "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  movers.handle(start_of(sample_check()));
  REQUIRE(host.starts.size() == 1);
  const TransferKey key{.operation = v1::OPERATION_CHECK, .id = "check-1"};
  const auto succeed = [&] {
    auto record = transfers::read_record(host.records(), key);
    REQUIRE(record);
    record->mutable_transfer()->set_phase(v1::PHASE_SUCCEEDED);
    *record->mutable_transfer()->mutable_completion_time() =
        transfers::to_timestamp(std::chrono::system_clock::now());
    REQUIRE(transfers::write_record(host.records(), *record));
  };
  succeed();
  movers.handle(start_of(sample_check()));
  CHECK(host.starts.size() == 1);
  REQUIRE(host.last_error());
  CHECK(host.last_error()->code == Code::kAlreadyExists);
  host.starts[0].done({});
  movers.handle(start_of(sample_check()));
  CHECK(host.starts.size() == 2);
  CHECK(host.transfer(key).attempt() == 2);
  CHECK(host.transfer(key).phase() == v1::PHASE_PENDING);
}

TEST_CASE("the supervisor enforces max-running itself [P-XFER-16]", "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  movers.handle(start_of(sample_backup("one")));
  movers.handle(start_of(sample_backup("two")));
  movers.handle(start_of(sample_backup("three")));
  CHECK(host.starts.size() == 2);
  REQUIRE(host.last_error());
  CHECK(host.last_error()->code == Code::kResourceExhausted);
  CHECK_FALSE(std::filesystem::exists(host.records() / "backup-three"));
}

TEST_CASE("a cancellation reaches the mover of that name [P-XFER-15]", "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  internal::TransferRequest request;
  request.mutable_cancel()->set_operation(v1::OPERATION_RESTORE);
  request.mutable_cancel()->set_id("r");
  movers.handle(request);
  CHECK(host.stops == std::vector{TransferKey{.operation = v1::OPERATION_RESTORE, .id = "r"}});
  CHECK_FALSE(host.last_error());
  request.mutable_cancel()->set_id("../r");
  movers.handle(request);
  CHECK(host.stops.size() == 1);
  CHECK(host.last_error()->code == Code::kInvalidArgument);
}

TEST_CASE("transfers whose movers died under an earlier supervisor have failed [P-XFER-3]",
          "[supervisor]") {
  MoversOnHost host;
  const auto now = std::chrono::system_clock::now();
  const v1::Phase phase = GENERATE(v1::PHASE_RUNNING, v1::PHASE_PENDING);
  REQUIRE(transfers::write_record(host.records(), record_in(phase, now - 1min)));
  Movers movers = host.movers();
  const v1::Transfer died = host.transfer(kMoverKey);
  CHECK(died.phase() == v1::PHASE_FAILED);
  CHECK(died.error().reason() == "Interrupted");
  movers.handle(start_of(sample_backup()));
  CHECK(host.transfer(kMoverKey).attempt() == 5);
}

TEST_CASE("a mover that is starting or running is not disturbed [P-XFER-3]", "[supervisor]") {
  MoversOnHost host;
  const auto now = std::chrono::system_clock::now();
  SECTION("it may still start") {
    REQUIRE(transfers::write_record(host.records(), record_in(v1::PHASE_PENDING, now)));
    const Movers movers = host.movers();
    CHECK(host.transfer(kMoverKey).phase() == v1::PHASE_PENDING);
  }
  SECTION("it holds its lock") {
    const auto lock = transfers::RecordLock::take(host.records(), kMoverKey);
    REQUIRE(lock);
    REQUIRE(transfers::write_record(host.records(), record_in(v1::PHASE_RUNNING, now - 1h)));
    const Movers movers = host.movers();
    CHECK(host.transfer(kMoverKey).phase() == v1::PHASE_RUNNING);
  }
}

TEST_CASE("records of transfers that ended long ago are removed [P-XFER-2]", "[supervisor]") {
  MoversOnHost host;
  const auto now = std::chrono::system_clock::now();
  REQUIRE(transfers::write_record(host.records(),
                                  record_in(v1::PHASE_SUCCEEDED, now - std::chrono::days{8})));
  const Movers movers = host.movers();
  CHECK_FALSE(transfers::read_record(host.records(), kMoverKey));
}

TEST_CASE("a request without content is answered with an error", "[supervisor]") {
  MoversOnHost host;
  Movers movers = host.movers();
  movers.handle({});
  REQUIRE(host.last_error());
  CHECK(host.last_error()->code == Code::kInternal);
}
