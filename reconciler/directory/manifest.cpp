#include "reconciler/directory/manifest.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

#include "reconciler/directory/spec_reader.hpp"
#include "reconciler/directory/yaml_text.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::size_t kMaxNameLength = 253;
// The names of status files of the older group's objects start with this. An object of this name
// would have the same status file.
constexpr std::string_view kReservedPrefix = "topolvm.cybozu.com.";

bool is_lower_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_label(std::string_view label) {
  return !label.empty() && is_lower_alphanumeric(label.front()) &&
         is_lower_alphanumeric(label.back()) &&
         std::ranges::all_of(label, [](char c) { return is_lower_alphanumeric(c) || c == '-'; });
}

FileProblem problem(const std::string& file, const YAML::Node& node, std::string message) {
  return {.name = file, .line = node.Mark().line + 1, .message = std::move(message)};
}

// Absent: a document of another kind.
std::expected<std::optional<Manifest>, FileProblem> parse_document(const std::string& file,
                                                                   const YAML::Node& document) {
  if (!document.IsMap())
    return std::unexpected(problem(file, document, "the document is not a mapping"));
  const YAML::Node api_version = document["apiVersion"];
  const YAML::Node kind = document["kind"];
  if (!api_version || !api_version.IsScalar() || !kind || !kind.IsScalar())
    return std::unexpected(problem(file, document, "the document has no apiVersion or no kind"));
  const std::string_view version = api_version.Scalar();
  const std::size_t slash = version.find('/');
  const auto group = parse_group(version.substr(0, slash));
  if (kind.Scalar() != kKind || slash == std::string_view::npos || !group) return std::nullopt;

  const YAML::Node metadata = document["metadata"];
  const YAML::Node name = metadata && metadata.IsMap() ? metadata["name"] : YAML::Node{};
  Manifest manifest;
  manifest.file = file;
  manifest.object.key = {.group = *group,
                         .name = name && is_string(name) ? name.Scalar() : std::string{}};
  if (!is_valid_name(manifest.object.key))
    return std::unexpected(
        problem(file, document,
                fmt::format("metadata.name \"{}\" is missing or not a valid name: lower case "
                            "letters, digits, '-' and '.', not beginning with \"{}\"",
                            manifest.object.key.name, kReservedPrefix)));
  manifest.object.has_metadata = true;  // The directory store has no finalizers [R-OBJ-4].
  if (version.substr(slash + 1) != kVersion)
    manifest.object.defect =
        make_error(Code::kInvalidArgument, "apiVersion \"{}\" is not supported: write {}/{}",
                   version, to_string(*group), kVersion);
  else if (auto read = read_object(document, manifest.object, manifest.absent); !read)
    manifest.object.defect = std::move(read.error());
  return manifest;
}

std::expected<ManifestFile, FileProblem> parse_documents(const std::string& name,
                                                         const std::string& text) {
  ManifestFile result;
  for (const YAML::Node& document : YAML::LoadAll(text)) {
    if (document.IsNull()) continue;
    auto manifest = parse_document(name, document);
    if (!manifest) return std::unexpected(std::move(manifest.error()));
    if (*manifest)
      result.manifests.push_back(std::move(**manifest));
    else
      ++result.skipped;
  }
  return result;
}

}  // namespace

bool is_valid_name(const Key& key) {
  if (key.name.empty() || key.name.size() > kMaxNameLength) return false;
  if (key.group == Group::kTopolvm && key.name.starts_with(kReservedPrefix)) return false;
  std::string_view rest = key.name;
  while (true) {
    const std::size_t dot = rest.find('.');
    if (!is_label(rest.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    rest.remove_prefix(dot + 1);
  }
}

std::expected<ManifestFile, FileProblem> parse_manifest_file(const std::string& name,
                                                             const std::string& text) {
  // Fields of the document are sent to lvmd, which accepts only UTF-8.
  if (!is_utf8(text))
    return std::unexpected(FileProblem{.name = name, .message = "not YAML in UTF-8"});
  try {
    if (const auto line = line_of_stray_text(text))
      return std::unexpected(FileProblem{
          .name = name, .line = *line, .message = "not YAML: text that belongs to no document"});
    return parse_documents(name, text);
  } catch (const YAML::Exception& error) {
    return std::unexpected(FileProblem{
        .name = name, .line = error.mark.line + 1, .message = "not YAML: " + error.msg});
  }
}

}  // namespace lvmd::reconciler::directory
