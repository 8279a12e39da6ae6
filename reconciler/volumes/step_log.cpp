#include "reconciler/volumes/step_log.hpp"

#include <fmt/format.h>

#include <array>

#include "lvmd/base/log.hpp"

namespace lvmd::reconciler {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Step>> kNames{
    "nothing",
    "mark",
    "find classes",
    "look up",
    "find source",
    "check",
    "create",
    "create snapshot",
    "resize",
    "begin removal",
    "remove",
    "release",
    "disown",
    "abandon",
    "write status",
    "find snapshot class",
    "find persistent volume",
    "find storage",
    "check transfer",
    "start backup",
    "start restore",
    "delete backup",
    "follow transfer",
    "cancel transfer",
    "await transfer",
    "await retry",
    "remove snapshot volume",
};

}  // namespace

std::string_view to_string(const Step& step) { return kNames.at(step.index()); }

void log_plan(const Step& step, const LogicalVolume& volume) {
  std::string line = fmt::format("{} {}: dry run, would {}", to_string(volume.key),
                                 volume.uid.empty() ? "-" : volume.uid, to_string(step));
  if (const auto* const write = std::get_if<WriteStatus>(&step);
      write != nullptr && !write->status.message.empty())
    line += fmt::format(": {}", write->status.message);
  log::notice(line);
}

void log_step(const Step& step, const LogicalVolume& volume, const Status& result,
              std::chrono::microseconds duration) {
  const Code code = result ? Code::kOk : result.error().code;
  std::string line = fmt::format("{} {}: {} {} in {} ms", to_string(volume.key),
                                 volume.uid.empty() ? "-" : volume.uid, to_string(step),
                                 std::string_view{to_string(code)}, duration.count() / 1000);
  if (!result) line += fmt::format(": {}", describe(result.error()));
  // A running transfer is asked for every few seconds.
  const auto priority =
      std::holds_alternative<FollowTransfer>(step) ? log::Priority::kDebug : log::Priority::kInfo;
  log::write(result ? priority : log::Priority::kWarning, line,
             {{log::kLv, volume.uid},
              {log::kCode, std::string{to_string(code)}},
              {log::kDuration, fmt::format("{}", duration.count())}});
}

}  // namespace lvmd::reconciler
