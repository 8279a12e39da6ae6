#include <linux/capability.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>

#include "lvmd/transfers/launcher/mover_unit.hpp"
#include "tests/unit/transfers/launcher/sample_job.hpp"

using namespace lvmd;
using namespace lvmd::transfers;

namespace {

constexpr const char* kProgram = "/usr/lib/lvmd/lvmd-mover";

MoverUnit unit_of(const internal::MoverJob& job) {
  return mover_unit(job, kProgram, {.memory_mib = 256, .cpu_percent = 150, .io_weight = 20});
}

internal::MoverJob restore_from_local() {
  internal::MoverJob job = sample_backup("r");
  job.set_operation(v1::OPERATION_RESTORE);
  job.mutable_repository()->set_location("/srv/repositories/a");
  return job;
}

// The value of the property; absent when there is none of that name and type.
template <typename Value>
std::optional<Value> value_of(const MoverUnit& unit, std::string_view name) {
  const auto properties = mover_properties(unit);
  const auto found = std::ranges::find(properties, name, &UnitProperty::name);
  if (found == properties.end()) return std::nullopt;
  const auto* const value = std::get_if<Value>(&found->value);
  return value == nullptr ? std::nullopt : std::optional{*value};
}

}  // namespace

TEST_CASE("a mover's unit is named by operation and id [P-XFER-4]", "[supervisor]") {
  CHECK(mover_unit_name(v1::OPERATION_BACKUP, "x") == "lvmd-transfer-backup-x.service");
  CHECK(mover_unit_name(v1::OPERATION_RESTORE, "0b1c-4d.E_f") ==
        "lvmd-transfer-restore-0b1c-4d.E_f.service");
  CHECK(mover_unit_name(v1::OPERATION_DELETE, std::string(64, 'x')).size() < 255);
}

TEST_CASE("characters that unit names can't have are escaped as by systemd", "[supervisor]") {
  CHECK(mover_unit_name(v1::OPERATION_BACKUP, "a/b c@d") ==
        "lvmd-transfer-backup-a\\x2fb\\x20c\\x40d.service");
  CHECK(mover_unit_name(v1::OPERATION_BACKUP, "\xc3\xa4") ==
        "lvmd-transfer-backup-\\xc3\\xa4.service");
}

TEST_CASE(
    "a mover has the limits of lvmd.yaml, and writes no core [P-XFER-4, P-XFER-5, P-XFER-19, "
    "P-CFG-53]",
    "[supervisor]") {
  const MoverUnit unit = unit_of(sample_backup());
  CHECK(value_of<std::uint64_t>(unit, "MemoryMax") == 256U << 20U);
  CHECK(value_of<std::uint64_t>(unit, "CPUQuotaPerSecUSec") == 1'500'000U);
  CHECK(value_of<std::uint64_t>(unit, "IOWeight") == 20U);
  CHECK(value_of<std::uint64_t>(unit, "LimitCORE") == 1U);
  CHECK(value_of<std::uint64_t>(unit, "LimitCORESoft") == 1U);
  CHECK(value_of<std::uint64_t>(unit, "TimeoutStopUSec") == 10'000'000U);
}

TEST_CASE(
    "when memory runs out, processes of a transfer are killed first, and its unit continues "
    "[P-XFER-19]",
    "[supervisor]") {
  const MoverUnit unit = unit_of(sample_backup());
  CHECK(value_of<std::uint64_t>(unit, "MemorySwapMax") == 0U);
  CHECK(value_of<std::int32_t>(unit, "OOMScoreAdjust") > 0);
  CHECK(value_of<std::string>(unit, "OOMPolicy") == "continue");
}

TEST_CASE(
    "a mover's unit names its transfer, and contains nothing else of the job [P-XFER-4, P-XFER-5]",
    "[supervisor]") {
  const MoverUnit unit = unit_of(sample_backup());
  CHECK(value_of<std::string>(unit, "Description") == "lvmd's backup backup-1 of vg-0/snap");
  CHECK(value_of<UnitProperty::Program>(unit, "ExecStart") ==
        UnitProperty::Program{.path = kProgram, .arguments = {kProgram, "backup backup-1"}});
  CHECK(value_of<std::string>(unit, "Type") == "exec");
  CHECK_FALSE(value_of<std::vector<std::string>>(unit, "Environment"));
}

TEST_CASE("only a mover with a remote repository has a network [P-XFER-4]", "[supervisor]") {
  const MoverUnit remote = unit_of(sample_backup());
  CHECK(value_of<bool>(remote, "PrivateNetwork") == false);
  CHECK(value_of<UnitProperty::Filter>(remote, "RestrictAddressFamilies") ==
        UnitProperty::Filter{.values = {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"}});
  const MoverUnit local = unit_of(restore_from_local());
  CHECK(value_of<bool>(local, "PrivateNetwork") == true);
  CHECK(value_of<UnitProperty::Filter>(local, "RestrictAddressFamilies") ==
        UnitProperty::Filter{.values = {"AF_UNIX"}});
}

TEST_CASE("a mover can open the device of its volume and no other device [P-XFER-4, P-XFER-19]",
          "[supervisor]") {
  CHECK(value_of<std::string>(unit_of(sample_backup()), "DevicePolicy") == "closed");
  CHECK(value_of<UnitProperty::Pairs>(unit_of(sample_backup()), "DeviceAllow") ==
        UnitProperty::Pairs{{"/dev/block/253:7", "r"}});
  CHECK(value_of<UnitProperty::Pairs>(unit_of(restore_from_local()), "DeviceAllow") ==
        UnitProperty::Pairs{{"/dev/block/253:7", "rw"}, {"block-*", "m"}, {"char-*", "m"}});
  internal::MoverJob deletion = sample_backup();
  deletion.set_operation(v1::OPERATION_DELETE);
  deletion.clear_device();
  CHECK(value_of<UnitProperty::Pairs>(unit_of(deletion), "DeviceAllow") == UnitProperty::Pairs{});
  const internal::MoverJob check = sample_check();
  CHECK(value_of<UnitProperty::Pairs>(unit_of(check), "DeviceAllow") == UnitProperty::Pairs{});
  CHECK(unit_of(check).name == "lvmd-transfer-check-check-1.service");
}

TEST_CASE(
    "a mover gains no privilege, and has the capabilities that mounting and restoring need "
    "[P-XFER-4]",
    "[supervisor]") {
  const MoverUnit unit = unit_of(sample_backup());
  CHECK(value_of<bool>(unit, "NoNewPrivileges") == true);
  const auto bounds = value_of<std::uint64_t>(unit, "CapabilityBoundingSet");
  REQUIRE(bounds);
  for (const int kept : {CAP_SYS_ADMIN, CAP_DAC_READ_SEARCH, CAP_CHOWN, CAP_MKNOD})
    CHECK((*bounds >> kept & 1U) == 1U);
  for (const int gone : {CAP_NET_ADMIN, CAP_SYS_PTRACE, CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYS_BOOT,
                         CAP_KILL, CAP_BPF})
    CHECK((*bounds >> gone & 1U) == 0U);
}
