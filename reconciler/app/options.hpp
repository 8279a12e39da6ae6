// The command line. Flags and defaults: docs/reconciler.md, section 9.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/log.hpp"
#include "lvmd/base/result.hpp"
#include "reconciler/snapshots/online_snapshot.hpp"

namespace lvmd::reconciler {

enum class StoreKind { kDirectory, kKube };

struct Options {
  StoreKind store = StoreKind::kDirectory;
  std::string lvmd_socket = "/run/topolvm/lvmd.sock";
  std::string node_name;
  bool dry_run = false;
  // Absent: volumes without an object are never removed.
  std::optional<std::chrono::milliseconds> remove_orphans_after;
  // Empty: no listener.
  std::string listen_address;
  log::Priority log_level = log::Priority::kInfo;
  // Backups and restores of snapshots whose class is online [R-ONLINE-1].
  bool online_snapshots = false;
  RestoreGate restore_gate = RestoreGate::kPhase;
  // Directory store.
  std::string manifests = "/etc/lvmd/manifests";
  std::string state_directory = "/var/lib/lvmd-reconciler";
  std::chrono::milliseconds delete_after{60'000};
  // Kube store.
  std::string kube_server;
  // Replaces the three other options of the kube store; empty: none.
  std::string kubeconfig;
  std::string kube_token_file = "/var/run/secrets/kubernetes.io/serviceaccount/token";
  std::string kube_ca_file = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";
};

// The options, with defaults from the environment. Otherwise the exit status, after help, version
// or the error was printed [R-CLI-20, R-CLI-21].
[[nodiscard]] std::expected<Options, int> parse_options(int argc, char** argv);

// "60s", "500ms", "1.5m", "2h" [R-CLI-6]. InvalidArgument naming the text.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text);

}  // namespace lvmd::reconciler
