// What the system suite stands on: volume groups on the VM's data disks, the configuration that the
// contract tests ask for (tests/contract/README.md), and lvmd as its unit starts it.
#pragma once

#include <string>
#include <vector>

namespace lvmd::system_tests {

inline constexpr const char* kSocket = "/run/topolvm/lvmd.sock";
inline constexpr const char* kReadOnlySocket = "/run/topolvm/lvmd-ro.sock";

// Makes groups and configuration (`more` are further lines of lvmd.yaml) and starts lvmd. Ends the
// program, with the reason on stderr, when that can't be done: without it no case says anything.
void set_the_stage(const std::string& more = {});

// The pids of the processes with this command line below lvmd's folder: "lvmd-server" or
// "lvmd-worker vg_thick".
[[nodiscard]] std::vector<int> pids_of(const std::string& process);
// The pid of one of them; 0 when none runs.
[[nodiscard]] int pid_of(const std::string& process);

// A line of /proc/<pid>/status without its name: status_of(1, "CapEff") is "000001ffffffffff".
[[nodiscard]] std::string status_of(int pid, const std::string& key);

}  // namespace lvmd::system_tests
