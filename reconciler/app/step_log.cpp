#include "reconciler/app/step_log.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lvmd/base/log.hpp"

namespace lvmd::reconciler {
namespace {

std::string_view uid_of(const LogicalVolume& object) {
  return object.uid.empty() ? std::string_view{"-"} : object.uid;
}

// The message of the status that the step writes; empty for other steps.
std::string message_of(const Step& step, const LogicalVolume& object) {
  if (const auto* const write = get_kind<WriteStatus>(step)) return write->status.message;
  if (const auto* const write = get_kind<WriteReport>(step))
    return merge(object, write->report).message;
  return {};
}

}  // namespace

void log_plan(const Step& step, const LogicalVolume& object) {
  std::string line = fmt::format("{} {}: dry run, would {}", to_string(object.key), uid_of(object),
                                 traits_of(step).name);
  if (const std::string message = message_of(step, object); !message.empty())
    line += fmt::format(": {}", message);
  log::notice(line);
}

void log_step(const Step& step, const LogicalVolume& object, const Status& result,
              std::chrono::microseconds duration) {
  const Code code = result ? Code::kOk : result.error().code;
  std::string line =
      fmt::format("{} {}: {} {} in {} ms", to_string(object.key), uid_of(object),
                  traits_of(step).name, std::string_view{to_string(code)}, duration.count() / 1000);
  if (!result) line += fmt::format(": {}", describe(result.error()));
  const auto priority = traits_of(step).is_periodic ? log::Priority::kDebug : log::Priority::kInfo;
  log::write(result ? priority : log::Priority::kWarning, line,
             {{log::kLv, object.uid},
              {log::kCode, std::string{to_string(code)}},
              {log::kDuration, fmt::format("{}", duration.count())}});
}

}  // namespace lvmd::reconciler
