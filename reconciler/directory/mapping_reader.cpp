#include "reconciler/directory/mapping_reader.hpp"

namespace lvmd::reconciler::directory {

std::string MappingReader::text(const std::string& field) {
  const YAML::Node node = node_[field];
  if (!node || node.IsNull()) return {};
  if (is_string(node)) return node.Scalar();
  blame("{} must be a string, not {}", name_of(field), quote(node));
  return {};
}

std::string MappingReader::path(const std::string& field) {
  std::string value = text(field);
  if (!value.empty() && !value.starts_with('/'))
    blame("{} \"{}\" is not an absolute path", name_of(field), value);
  return value;
}

bool MappingReader::flag(const std::string& field) {
  const YAML::Node node = node_[field];
  return node && !node.IsNull() && value<bool>(field, "true or false");
}

}  // namespace lvmd::reconciler::directory
