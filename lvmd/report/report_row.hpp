// One row of LVM's JSON report. All values are strings; the items of a list are separated by
// commas.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::report {

// A view, valid as long as the document. Errors are Internal and name the field.
class ReportRow {
 public:
  explicit ReportRow(const nlohmann::json& row) : row_(&row) {}

  [[nodiscard]] Result<std::string> text(const char* field) const;
  [[nodiscard]] Result<std::uint64_t> number(const char* field) const;
  // Absent if the field is empty: it does not apply to the row.
  [[nodiscard]] Result<std::optional<double>> percent(const char* field) const;
  // Absent if the field is empty or -1, which LVM prints for inactive volumes.
  [[nodiscard]] Result<std::optional<std::uint32_t>> device_number(const char* field) const;
  [[nodiscard]] Result<std::vector<std::string>> list(const char* field) const;
  // A UUID without dashes, 32 characters.
  [[nodiscard]] Result<std::string> id(const char* field) const;
  // The name of a volume, without the brackets of hidden volumes.
  [[nodiscard]] Result<std::string> name(const char* field) const;

 private:
  const nlohmann::json* row_;
};

}  // namespace lvmd::report
