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

// NotFound when the user does not exist; the message says how to create it.
[[nodiscard]] Result<Account> find_user(const std::string& name);

// Absent when the group does not exist.
[[nodiscard]] std::optional<gid_t> find_group(const std::string& name);

}  // namespace lvmd::supervisor
