// Users and groups by name.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::supervisor {

struct Account {
  uid_t uid = 0;
  gid_t gid = 0;
};

// NotFound, saying how to make it, when there is no such user.
[[nodiscard]] Result<Account> find_user(const std::string& name);

// Absent when there is no such group.
[[nodiscard]] std::optional<gid_t> find_group(const std::string& name);

}  // namespace lvmd::supervisor
