#include "lvmd/supervisor/accounts.hpp"

#include <grp.h>
#include <pwd.h>

namespace lvmd::supervisor {

Result<Account> find_user(const std::string& name) {
  // The process has one thread, so getpwnam() and getgrnam() may return static buffers.
  const passwd* const found = ::getpwnam(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  if (found == nullptr)
    return fail(
        Code::kNotFound,
        "user {} does not exist: run systemd-sysusers, or create a system user of that name", name);
  return Account{.uid = found->pw_uid, .gid = found->pw_gid};
}

std::optional<gid_t> find_group(const std::string& name) {
  const group* const found = ::getgrnam(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  if (found == nullptr) return std::nullopt;
  return found->gr_gid;
}

}  // namespace lvmd::supervisor
