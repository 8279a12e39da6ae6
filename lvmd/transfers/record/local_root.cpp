#include "lvmd/transfers/record/local_root.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/transfers/record/location.hpp"

namespace lvmd::transfers {

Status check_below_roots(std::string_view field, std::string_view location,
                         std::span<const std::string> roots) {
  if (!is_local(location)) return {};
  const auto has_it = [location](const std::string& root) {
    return model::is_below(location, root);
  };
  if (std::ranges::any_of(roots, has_it)) return {};
  return fail(Code::kInvalidArgument,
              "{} is \"{}\", a local repository must be below one of lvmd.yaml's "
              "transfers.local-roots: {}",
              field, location, fmt::join(roots, ", "))
      .with(key::kField, field)
      .with(key::kValue, location);
}

}  // namespace lvmd::transfers
