// Functions that parse a configuration text in a test.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/config/config_file.hpp"

namespace lvmd::config {

// Three lines. A further key is in line 4.
inline constexpr std::string_view kOneClass =
    "device-classes:\n"
    "- name: ssd\n"
    "  volume-group: vg\n";

inline ParsedConfig parsed(std::string_view text) {
  auto result = parse_config(text, "lvmd.yaml");
  INFO((result ? "" : result.error().message));
  REQUIRE(result.has_value());
  return *std::move(result);
}

// The configuration of a text without errors and warnings.
inline Config config_of(std::string_view text) {
  ParsedConfig result = parsed(text);
  CAPTURE(result.warnings);
  CHECK(result.warnings.empty());
  return std::move(result.config);
}

// The only device class of such a text.
inline model::DeviceClass class_of(std::string_view text) {
  const Config config = config_of(text);
  REQUIRE(config.catalog.device_classes.size() == 1);
  return config.catalog.device_classes.front();
}

// The error message, or "no error".
inline std::string error_of(std::string_view text) {
  const auto result = parse_config(text, "lvmd.yaml");
  if (result) return "no error";
  CHECK(result.error().code == Code::kInvalidArgument);
  return result.error().message;
}

inline std::vector<std::string> warnings_of(std::string_view text) { return parsed(text).warnings; }

}  // namespace lvmd::config
