#include "lvmd/transfers/launcher/mover_unit.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "lvmd/supervisor/rights.hpp"
#include "lvmd/transfers/record/location.hpp"
#include "lvmd/transfers/record/record_name.hpp"

namespace lvmd::transfers {
namespace {

using Strings = std::vector<std::string>;

constexpr std::uint64_t kMicrosecondsPerPercent = 10'000;
// Cancel guarantees the end within 10 s [P-XFER-15].
constexpr std::uint64_t kStopMicroseconds = 10'000'000;
bool is_allowed_in_unit_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' ||
         c == '_' || c == '.' || c == '-';
}

UnitProperty::Pairs devices(const MoverUnit& unit) {
  UnitProperty::Pairs allowed;
  if (!unit.device) return allowed;
  allowed.emplace_back(fmt::format("/dev/block/{}:{}", unit.device->major, unit.device->minor),
                       unit.device->writable ? "rw" : "r");
  // A backup may contain device nodes: a restore may create them but not open them.
  if (unit.device->writable) {
    allowed.emplace_back("block-*", "m");
    allowed.emplace_back("char-*", "m");
  }
  return allowed;
}

Strings address_families(const MoverUnit& unit) {
  // Name resolution uses netlink.
  return unit.needs_network ? Strings{"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"}
                            : Strings{"AF_UNIX"};
}

}  // namespace

std::string mover_unit_name(v1::Operation operation, std::string_view id) {
  std::string name = fmt::format("lvmd-transfer-{}-", operation_name(operation));
  for (const char c : id)
    name += is_allowed_in_unit_name(c) ? std::string(1, c)
                                       : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return name + ".service";
}

MoverUnit mover_unit(const internal::MoverJob& job, std::string program,
                     const config::TransferSettings& limits) {
  const std::string title = describe(TransferKey{.operation = job.operation(), .id = job.id()});
  MoverUnit unit{.name = mover_unit_name(job.operation(), job.id()),
                 .description = "lvmd's " + title,
                 .program = std::move(program),
                 .title = title,
                 .needs_network = !is_local(job.repository().location()),
                 .limits = limits};
  if (!job.has_device()) return unit;
  unit.description += fmt::format(" of {}/{}", job.device().volume_group(), job.device().name());
  unit.device = MoverUnit::Device{.major = job.device().major(),
                                  .minor = job.device().minor(),
                                  .writable = job.operation() == v1::OPERATION_RESTORE};
  return unit;
}

std::vector<UnitProperty> mover_properties(const MoverUnit& unit) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
  return {
      {"Description", unit.description},
      {"Type", std::string{"exec"}},
      {"ExecStart",
       UnitProperty::Program{.path = unit.program, .arguments = {unit.program, unit.title}}},
      {"StandardOutput", std::string{"journal"}},
      {"StandardError", std::string{"journal"}},
      {"SyslogIdentifier", std::string{"lvmd-mover"}},
      {"CollectMode", std::string{"inactive-or-failed"}},
      {"UMask", std::uint64_t{0077}},
      // Only the mover gets SIGTERM, and it ends restic itself; remaining processes are killed.
      {"KillMode", std::string{"mixed"}},
      {"TimeoutStopUSec", kStopMicroseconds},
      // Not 0: only a limit of 1 also prevents the kernel from piping a core into a program,
      // core(5).
      {"LimitCORE", std::uint64_t{1}},
      {"LimitCORESoft", std::uint64_t{1}},
      {"MemoryMax", unit.limits.memory_mib * kMiB},
      {"MemorySwapMax", std::uint64_t{0}},
      {"CPUQuotaPerSecUSec", unit.limits.cpu_percent * kMicrosecondsPerPercent},
      {"IOWeight", unit.limits.io_weight},
      // The kernel kills only a restic that exceeds the memory limit; the mover reports that in its
      // record.
      {"OOMPolicy", std::string{"continue"}},
      {"OOMScoreAdjust", std::int32_t{supervisor::kMoverRights.oom_score}},
      // Mounts must stay possible, because a mover mounts the volume. RestrictSUIDSGID is not set
      // because a restore restores set-user-ID bits, and RestrictNamespaces because the mover
      // creates namespaces.
      {"NoNewPrivileges", true},
      {"CapabilityBoundingSet", supervisor::kMoverRights.capabilities},
      {"AmbientCapabilities", std::uint64_t{0}},
      {"PrivateNetwork", !unit.needs_network},
      {"PrivateIPC", true},
      {"ProtectKernelTunables", true},
      {"ProtectKernelModules", true},
      {"ProtectKernelLogs", true},
      {"ProtectControlGroups", true},
      {"ProtectClock", true},
      {"ProtectHostname", true},
      {"LockPersonality", true},
      {"RestrictRealtime", true},
      {"MemoryDenyWriteExecute", true},
      {"KeyringMode", std::string{"private"}},
      {"RestrictAddressFamilies",
       UnitProperty::Filter{.allows = true, .values = address_families(unit)}},
      {"SystemCallArchitectures", Strings{"native"}},
      {"SystemCallFilter", UnitProperty::Filter{.allows = false,
                                                .values = {supervisor::kMoverDeniedCalls.begin(),
                                                           supervisor::kMoverDeniedCalls.end()}}},
      {"SystemCallErrorNumber", std::int32_t{EPERM}},
      {"DevicePolicy", std::string{"closed"}},
      {"DeviceAllow", devices(unit)},
  };
}

}  // namespace lvmd::transfers
