#include "csi/controller/paging.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lvmd/model/object_name.hpp"

namespace lvmd::controller {
namespace {

using reconciler::LogicalVolume;

constexpr std::string_view kAfter = "after:";

const std::string& name_of(const LogicalVolume& object) { return object.key.name; }

}  // namespace

Result<ListPage> page_of(std::vector<LogicalVolume> objects, std::int32_t max_entries,
                         const std::string& starting_token) {
  if (max_entries < 0)
    return fail(Code::kInvalidArgument, "max_entries {} is negative", max_entries)
        .about("max_entries", max_entries);
  std::ranges::sort(objects, {}, name_of);
  auto begin = objects.begin();
  if (!starting_token.empty()) {
    const std::string last = starting_token.substr(std::min(kAfter.size(), starting_token.size()));
    if (!starting_token.starts_with(kAfter) || !model::is_object_name(last))
      return fail(Code::kAborted,
                  "starting_token \"{}\" is not a next_token of this driver: start again without "
                  "a token",
                  starting_token)
          .about("starting_token", starting_token);
    begin = std::ranges::upper_bound(objects, last, {}, name_of);
  }
  objects.erase(objects.begin(), begin);
  const std::size_t most =
      max_entries == 0 ? kMaxEntries : std::min(kMaxEntries, static_cast<std::size_t>(max_entries));
  ListPage page{.objects = std::move(objects)};
  if (page.objects.size() > most) {
    page.objects.erase(page.objects.begin() + static_cast<std::ptrdiff_t>(most),
                       page.objects.end());
    page.next_token = std::string{kAfter} + name_of(page.objects.back());
  }
  return page;
}

}  // namespace lvmd::controller
