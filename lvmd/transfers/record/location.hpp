// Checks repository locations in restic's syntax [P-XFER-18].
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

// Whether the location is an absolute path.
[[nodiscard]] bool is_local(std::string_view location);

// Accepts "s3:…", "rest:http(s)://…/" and absolute paths without empty, `.` or `..` parts. Rejects
// locations with a user, password, blank or control character, and restic's other backends: these
// run programs of the host or need secrets that `Credentials` does not contain. InvalidArgument
// with `field`; the message does not repeat a location that may contain a password.
[[nodiscard]] Status check_location(std::string_view field, std::string_view location);

// Accepts those of restic's extended options (-o) that select neither a program nor a file.
// InvalidArgument with `field` and the allowed options.
[[nodiscard]] Status check_option(std::string_view field, std::string_view name,
                                  std::string_view value);

}  // namespace lvmd::transfers
