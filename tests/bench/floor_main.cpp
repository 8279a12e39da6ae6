// bench-floor: how long the LVM library itself takes for each change, in a warm process, with the
// host's configuration of LVM. It uses nothing of lvmd.
#include <fmt/format.h>
#include <lvm2cmd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "tests/bench/measure.hpp"

namespace lvmd::bench {
namespace {

// lvmd's own tags cost a little metadata, so one of their kind is set here too.
constexpr const char* kTag = "lvmd.v1:class=floor";

struct Options {
  std::string volume_group = "vg0";
  std::string pool = "pool0";
  int calls = 10;
  int series = 0;
};

// The library's log callback has no user data.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::string errors;

void collect(int level, const char* /*file*/, int /*line*/, int /*dm_errno*/, const char* message) {
  if (level == LVM2_LOG_ERROR || level == LVM2_LOG_FATAL) errors += fmt::format("{} ", message);
}

// Null if the library does not start.
void* init_library() {
  lvm2_log_fn(&collect);
  return lvm2_init();
}

class Library {
 public:
  Library() : handle_(init_library()) {
    if (handle_ != nullptr) lvm2_log_level(handle_, LVM2_LOG_PRINT);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) lvm2_exit(handle_);
  }

  [[nodiscard]] Status run(const std::string& command) {
    if (handle_ == nullptr) return fail(Code::kInternal, "the LVM library has not started");
    errors.clear();
    if (lvm2_run(handle_, command.c_str()) == LVM2_COMMAND_SUCCEEDED) return {};
    return fail(Code::kInternal, "{}: {}", command, errors);
  }

 private:
  void* handle_;
};

class Floor {
 public:
  Floor(Options options, Library& lvm) : options_(std::move(options)), lvm_(lvm) {}

  // Leaves the group as it was.
  Status run() {
    const int calls = options_.calls;
    const auto step = [this](const char* call, Status (Floor::*change)(int)) {
      return Step{call, [this, change](int number) { return (this->*change)(number); }};
    };
    for (const Step& change :
         {step("CreateLV thick", &Floor::create_thick), step("ResizeLV", &Floor::resize),
          step("RemoveLV thick", &Floor::remove_thick), step("CreateLV thin", &Floor::create_thin),
          step("CreateLVSnapshot", &Floor::snapshot)})
      if (auto done = measure(change, calls); !done) return done;
    const Step clean_up{"clean up", [this](int number) { return remove("snapshot", number); }};
    if (auto done = repeat(clean_up, calls); !done) return done;
    return measure(step("RemoveLV thin", &Floor::remove_thin), calls);
  }

  // Volumes of 4 MiB, which stay.
  Status run_series() {
    const Step create{"series", [this](int number) { return create_one(number); }};
    return measure(create, options_.series);
  }

 private:
  static std::string name(const char* kind, int number) {
    return fmt::format("floor_{}_{}", kind, number);
  }
  std::string path(const char* kind, int number) const {
    return fmt::format("{}/{}", options_.volume_group, name(kind, number));
  }

  Status create_thick(int number) {
    return lvm_.run(fmt::format("lvcreate -y -W y -n {} -L 8m --addtag {} {}",
                                name("thick", number), kTag, options_.volume_group));
  }
  Status create_one(int number) {
    return lvm_.run(fmt::format("lvcreate -y -W y -n bench_series_{} -L 4m --addtag {} {}", number,
                                kTag, options_.volume_group));
  }
  Status create_thin(int number) {
    return lvm_.run(fmt::format("lvcreate -y -W y -n {} -V 8m --addtag {} --thinpool {}/{}",
                                name("thin", number), kTag, options_.volume_group, options_.pool));
  }
  Status snapshot(int number) {
    return lvm_.run(fmt::format("lvcreate -y -s -k n -a y -p r -n {} --addtag {} {}",
                                name("snapshot", number), kTag, path("thin", number)));
  }
  Status resize(int number) {
    return lvm_.run(fmt::format("lvresize -y -L 16m {}", path("thick", number)));
  }
  Status remove_thick(int number) { return remove("thick", number); }
  Status remove_thin(int number) { return remove("thin", number); }
  Status remove(const char* kind, int number) {
    return lvm_.run(fmt::format("lvremove -f -y {}", path(kind, number)));
  }

  Options options_;
  Library& lvm_;
};

}  // namespace
}  // namespace lvmd::bench

int main(int argc, char** argv) try {
  using namespace lvmd;
  bench::Options options;
  CLI::App app{
      "Times each change of volumes by the LVM library alone, as root. A line of JSON per call on "
      "stdout. Leaves the volume group as it was, but for a series."};
  app.set_version_flag("--version", "bench-floor " LVMD_VERSION);
  app.add_option("--volume-group", options.volume_group, "must exist")->capture_default_str();
  app.add_option("--pool", options.pool, "a thin pool in it")->capture_default_str();
  app.add_option("--calls", options.calls, "how often each")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--series", options.series,
                 "in place of all that: make so many volumes of 4 MiB, which stay")
      ->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);

  bench::Library lvm;
  bench::Floor floor{options, lvm};
  const Status done = options.series > 0 ? floor.run_series() : floor.run();
  if (done) return 0;
  fmt::print(stderr, "bench-floor: {}\n", describe(done.error()));
  return 1;
} catch (const std::exception& unexpected) {
  fmt::print(stderr, "bench-floor: unexpected: {}\n", unexpected.what());
  return 1;
}
