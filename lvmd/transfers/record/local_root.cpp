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
  const auto contains = [location](const std::string& root) {
    return model::is_below(location, root);
  };
  if (std::ranges::any_of(roots, contains)) return {};
  return fail(Code::kInvalidArgument,
              "{} \"{}\" is not below any of transfers.local-roots in lvmd.yaml: {}", field,
              location, fmt::join(roots, ", "))
      .about(field, location);
}

}  // namespace lvmd::transfers
