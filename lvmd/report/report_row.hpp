// One row of LVM's JSON report: every value is a text, lists are separated by commas.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::report {

// A view: valid as long as the document. Errors are Internal and name the field.
class ReportRow {
 public:
  explicit ReportRow(const nlohmann::json& row) : row_(&row) {}

  [[nodiscard]] Result<std::string> text(const char* field) const;
  [[nodiscard]] Result<std::uint64_t> number(const char* field) const;
  // Absent when the field is empty, as LVM leaves what doesn't apply.
  [[nodiscard]] Result<std::optional<double>> percent(const char* field) const;
  // Absent when the field is empty or -1, as LVM prints device numbers of inactive volumes.
  [[nodiscard]] Result<std::optional<std::uint32_t>> device_number(const char* field) const;
  [[nodiscard]] Result<std::vector<std::string>> list(const char* field) const;
  // A UUID without its dashes.
  [[nodiscard]] Result<std::string> id(const char* field) const;
  // A volume's name without the brackets that mark hidden ones.
  [[nodiscard]] Result<std::string> name(const char* field) const;

 private:
  const nlohmann::json* row_;
};

}  // namespace lvmd::report
