#include "tests/torture/lanes.hpp"

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "tests/torture/blocks.hpp"
#include "tests/torture/calls.hpp"

namespace lvmd::torture {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstPause{100};
constexpr std::chrono::milliseconds kLongestPause{1600};
constexpr std::chrono::milliseconds kHealthInterval{500};

class Lane {
 public:
  Lane(const LaneOptions& options, Journal& journal) : options_(options), journal_(journal) {}

  void run(const std::vector<Operation>& operations) {
    for (const Operation& operation : operations) {
      if (journal_.ended().contains({operation.lane, operation.number})) continue;
      if (std::filesystem::exists(options_.stop_file)) return;
      if (!perform(operation)) {
        record(operation, {{"event", "gave-up"}});
        return;
      }
      record(operation, {{"event", "end"}});
    }
  }

 private:
  void record(const Operation& operation, json entry) {
    entry["lane"] = operation.lane;
    entry["op"] = operation.number;
    journal_.write(std::move(entry));
  }

  bool perform(const Operation& operation) {
    if (operation.verb == "write") {
      record(operation, {{"event", "ask"}});
      const int error = write_blocks(operation.device, operation.offset, operation.bytes,
                                     operation.birth, operation.sequence);
      record(operation, {{"event", "answer"}, {"errno", error}});
      return true;
    }
    if (operation.verb == "read") {
      record(operation, {{"event", "ask"}});
      const BlocksRead read = read_blocks(operation.device, operation.offset, operation.bytes);
      record(operation, {{"event", "answer"}, {"errno", read.error}, {"contents", read.contents}});
      return true;
    }
    bool answered = true;
    std::vector<std::jthread> others;
    std::mutex mutex;
    for (int caller = 1; caller < operation.callers; ++caller)
      others.emplace_back([&, caller] {
        const bool final = ask_until_final(operation, caller, connection(caller));
        const std::lock_guard lock{mutex};
        answered = answered && final;
      });
    const bool final = ask_until_final(operation, 0, connection(0));
    others.clear();
    return answered && final;
  }

  bool ask_until_final(const Operation& operation, int caller, Connection& connection) {
    std::optional<Clock::time_point> until;
    auto pause = kFirstPause;
    for (int attempt = 0;; ++attempt) {
      record(operation, {{"event", "ask"}, {"caller", caller}, {"try", attempt}});
      const Outcome outcome = connection.call(operation);
      json answer{{"event", "answer"},
                  {"caller", caller},
                  {"try", attempt},
                  {"code", outcome.code},
                  {"final", outcome.is_final()}};
      if (outcome.code == "OK")
        answer.update(outcome.told);
      else
        answer.update({{"reason", outcome.reason}, {"message", outcome.message}});
      record(operation, std::move(answer));
      if (outcome.is_final()) return true;
      // While there are faults no request has to end.
      if (!until && std::filesystem::exists(options_.stop_file))
        until = Clock::now() + options_.patience;
      if (until && Clock::now() + pause > *until) return false;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLongestPause);
    }
  }

  // The callers of one operation use one each; the next operation uses the same.
  Connection& connection(int caller) {
    const std::lock_guard lock{mutex_};
    const auto wanted = static_cast<std::size_t>(caller) + 1;
    while (connections_.size() < wanted)
      connections_.push_back(std::make_unique<Connection>(options_.socket));
    return *connections_[static_cast<std::size_t>(caller)];
  }

  const LaneOptions& options_;
  Journal& journal_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

void watch_health(const std::stop_token& stop, const LaneOptions& options, Journal& journal) {
  Connection connection{options.socket};
  std::map<std::string, std::pair<std::string, std::string>> last;
  std::mutex mutex;
  std::condition_variable_any ended;
  while (!stop.stop_requested()) {
    for (const std::string& group : options.groups) {
      const auto now = connection.health(group);
      if (last[group] == now) continue;
      last[group] = now;
      journal.write(
          {{"event", "health"}, {"group", group}, {"status", now.first}, {"reason", now.second}});
    }
    std::unique_lock lock{mutex};
    ended.wait_for(lock, stop, kHealthInterval, [] { return false; });
  }
}

}  // namespace

void run_lanes(const std::map<int, std::vector<Operation>>& lanes, const LaneOptions& options,
               Journal& journal) {
  const std::jthread health{
      [&](const std::stop_token& stop) { watch_health(stop, options, journal); }};
  std::vector<std::jthread> threads;
  threads.reserve(lanes.size());
  for (const auto& [number, operations] : lanes)
    threads.emplace_back(
        [&operations, &options, &journal] { Lane{options, journal}.run(operations); });
  threads.clear();
  journal.write({{"event", "finished"}});
}

}  // namespace lvmd::torture
