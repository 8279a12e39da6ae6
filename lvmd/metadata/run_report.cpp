#include "lvmd/metadata/run_report.hpp"

#include <utility>

#include "lvmd/metadata/report_reader.hpp"
#include "lvmd/metadata/run_program.hpp"

namespace lvmd::metadata {

Result<std::string> run_report(const std::string& lvm_path, const std::string& vg_name,
                               std::chrono::milliseconds time_limit) {
  auto printed = run_program(lvm_path, report_arguments(vg_name), time_limit);
  if (!printed) return std::unexpected(printed.error());
  return std::move(printed->out);
}

}  // namespace lvmd::metadata
