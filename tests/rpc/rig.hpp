// Common helpers of the rpc cases: a fake node per case, and waiting with a limit.
#pragma once

#include <chrono>
#include <concepts>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lvmd/base/unique_fd.hpp"
#include "tests/contract/client.hpp"
#include "tests/fakes/fake_node.hpp"

namespace lvmd::rpc {

// The time limit for everything that must happen, also on a busy machine.
inline constexpr std::chrono::seconds kLimit{20};

// The lvmd-server under test: LVMD_SERVER, by default that of this build.
[[nodiscard]] std::string server_path();

// A running node. The case fails when it can't start. By default members of this process's group
// may use both sockets.
[[nodiscard]] std::unique_ptr<fakes::FakeNode> start_node();
[[nodiscard]] std::unique_ptr<fakes::FakeNode> start_node(std::vector<gid_t> full_groups,
                                                          std::vector<gid_t> read_only_groups);
[[nodiscard]] std::unique_ptr<fakes::FakeNode> start_node_with_metrics();
// A node that is a CSI driver.
[[nodiscard]] std::unique_ptr<fakes::FakeNode> start_csi_node();
// As NodeOptions::restic_problem.
[[nodiscard]] std::unique_ptr<fakes::FakeNode> start_node_with_restic(
    std::optional<std::string> problem);

// A connection on which nothing was sent yet. The case fails when it can't be opened.
[[nodiscard]] UniqueFd connect_to(const std::string& path);

// All bytes until the peer closes the connection.
[[nodiscard]] std::string read_to_end(const UniqueFd& fd);
// The answer to a scraper, including the head.
[[nodiscard]] std::string scrape(const std::string& metrics_socket);

// Returns whether the condition becomes true within kLimit. For changes in another process that
// cause no event.
template <typename Condition>
[[nodiscard]] bool eventually(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

// Runs a call in the background.
// Constrained, because fmt tries begin() with other arguments.
template <std::invocable Call>
[[nodiscard]] auto begin(Call call) {
  return std::async(std::launch::async, std::move(call));
}

}  // namespace lvmd::rpc
