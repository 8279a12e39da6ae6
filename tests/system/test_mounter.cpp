// The mounter's process: what it may, and what becomes of a mount when it, or lvmd, dies or hangs.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
#include "tests/system/mount_stage.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
namespace fs = std::filesystem;

namespace {}  // namespace

TEST_CASE("a mount outlives lvmd [P-MOUNT-1]", "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  const auto mount = mounted(stage.client(), request_for(name, "ext4"));
  must("systemctl restart lvmd.service");
  CHECK(host_sees(mount.target(), "FSTYPE") == "ext4");
  Client again{kSocket};
  CHECK(mounted(again, request_for(name)).target() == mount.target());
}

TEST_CASE("a mounter killed at any step loses nothing, the same call goes on [P-MOUNT-12]",
          "[system]") {
  const std::string step = GENERATE("mounter.begun", "mounter.blank", "mounter.made",
                                    "mounter.folder", "mounter.mounted", "mounter.gone");
  CAPTURE(step);
  MountStage stage;
  const std::string name = stage.volume();
  const bool unmounting = step == "mounter.gone";
  if (unmounting) static_cast<void>(mounted(stage.client(), request_for(name, "ext4")));
  const auto call = [&](Client& client) {
    return unmounting ? client.unmount(unmount_of(at(name))).code
                      : client.mount(request_for(name, "ext4")).code;
  };
  Code interrupted = Code::kOk;
  std::jthread caller;
  {
    const Failpoint failpoint{step};
    caller = std::jthread{[&] {
      Client client{kSocket};
      interrupted = call(client);
    }};
    REQUIRE(::kill(mounter_at(step), SIGKILL) == 0);
  }
  caller.join();
  CHECK(interrupted == Code::kUnavailable);
  CHECK(call(stage.client()) == Code::kOk);
  CHECK(host_sees(at(name), "FSTYPE") == (unmounting ? "" : "ext4"));
  CHECK(fs::exists(at(name)) != unmounting);
}

TEST_CASE("a mounter is where PID 1 is, with what mounting needs and no more [P-MOUNT-1]",
          "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  Code answer = Code::kUnknown;
  std::jthread caller;
  {
    const Failpoint failpoint{"mounter.begun"};
    caller = std::jthread{[&] {
      Client client{kSocket};
      answer = client.mount(request_for(name, "ext4")).code;
    }};
    const int pid = mounter_at("mounter.begun");
    CHECK(output_of(fmt::format("readlink /proc/{}/ns/mnt", pid)) ==
          output_of("readlink /proc/1/ns/mnt"));
    // CAP_DAC_OVERRIDE 1, CAP_DAC_READ_SEARCH 2, CAP_SYS_CHROOT 18, CAP_SYS_PTRACE 19,
    // CAP_SYS_ADMIN 21, CAP_SYS_RESOURCE 24.
    CHECK(status_of(pid, "CapBnd") == "00000000012c0006");
    CHECK(status_of(pid, "CapEff") == "00000000012c0006");
    CHECK(status_of(pid, "NoNewPrivs") == "1");
  }
  caller.join();
  CHECK(answer == Code::kOk);
  // A worker has neither CAP_SYS_CHROOT nor CAP_SYS_PTRACE.
  const auto worker = std::stoull(status_of(pid_of("lvmd-worker vg_thick"), "CapBnd"), nullptr, 16);
  CHECK((worker & ((1ULL << 18U) | (1ULL << 19U))) == 0);
}

TEST_CASE("mounters wait for the next jobs, which need no new ones [P-MOUNT-24]", "[system]") {
  MountStage stage;
  const std::string name = stage.volume();
  const std::string other = stage.volume();
  const auto waiting = [] {
    // A mounter that has done its job may be about to exit.
    std::vector<int> pids;
    REQUIRE(eventually([&] { return (pids = pids_of("lvmd-mounter")).size() == 2; }, kStepLimit));
    return pids;
  };
  static_cast<void>(mounted(stage.client(), request_for(name, "ext4")));
  const std::vector<int> first = waiting();
  for (const int pid : first) CHECK(status_of(pid, "CapBnd") == "00000000012c0006");
  Code answer = Code::kUnknown;
  std::jthread caller;
  {
    const Failpoint failpoint{"mounter.begun"};
    caller = std::jthread{[&] {
      Client client{kSocket};
      answer = client.mount(request_for(other, "ext4")).code;
    }};
    CHECK(std::ranges::count(first, mounter_at("mounter.begun")) == 1);
  }
  caller.join();
  CHECK(answer == Code::kOk);
  const std::vector<int> killed = waiting();
  for (const int pid : killed) REQUIRE(::kill(pid, SIGKILL) == 0);
  // Until lvmd has reaped a process, it can give it a job.
  for (const int pid : killed)
    REQUIRE(eventually([&] { return !std::filesystem::exists(fmt::format("/proc/{}", pid)); }));
  CHECK(mounted(stage.client(), request_for(name)).name() == name);
  static_cast<void>(waiting());
  must("systemctl stop lvmd.service");
  CHECK(eventually([] { return pid_of("lvmd-mounter") == 0; }));
  must("systemctl start lvmd.service");
}

TEST_CASE("a mount that hangs holds up no other, and not lvmd's end [P-MOUNT-14]", "[system]") {
  MountStage stage;
  const std::string stuck = stage.volume();
  const std::string other = stage.volume();
  must("mkfs.ext4 -q " + device_of(stuck) + " && dmsetup suspend " + device_of(stuck));
  CHECK(stage.client().mount(request_for(stuck), std::chrono::seconds{2}).code ==
        Code::kDeadlineExceeded);
  CHECK(mounted(stage.client(), request_for(other, "ext4")).name() == other);
  CHECK(stage.client().list_mounts().ok());
  // It ends without the one that hangs, which goes on when it can.
  must("systemctl stop lvmd.service");
  CHECK(output_of("systemctl show -P Result lvmd.service") == "success");
  CHECK(eventually([] { return pids_of("lvmd-mounter").size() == 1; }));
  must("dmsetup resume " + device_of(stuck));
  CHECK(eventually([&] { return host_sees(at(stuck), "FSTYPE") == "ext4"; }));
  must("systemctl start lvmd.service");
  Client again{kSocket};
  CHECK(mounted(again, request_for(stuck)).name() == stuck);
}
