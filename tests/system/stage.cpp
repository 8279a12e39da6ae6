#include "tests/system/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/system/shell.hpp"

namespace lvmd::system_tests {
namespace {

constexpr const char* kStageConfig = R"(socket-name: /run/topolvm/lvmd.sock
device-classes:
  - {name: thick, volume-group: vg_thick, default: true, spare-gb: 1}
  - name: thin
    volume-group: vg_thick
    type: thin
    spare-gb: 1
    thin-pool: {name: pool, overprovision-ratio: 2.0}
  - {name: striped, volume-group: vg_striped, spare-gb: 0, stripe: 2}
  - name: poolless
    volume-group: vg_striped
    type: thin
    spare-gb: 0
    thin-pool: {name: no_pool, overprovision-ratio: 1.0}
  - {name: absent, volume-group: vg_absent, spare-gb: 0}
lvcreate-option-classes:
  - {name: linear, options: [--type=linear]}
metrics-address: unix:/run/topolvm/metrics.sock
)";

void run_or_exit(const std::string& command) {
  const Done done = shell(command);
  if (done.exit_code == 0) return;
  fmt::print(stderr, "system-tests: {} ended with {}:\n{}\n", command, done.exit_code, done.output);
  std::exit(2);
}

}  // namespace

void set_the_stage(const std::string& more) {
  // LVM's programs warn of descriptors that they inherit, and a report that is being written is
  // one.
  setenv("LVM_SUPPRESS_FD_WARNINGS", "1", 1);
  run_or_exit("vgcreate -q vg_thick /dev/disk/by-id/virtio-data0");
  run_or_exit("lvcreate -q -y --type thin-pool -L 2G -n pool vg_thick");
  run_or_exit("vgcreate -q vg_striped /dev/disk/by-id/virtio-data4 /dev/disk/by-id/virtio-data5");
  run_or_exit("mkdir -p /etc/topolvm");
  std::ofstream{"/etc/topolvm/lvmd.yaml"} << kStageConfig << more;
  run_or_exit("systemctl enable --now lvmd.socket lvmd.service");
  setenv("LVMD_CONTRACT_SOCKET", kSocket, 1);
}

// Read here, without a program: cases ask this many times a second, of an emulated processor.
std::vector<int> pids_of(const std::string& process) {
  // comm has 15 characters at most; the whole command line names a worker's group.
  std::string wanted = "/usr/lib/lvmd/" + process;
  std::ranges::replace(wanted, ' ', '\0');
  wanted += '\0';
  std::vector<int> pids;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc"}) {
    const std::string name = entry.path().filename();
    if (!std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) continue;
    const std::ifstream file{entry.path() / "cmdline"};
    // Unlike the iterators of its buffer, this does not throw when the process has ended.
    std::ostringstream words;
    words << file.rdbuf();
    if (words.str() == wanted) pids.push_back(std::stoi(name));
  }
  return pids;
}

int pid_of(const std::string& process) {
  const std::vector<int> pids = pids_of(process);
  return pids.empty() ? 0 : pids.front();
}

std::string status_of(int pid, const std::string& key) {
  std::ifstream status{fmt::format("/proc/{}/status", pid)};
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key + ":")) {
      const std::size_t begin = line.find_first_not_of(" \t", key.size() + 1);
      return begin == std::string::npos ? "" : line.substr(begin);
    }
  return {};
}

}  // namespace lvmd::system_tests
