// bench-client: how long each call takes for one client of lvmd, ours or another that speaks the
// same protocol: one connection, one call at a time.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/bench/measure.hpp"
#include "tests/contract/client.hpp"

namespace lvmd::bench {
namespace {

constexpr std::int64_t kSize = std::int64_t{8} * 1024 * 1024;
constexpr std::int64_t kGrownSize = 2 * kSize;
// One extent, so that a thousand fit on the test VM's disk.
constexpr std::int64_t kSeriesSize = std::int64_t{4} * 1024 * 1024;
// Beside 10,000 volumes, TopoLVM's lvmd needs more than a minute for a snapshot.
constexpr std::chrono::minutes kCallLimit{5};
constexpr std::chrono::seconds kStartLimit{60};
constexpr std::chrono::milliseconds kStartInterval{100};

struct Options {
  std::string socket;
  std::string bare_socket;
  std::string thick = "ssd";
  std::string thin = "thin";
  int reads = 0;
  int changes = 0;
  int series = 0;
};

template <typename Response>
Status status_of(const contract::Answer<Response>& answer) {
  if (answer.ok()) return {};
  return fail(answer.code, "{}: {}", to_string(answer.code), answer.message);
}

// Asks until the answer is OK: the start of a server and the connection to it aren't measured.
Status wait_until_ready(const std::string& socket, const std::function<Status()>& ask) {
  const auto deadline = std::chrono::steady_clock::now() + kStartLimit;
  for (;;) {
    const Status ready = ask();
    if (ready) return {};
    if (std::chrono::steady_clock::now() > deadline)
      return fail(ready.error().code, "{} is not ready after {} s: {}", socket, kStartLimit.count(),
                  describe(ready.error()));
    std::this_thread::sleep_for(kStartInterval);
  }
}

std::string name(const std::string& kind, int number) {
  return fmt::format("bench_{}_{}", kind, number);
}

class Calls {
 public:
  explicit Calls(Options options)
      : options_(std::move(options)), client_(options_.socket), bare_(options_.bare_socket) {}

  Status wait_until_ready() {
    for (const std::string& device_class : needed_classes()) {
      const auto ask = [&] { return status_of(client_.free_bytes(device_class)); };
      if (auto ready = bench::wait_until_ready(options_.socket, ask); !ready) return ready;
    }
    if (options_.bare_socket.empty()) return {};
    return bench::wait_until_ready(options_.bare_socket,
                                   [this] { return status_of(bare_.health("")); });
  }

  // First the reads, so that the group has the volumes that it was given.
  Status measure_all() {
    if (auto done = measure_reads(); !done) return done;
    if (options_.changes > 0) {
      if (auto done = measure_thick(); !done) return done;
      if (auto done = measure_thin(); !done) return done;
    }
    if (options_.series == 0) return {};
    return measure(create_step("CreateLV series", "series", options_.thick, kSeriesSize),
                   options_.series);
  }

 private:
  // A series is of one class.
  std::vector<std::string> needed_classes() const {
    if (options_.socket.empty()) return {};
    if (options_.reads > 0 || options_.changes > 0) return {options_.thick, options_.thin};
    return {options_.thick};
  }

  Status measure_reads() {
    if (options_.reads == 0) return {};
    std::vector<Step> steps;
    if (!options_.bare_socket.empty())
      steps.push_back({"empty RPC", [this](int) { return status_of(bare_.health("")); }});
    if (!options_.bare_socket.empty() && !options_.socket.empty())
      steps.push_back(
          {"GetLVList from memory", [this](int) { return status_of(bare_.list(options_.thick)); }});
    if (!options_.socket.empty()) {
      for (const char* const kind : {"thick", "thin"})
        steps.push_back({fmt::format("GetLVList {}", kind), [this, kind](int) {
                           return status_of(client_.list(class_of(kind), kCallLimit));
                         }});
      for (const char* const kind : {"thick", "thin"})
        steps.push_back({fmt::format("GetFreeBytes {}", kind), [this, kind](int) {
                           return status_of(client_.free_bytes(class_of(kind), kCallLimit));
                         }});
    }
    return measure_in_turns(steps, options_.reads);
  }

  Status measure_thick() {
    const Step resize{"ResizeLV", [this](int number) {
                        proto::ResizeLVRequest request;
                        request.set_name(name("thick", number));
                        request.set_device_class(options_.thick);
                        request.set_size_bytes(kGrownSize);
                        return status_of(client_.resize(request, kCallLimit));
                      }};
    for (const Step& step : {create_step("CreateLV thick", "thick", options_.thick, kSize), resize,
                             remove_step("RemoveLV thick", "thick", options_.thick)})
      if (auto done = measure(step, options_.changes); !done) return done;
    return {};
  }

  Status measure_thin() {
    const Step snapshot{"CreateLVSnapshot", [this](int number) {
                          proto::CreateLVSnapshotRequest request;
                          request.set_name(name("snapshot", number));
                          request.set_source_volume(name("thin", number));
                          request.set_device_class(options_.thin);
                          request.set_access_type("ro");
                          return status_of(client_.snapshot(request, kCallLimit));
                        }};
    for (const Step& step : {create_step("CreateLV thin", "thin", options_.thin, kSize), snapshot})
      if (auto done = measure(step, options_.changes); !done) return done;
    const Step clean_up = remove_step("clean up", "snapshot", options_.thin);
    if (auto done = repeat(clean_up, options_.changes); !done) return done;
    return measure(remove_step("RemoveLV thin", "thin", options_.thin), options_.changes);
  }

  Step create_step(const char* call, const std::string& kind, const std::string& device_class,
                   std::int64_t size) {
    return {call, [this, kind, device_class, size](int number) {
              proto::CreateLVRequest request;
              request.set_name(name(kind, number));
              request.set_device_class(device_class);
              request.set_size_bytes(size);
              return status_of(client_.create(request, kCallLimit));
            }};
  }

  Step remove_step(const char* call, const std::string& kind, const std::string& device_class) {
    return {call, [this, kind, device_class](int number) {
              proto::RemoveLVRequest request;
              request.set_name(name(kind, number));
              request.set_device_class(device_class);
              return status_of(client_.remove(request, kCallLimit));
            }};
  }

  const std::string& class_of(std::string_view kind) const {
    return kind == "thick" ? options_.thick : options_.thin;
  }

  Options options_;
  contract::Client client_;
  contract::Client bare_;
};

// What can't be meant; empty when all is well.
std::string complaint(const Options& options) {
  if (options.reads + options.changes + options.series == 0)
    return "nothing to measure: give --reads, --changes or --series";
  if (options.socket.empty() && options.bare_socket.empty())
    return "nobody to ask: give --socket or --bare";
  if (options.socket.empty() && options.changes + options.series > 0)
    return "--changes and --series need --socket";
  return {};
}

}  // namespace
}  // namespace lvmd::bench

int main(int argc, char** argv) try {
  using namespace lvmd;
  bench::Options options;
  CLI::App app{
      "Times the calls of a running lvmd. A line of JSON per call on stdout. Leaves the volume "
      "group as it was, but for --series."};
  app.set_version_flag("--version", "bench-client " LVMD_VERSION);
  app.add_option("--socket", options.socket, "path of lvmd's socket");
  app.add_option("--bare", options.bare_socket,
                 "path of bench-bare's socket: the reads are timed beside gRPC alone");
  app.add_option("--thick", options.thick, "a thick device class")->capture_default_str();
  app.add_option("--thin", options.thin, "a thin device class")->capture_default_str();
  for (const auto& [flag, times, what] :
       {std::tuple{"--reads", &options.reads, "how often each call that changes nothing"},
        std::tuple{"--changes", &options.changes, "how often each call that changes something"},
        std::tuple{"--series", &options.series, "how many thick volumes to make and leave"}})
    app.add_option(flag, *times, what)->check(CLI::NonNegativeNumber)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (const std::string wrong = bench::complaint(options); !wrong.empty()) {
    fmt::print(stderr, "bench-client: {}\n", wrong);
    return 2;
  }

  bench::Calls calls{options};
  Status done = calls.wait_until_ready();
  if (done) done = calls.measure_all();
  if (done) return 0;
  fmt::print(stderr, "bench-client: {}\n", describe(done.error()));
  return 1;
} catch (const std::exception& unexpected) {
  fmt::print(stderr, "bench-client: unexpected: {}\n", unexpected.what());
  return 1;
}
