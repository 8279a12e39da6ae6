// What one value of the YAML file is.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <string_view>

#include "lvmd/config/scalar.hpp"

namespace lvmd::config {

// Counted from 1. An alias stands where its anchor does.
[[nodiscard]] int line_of(const YAML::Node& node);

// The meaning of a scalar: quoted ones are text. `node` is a scalar or null.
[[nodiscard]] Scalar resolve(const YAML::Node& node);

// Written as null or ~, or nothing at all.
[[nodiscard]] bool is_null(const YAML::Node& node);

// "expected text, found a list".
[[nodiscard]] std::string expected(std::string_view what, const YAML::Node& found);

}  // namespace lvmd::config
