// bench-client: how long each call takes for one client of lvmd, ours or another that speaks the
// same protocol: one connection, one call at a time.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>

#include "tests/bench/measure.hpp"
#include "tests/contract/client.hpp"

namespace lvmd::bench {
namespace {

constexpr std::int64_t kSize = 8 * 1024 * 1024;
constexpr std::int64_t kGrownSize = 2 * kSize;
constexpr std::chrono::seconds kStartLimit{30};
constexpr std::chrono::milliseconds kStartInterval{100};

struct Options {
  std::string socket;
  std::string thick = "ssd";
  std::string thin = "thin";
  int calls = 10;
  bool empty_only = false;
};

template <typename Response>
Status status_of(const contract::Answer<Response>& answer) {
  if (answer.ok()) return {};
  return fail(answer.code, "{}: {}", to_string(answer.code), answer.message);
}

class Calls {
 public:
  explicit Calls(Options options) : options_(std::move(options)), client_(options_.socket) {}

  // The server must be up, its state known and the connection made: none of that is measured.
  Status wait_until_ready() {
    const auto deadline = std::chrono::steady_clock::now() + kStartLimit;
    for (;;) {
      Status ready = status_of(client_.free_bytes(options_.thick));
      if (ready) ready = status_of(client_.free_bytes(options_.thin));
      if (ready) return {};
      if (std::chrono::steady_clock::now() > deadline)
        return fail(ready.error().code, "{} is not ready after {} s: {}", options_.socket,
                    kStartLimit.count(), ready.error().message);
      std::this_thread::sleep_for(kStartInterval);
    }
  }

  // gRPC's own cost: a call that has nothing to do. Not every lvmd offers it.
  Status measure_empty() {
    return measure("empty RPC", options_.calls,
                   [this](int) { return status_of(client_.health("")); });
  }

  // First the reads, so that the group has the volumes that it was given; leaves it as it was.
  Status measure_all() {
    if (auto done = measure_reads(); !done) return done;
    if (auto done = measure_thick(); !done) return done;
    return measure_thin();
  }

 private:
  Status measure_reads() {
    for (const auto& [kind, device_class] :
         {std::pair{"thick", options_.thick}, std::pair{"thin", options_.thin}}) {
      const auto list = [&](int) { return status_of(client_.list(device_class)); };
      const auto free = [&](int) { return status_of(client_.free_bytes(device_class)); };
      if (auto done = measure(fmt::format("GetLVList {}", kind), options_.calls, list); !done)
        return done;
      if (auto done = measure(fmt::format("GetFreeBytes {}", kind), options_.calls, free); !done)
        return done;
    }
    return {};
  }

  Status measure_thick() {
    const auto create = [this](int i) { return create_volume("thick", i, options_.thick); };
    const auto resize = [this](int i) {
      proto::ResizeLVRequest request;
      request.set_name(name("thick", i));
      request.set_device_class(options_.thick);
      request.set_size_bytes(kGrownSize);
      return status_of(client_.resize(request));
    };
    const auto remove = [this](int i) { return remove_volume("thick", i, options_.thick); };
    if (auto done = measure("CreateLV thick", options_.calls, create); !done) return done;
    if (auto done = measure("ResizeLV", options_.calls, resize); !done) return done;
    return measure("RemoveLV", options_.calls, remove);
  }

  Status measure_thin() {
    const auto create = [this](int i) { return create_volume("thin", i, options_.thin); };
    const auto snapshot = [this](int i) {
      proto::CreateLVSnapshotRequest request;
      request.set_name(name("snapshot", i));
      request.set_source_volume(name("thin", i));
      request.set_device_class(options_.thin);
      request.set_access_type("ro");
      return status_of(client_.snapshot(request));
    };
    if (auto done = measure("CreateLV thin", options_.calls, create); !done) return done;
    if (auto done = measure("CreateLVSnapshot", options_.calls, snapshot); !done) return done;
    for (const char* const kind : {"snapshot", "thin"}) {
      const auto remove = [&](int i) { return remove_volume(kind, i, options_.thin); };
      if (auto done = repeat("clean up", options_.calls, remove); !done) return done;
    }
    return {};
  }

  static std::string name(const char* kind, int number) {
    return fmt::format("bench_{}_{}", kind, number);
  }

  Status create_volume(const char* kind, int number, const std::string& device_class) {
    proto::CreateLVRequest request;
    request.set_name(name(kind, number));
    request.set_device_class(device_class);
    request.set_size_bytes(kSize);
    return status_of(client_.create(request));
  }

  Status remove_volume(const char* kind, int number, const std::string& device_class) {
    proto::RemoveLVRequest request;
    request.set_name(name(kind, number));
    request.set_device_class(device_class);
    return status_of(client_.remove(request));
  }

  Options options_;
  contract::Client client_;
};

}  // namespace
}  // namespace lvmd::bench

int main(int argc, char** argv) {
  using namespace lvmd;
  bench::Options options;
  CLI::App app{
      "Times the calls of a running lvmd. A line of JSON per call on stdout. Leaves the volume "
      "group as it was."};
  app.set_version_flag("--version", "bench-client " LVMD_VERSION);
  app.add_option("--socket", options.socket, "path of lvmd's socket")->required();
  app.add_option("--thick", options.thick, "a thick device class")->capture_default_str();
  app.add_option("--thin", options.thin, "a thin device class")->capture_default_str();
  app.add_option("--calls", options.calls, "how often each")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--empty", options.empty_only, "only a call that does nothing: a health check");
  CLI11_PARSE(app, argc, argv);

  bench::Calls calls{options};
  Status done = calls.wait_until_ready();
  if (done) done = options.empty_only ? calls.measure_empty() : calls.measure_all();
  if (done) return 0;
  fmt::print(stderr, "bench-client: {}\n", describe(done.error()));
  return 1;
}
