// bench-floor: how long the LVM library itself takes for each change, in a warm process, with the
// settings of lvmd's worker and the command lines of its plans.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "lvmd/lvm/lvm_session.hpp"
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

class Floor {
 public:
  Floor(Options options, lvm::LvmSession& lvm) : options_(std::move(options)), lvm_(lvm) {}

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
    return run(lvm::LvmCommand{"lvcreate"}
                   .flag("-y")
                   .option("-W", "y")
                   .option("-n", name("thick", number))
                   .option("-L", "8m")
                   .option("--addtag", kTag)
                   .operand(options_.volume_group));
  }
  Status create_one(int number) {
    return run(lvm::LvmCommand{"lvcreate"}
                   .flag("-y")
                   .option("-W", "y")
                   .option("-n", fmt::format("bench_series_{}", number))
                   .option("-L", "4m")
                   .option("--addtag", kTag)
                   .operand(options_.volume_group));
  }
  Status create_thin(int number) {
    return run(lvm::LvmCommand{"lvcreate"}
                   .flag("-y")
                   .option("-W", "y")
                   .option("-n", name("thin", number))
                   .option("-V", "8m")
                   .option("--addtag", kTag)
                   .option("--thinpool", options_.volume_group + "/" + options_.pool));
  }
  Status snapshot(int number) {
    return run(lvm::LvmCommand{"lvcreate"}
                   .flag("-y")
                   .flag("-s")
                   .option("-k", "n")
                   .option("-a", "y")
                   .option("-p", "r")
                   .option("-n", name("snapshot", number))
                   .option("--addtag", kTag)
                   .operand(path("thin", number)));
  }
  Status resize(int number) {
    return run(
        lvm::LvmCommand{"lvresize"}.flag("-y").option("-L", "16m").operand(path("thick", number)));
  }
  Status remove_thick(int number) { return remove("thick", number); }
  Status remove_thin(int number) { return remove("thin", number); }
  Status remove(const char* kind, int number) {
    return run(lvm::LvmCommand{"lvremove"}.flag("-f").flag("-y").operand(path(kind, number)));
  }

  Status run(const lvm::LvmCommand& command) {
    const auto outcome = lvm_.run(command);
    if (!outcome) return std::unexpected(outcome.error());
    if (!outcome->succeeded())
      return fail(Code::kInternal, "{} failed: {}", command.summary(), outcome->explanation());
    return {};
  }

  Options options_;
  lvm::LvmSession& lvm_;
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

  const auto session = lvm::LvmSession::open();
  Status done;
  if (!session) {
    done = std::unexpected(session.error());
  } else {
    bench::Floor floor{options, **session};
    done = options.series > 0 ? floor.run_series() : floor.run();
  }
  if (done) return 0;
  fmt::print(stderr, "bench-floor: {}\n", describe(done.error()));
  return 1;
} catch (const std::exception& unexpected) {
  fmt::print(stderr, "bench-floor: unexpected: {}\n", unexpected.what());
  return 1;
}
