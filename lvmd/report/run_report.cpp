#include "lvmd/report/run_report.hpp"

#include <utility>

#include "lvmd/base/run_program.hpp"
#include "lvmd/report/report_reader.hpp"

namespace lvmd::report {

Result<std::string> run_report(const std::string& lvm_path, const std::string& vg_name,
                               std::chrono::milliseconds time_limit) {
  auto printed = run_program(lvm_path, report_arguments(vg_name), time_limit);
  if (!printed) return std::unexpected(printed.error());
  return std::move(printed->out);
}

}  // namespace lvmd::report
