#include "lvmd/config/config_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/un.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "lvmd/base/files.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/config/csi_reader.hpp"
#include "lvmd/config/device_class_reader.hpp"
#include "lvmd/config/findings.hpp"
#include "lvmd/config/mapping.hpp"
#include "lvmd/config/node.hpp"
#include "lvmd/config/option_class_reader.hpp"
#include "lvmd/config/roots.hpp"
#include "lvmd/config/second_document.hpp"
#include "lvmd/config/transfers_reader.hpp"

namespace lvmd::config {
namespace {

// sun_path without its terminating zero and without the "-ro" of the read-only socket.
constexpr std::size_t kMaxSocketPath = sizeof(sockaddr_un::sun_path) - 1 - 3;

void read_socket(Mapping& root, Config& config) {
  if (auto path = root.text("socket-name")) {
    if (!path->starts_with('/') || path->ends_with('/'))
      root.error("socket-name", fmt::format("\"{}\" must be an absolute path of a file", *path));
    else if (path->size() > kMaxSocketPath)
      root.error("socket-name",
                 fmt::format("\"{}\" has {} bytes, at most {} fit a socket's address", *path,
                             path->size(), kMaxSocketPath));
    else if (std::ranges::any_of(*path, [](char c) { return c >= '\0' && c < ' '; }))
      root.error("socket-name", "contains a control character");
    config.socket_path = std::move(*path);
  }
  if (auto group = root.text("socket-group")) {
    if (group->empty()) root.error("socket-group", "must not be empty");
    config.socket_group = std::move(*group);
  }
}

void read_metrics_address(Mapping& root, Config& config) {
  const auto text = root.text("metrics-address");
  // An empty address disables metrics, as in TopoLVM.
  if (!text || text->empty()) return;
  auto address = parse_metrics_address(*text);
  if (!address) return root.error("metrics-address", address.error().message);
  config.metrics_address = std::move(*address);
}

void read_command_prefix(Mapping& root, Config& config) {
  std::vector<std::string> prefix;
  for (ListItem& item : root.items("lvm-command-prefix")) prefix.push_back(std::move(item.text));
  if (prefix.empty() || prefix == native_command_prefix()) return;
  if (prefix.front().empty())
    root.error("lvm-command-prefix", "the first item is empty, it must be a program");
  config.lvm_command_prefix = std::move(prefix);
}

Config read_config(const YAML::Node& document, Findings& findings) {
  Config config;
  if (!document.IsMap() && !is_null(document)) {
    findings.error({.line = line_of(document), .key = ""}, expected("a mapping", document));
    return config;
  }
  Mapping root{document, {}, findings};
  config.strict = root.boolean("strict").value_or(false);
  read_socket(root, config);
  read_metrics_address(root, config);
  config.catalog.device_classes = read_device_classes(root);
  config.catalog.option_classes = read_option_classes(root);
  read_command_prefix(root, config);
  if (auto roots = read_roots(root, "mount-roots"); !roots.empty())
    config.mount_roots = std::move(roots);
  config.transfers = read_transfers(root);
  config.csi = read_csi(root);
  root.report_unknown_keys();
  return config;
}

}  // namespace

Result<ParsedConfig> parse_config(std::string_view text, std::string_view file_name) {
  Findings findings{file_name};
  ParsedConfig parsed;
  try {
    // yaml-cpp does not detect an unclosed quote if the file ends with blank lines.
    const std::string trimmed{text.substr(0, text.find_last_not_of(" \t\r\n") + 1)};
    parsed.config = read_config(YAML::Load(trimmed), findings);
    if (const auto line = line_of_second_document(trimmed))
      findings.error({.line = *line, .key = ""}, "contains text after the first YAML document");
  } catch (const YAML::Exception& exception) {
    findings.error({.line = std::max(exception.mark.line, 0) + 1, .key = ""},
                   fmt::format("not valid YAML: {}", exception.msg));
  }
  auto warnings = findings.conclude(parsed.config.strict);
  if (!warnings) return std::unexpected(warnings.error());
  parsed.warnings = std::move(*warnings);
  return parsed;
}

Result<ParsedConfig> load_config(const std::string& path) {
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, path);
  const auto text = read_all(fd.get(), path);
  if (!text) return std::unexpected(text.error());
  return parse_config(*text, path);
}

}  // namespace lvmd::config
