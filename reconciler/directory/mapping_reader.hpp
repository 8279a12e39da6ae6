// Reads the fields of a YAML mapping.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <utility>

#include "lvmd/base/result.hpp"
#include "reconciler/directory/yaml_text.hpp"
#include "reconciler/model/text_fields.hpp"

namespace lvmd::reconciler::directory {

// All fields are read even if one is wrong. The first error is kept: InvalidArgument naming field
// and value.
class MappingReader {
 public:
  // `name`: of the mapping, for messages, such as "spec.backup"; empty: the whole document.
  explicit MappingReader(const YAML::Node& node, std::string name = {})
      : node_(node), name_(std::move(name)) {}

  // Empty when it is absent or null.
  std::string text(const std::string& field);

  template <typename T, std::size_t kSize>
  void texts(const TextFields<T, kSize>& fields, T& out) {
    for (const auto& [field, member] : fields) out.*member = text(field);
  }

  // An absolute path, or empty.
  std::string path(const std::string& field);

  // False when it is absent or null.
  bool flag(const std::string& field);

  // Must be `kind`, such as "a number".
  template <typename T>
  T value(const std::string& field, std::string_view kind) {
    const YAML::Node node = node_[field];
    T value{};
    if (!node || !node.IsScalar() || !YAML::convert<T>::decode(node, value))
      blame("{} must be {}, not {}", name_of(field), kind, quote(node));
    return value;
  }

  void require(const std::string& field, const std::string& value) {
    if (value.empty()) blame("{} is missing", name_of(field));
  }

  template <typename... Arguments>
  void blame(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (status_)
      status_ = fail(Code::kInvalidArgument, format, std::forward<Arguments>(arguments)...);
  }

  [[nodiscard]] const Status& status() const { return status_; }

  // The value that was read, or the first error.
  template <typename T>
  [[nodiscard]] Result<T> result(T value) const {
    if (!status_) return std::unexpected(status_.error());
    return value;
  }

 private:
  [[nodiscard]] std::string name_of(const std::string& field) const {
    return name_.empty() ? field : fmt::format("{}.{}", name_, field);
  }

  const YAML::Node node_;
  const std::string name_;
  Status status_;
};

}  // namespace lvmd::reconciler::directory
