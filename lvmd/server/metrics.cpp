#include "lvmd/server/metrics.hpp"

#include <fmt/format.h>

#include <utility>

namespace lvmd::server {
namespace {

using Seconds = std::chrono::duration<double>;

// From a read from memory to a command that waits for a slow disk.
const prometheus::Histogram::BucketBoundaries& buckets() {
  static const prometheus::Histogram::BucketBoundaries kBoundaries{
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
      0.1,    0.25,    0.5,    1,     2.5,    5,     10,   30,    60};
  return kBoundaries;
}

std::string text(std::string_view view) { return std::string{view}; }

}  // namespace

Metrics::Metrics()
    : calls_(prometheus::BuildCounter()
                 .Name("lvmd_rpc_total")
                 .Help("Finished calls by method and code; streams count when they end.")
                 .Register(registry_)),
      call_seconds_(prometheus::BuildHistogram()
                        .Name("lvmd_rpc_duration_seconds")
                        .Help("Time from the arrival of a call to its answer.")
                        .Register(registry_)),
      command_seconds_(prometheus::BuildHistogram()
                           .Name("lvmd_lvm_command_duration_seconds")
                           .Help("Run time of LVM commands, including waits for LVM's locks.")
                           .Register(registry_)),
      wait_seconds_(prometheus::BuildHistogram()
                        .Name("lvmd_change_wait_seconds")
                        .Help("Time that changes waited for earlier changes of their volume group.")
                        .Register(registry_)),
      refused_(prometheus::BuildCounter()
                   .Name("lvmd_connections_refused_total")
                   .Help("Connections that were refused before any byte was read.")
                   .Register(registry_)) {}

void Metrics::call_finished(std::string_view method, Code code, std::chrono::nanoseconds took) {
  calls_.Add({{"method", text(method)}, {"code", text(to_string(code))}}).Increment();
  call_seconds_.Add({{"method", text(method)}}, buckets()).Observe(Seconds{took}.count());
}

void Metrics::command_finished(std::string_view volume_group, std::string_view command,
                               std::chrono::nanoseconds took) {
  const std::string_view verb = command.substr(0, command.find(' '));
  command_seconds_.Add({{"volume_group", text(volume_group)}, {"command", text(verb)}}, buckets())
      .Observe(Seconds{took}.count());
}

void Metrics::change_waited(std::string_view volume_group, std::chrono::nanoseconds waited) {
  wait_seconds_.Add({{"volume_group", text(volume_group)}}, buckets())
      .Observe(Seconds{waited}.count());
}

void Metrics::connection_refused(std::string_view why) {
  refused_.Add({{"reason", text(why)}}).Increment();
}

void Metrics::set_restarts(const std::string& child, std::uint64_t count) {
  const std::lock_guard lock{mutex_};
  restarts_[child] = count;
}

void Metrics::set_heartbeat(const std::string& child, MonotonicTime at) {
  const std::lock_guard lock{mutex_};
  heartbeats_[child] = at;
}

std::vector<prometheus::MetricFamily> Metrics::collect() const {
  auto families = registry_.Collect();
  prometheus::MetricFamily restarts{.name = "lvmd_child_restarts_total",
                                    .help = "Number of restarts of a child process of lvmd.",
                                    .type = prometheus::MetricType::Counter,
                                    .metric = {}};
  prometheus::MetricFamily heartbeats{
      .name = "lvmd_heartbeat_age_seconds",
      .help = "Time since a process of lvmd last answered the supervisor; grows while it is busy.",
      .type = prometheus::MetricType::Gauge,
      .metric = {}};
  const auto now = monotonic_now();
  {
    const std::lock_guard lock{mutex_};
    for (const auto& [child, at] : heartbeats_) {
      prometheus::ClientMetric& metric = heartbeats.metric.emplace_back();
      metric.label = {{.name = "child", .value = child}};
      metric.gauge.value = Seconds{now - at}.count();
    }
    for (const auto& [child, count] : restarts_) {
      prometheus::ClientMetric& metric = restarts.metric.emplace_back();
      metric.label = {{.name = "child", .value = child}};
      metric.counter.value = static_cast<double>(count);
    }
  }
  families.push_back(std::move(restarts));
  if (!heartbeats.metric.empty()) families.push_back(std::move(heartbeats));
  return families;
}

}  // namespace lvmd::server
