// Where a repository is, in restic's words [P-XFER-18].
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

// An absolute path.
[[nodiscard]] bool is_local(std::string_view location);

// "s3:…", "rest:http(s)://…/" or an absolute path without empty, `.` or `..` parts; no user, no
// password, no blank or control character in it. Other kinds of restic's run programs of the host
// or need secrets that `Credentials` has no place for. InvalidArgument naming `field`.
[[nodiscard]] Status check_location(std::string_view field, std::string_view location);

// Of restic's extended options (-o) those that choose no program and no file. InvalidArgument
// naming `field` and what is allowed.
[[nodiscard]] Status check_option(std::string_view field, std::string_view name,
                                  std::string_view value);

}  // namespace lvmd::transfers
