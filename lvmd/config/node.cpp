#include "lvmd/config/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace lvmd::config {
namespace {

std::string describe(const YAML::Node& node) {
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a mapping";
  const Scalar value = resolve(node);
  if (std::holds_alternative<Null>(value)) return "nothing";
  if (std::holds_alternative<bool>(value)) return fmt::format("the boolean {}", node.Scalar());
  if (std::holds_alternative<std::string>(value))
    return fmt::format("the text \"{}\"", node.Scalar());
  return fmt::format("the number {}", node.Scalar());
}

}  // namespace

int line_of(const YAML::Node& node) { return std::max(node.Mark().line, 0) + 1; }

Scalar resolve(const YAML::Node& node) {
  if (node.IsNull()) return Null{};
  // yaml-cpp sets the tag "!" on quoted scalars and "?" on others.
  if (node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str") return node.Scalar();
  return resolve_plain(node.Scalar());
}

bool is_null(const YAML::Node& node) {
  return node.IsNull() || (node.IsScalar() && std::holds_alternative<Null>(resolve(node)));
}

std::string expected(std::string_view what, const YAML::Node& found) {
  return fmt::format("expected {}, found {}", what, describe(found));
}

}  // namespace lvmd::config
