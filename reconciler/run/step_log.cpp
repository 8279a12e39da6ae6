#include "reconciler/run/step_log.hpp"

#include <fmt/format.h>

#include <array>

#include "lvmd/base/log.hpp"

namespace lvmd::reconciler {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Step>> kNames{
    "nothing",       "mark",   "look up", "create",      "resize",
    "begin removal", "remove", "release", "write status"};

}  // namespace

std::string_view to_string(const Step& step) { return kNames.at(step.index()); }

void log_step(const Step& step, const LogicalVolume& volume, const Status& result,
              std::chrono::microseconds duration) {
  const Code code = result ? Code::kOk : result.error().code;
  std::string line = fmt::format("{} {}: {} {} in {} ms", to_string(volume.key),
                                 volume.uid.empty() ? "-" : volume.uid, to_string(step),
                                 std::string_view{to_string(code)}, duration.count() / 1000);
  if (!result) line += fmt::format(": {}", describe(result.error()));
  log::write(result ? log::Priority::kInfo : log::Priority::kWarning, line,
             {{log::kLv, volume.uid},
              {log::kCode, std::string{to_string(code)}},
              {log::kDuration, fmt::format("{}", duration.count())}});
}

}  // namespace lvmd::reconciler
