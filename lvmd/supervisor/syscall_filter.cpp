#include "lvmd/supervisor/syscall_filter.hpp"

#include <fmt/format.h>
#include <seccomp.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>
#include <type_traits>

#include "lvmd/base/unique_c.hpp"
#include "lvmd/supervisor/rights.hpp"

namespace lvmd::supervisor {
namespace {

using Filter = UniqueC<std::remove_pointer_t<scmp_filter_ctx>, &seccomp_release>;

Status check(int error, const char* what) {
  if (error == 0) return {};
  return fail_errno(-error, fmt::format("seccomp: {}", what));
}

}  // namespace

Status filter_server_syscalls() {
  const Filter filter{seccomp_init(SCMP_ACT_ALLOW)};
  if (!filter) return fail(Code::kInternal, "seccomp: the filter can't be allocated");
  for (const char* const name : kServerDeniedCalls) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number < 0) continue;
    if (auto added = check(
            seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EPERM), number, 0, nullptr), name);
        !added)
      return added;
  }
  // Without libseccomp's SCMP_A0, which is a C99 compound literal.
  const scmp_arg_cmp not_unix{.arg = 0, .op = SCMP_CMP_NE, .datum_a = AF_UNIX, .datum_b = 0};
  if (auto added = check(seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EAFNOSUPPORT),
                                                SCMP_SYS(socket), 1, &not_unix),
                         "socket");
      !added)
    return added;
  return check(seccomp_load(filter.get()), "loading the filter");
}

}  // namespace lvmd::supervisor
