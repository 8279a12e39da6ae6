#include "reconciler/app/step_log.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lvmd/base/log.hpp"
#include "reconciler/app/status_writer.hpp"

namespace lvmd::reconciler {
namespace {

std::string_view uid_of(const LogicalVolume& object) {
  return object.uid.empty() ? std::string_view{"-"} : object.uid;
}

}  // namespace

void log_plan(const Step& step, const LogicalVolume& object) {
  std::string line = fmt::format("{} {}: dry run, would {}", to_string(object.key), uid_of(object),
                                 traits_of(step).name);
  if (const auto status = written_status(step, object); status && !status->message.empty())
    line += fmt::format(": {}", status->message);
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
