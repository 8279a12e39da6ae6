#include "lvmd/report/report_row.hpp"

#include <nlohmann/json.hpp>

#include "lvmd/base/parse_number.hpp"

namespace lvmd::report {
namespace {

std::unexpected<Error> bad_field(const char* field, std::string_view value, const char* expected) {
  return fail(Code::kInternal, "LVM's report has {} \"{}\", expected {}", field, value, expected);
}

}  // namespace

Result<std::string> ReportRow::text(const char* field) const {
  const auto found = row_->find(field);
  if (found == row_->end() || !found->is_string())
    return fail(Code::kInternal, "LVM's report has a row without {}", field);
  return found->get<std::string>();
}

Result<std::uint64_t> ReportRow::number(const char* field) const {
  const auto value = text(field);
  if (!value) return std::unexpected(value.error());
  const auto number = parse_number<std::uint64_t>(*value);
  if (!number) return bad_field(field, *value, "a whole number");
  return *number;
}

Result<std::optional<double>> ReportRow::percent(const char* field) const {
  const auto value = text(field);
  if (!value) return std::unexpected(value.error());
  if (value->empty()) return std::nullopt;
  const auto number = parse_number<double>(*value);
  if (!number) return bad_field(field, *value, "a percentage");
  return number;
}

Result<std::optional<std::uint32_t>> ReportRow::device_number(const char* field) const {
  const auto value = text(field);
  if (!value) return std::unexpected(value.error());
  if (value->empty() || *value == "-1") return std::nullopt;
  const auto number = parse_number<std::uint32_t>(*value);
  if (!number) return bad_field(field, *value, "a device number");
  return number;
}

Result<std::vector<std::string>> ReportRow::list(const char* field) const {
  const auto value = text(field);
  if (!value) return std::unexpected(value.error());
  std::vector<std::string> result;
  for (std::string_view rest = *value; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    result.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  return result;
}

Result<std::string> ReportRow::id(const char* field) const {
  auto value = text(field);
  if (!value) return value;
  std::string id = *value;
  std::erase(id, '-');
  if (id.size() != 32) return bad_field(field, *value, "an LVM UUID");
  return id;
}

Result<std::string> ReportRow::name(const char* field) const {
  auto value = text(field);
  if (value && value->size() > 2 && value->starts_with('[') && value->ends_with(']'))
    return value->substr(1, value->size() - 2);
  return value;
}

}  // namespace lvmd::report
