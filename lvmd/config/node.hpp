// Functions for one YAML node.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <string_view>

#include "lvmd/config/scalar.hpp"

namespace lvmd::config {

// The line of the node; the first line is 1. For an alias: the line of its anchor.
[[nodiscard]] int line_of(const YAML::Node& node);

// The value of a scalar. A quoted scalar is a text. `node` is a scalar or null.
[[nodiscard]] Scalar resolve(const YAML::Node& node);

// True for null, ~ and an empty value.
[[nodiscard]] bool is_null(const YAML::Node& node);

// An error text such as "expected text, found a list".
[[nodiscard]] std::string expected(std::string_view what, const YAML::Node& found);

}  // namespace lvmd::config
