#include "lvmd/volumes/service/creation_marks.hpp"

#include <iterator>
#include <optional>
#include <string>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/names.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/volumes/service/owners.hpp"

namespace lvmd::volumes {
namespace {

Result<std::optional<std::string>> value_of(const server::Context& context, const char* key) {
  const auto [begin, end] = context.client_metadata().equal_range(key);
  if (begin == end) return std::nullopt;
  if (std::next(begin) != end)
    return fail(Code::kInvalidArgument, "metadata {} is set more than once", key)
        .because(reason::kInvalidTag)
        .with(key::kField, key);
  return std::string{begin->second.data(), begin->second.size()};
}

}  // namespace

Status take_marks(const server::Context& context, internal::WorkerRequest& request) {
  if (!request.has_create() && !request.has_snapshot()) return {};
  auto& marks = request.has_create() ? *request.mutable_create()->mutable_marks()
                                     : *request.mutable_snapshot()->mutable_marks();
  const auto owner = value_of(context, kOwnerMetadata);
  if (!owner) return std::unexpected(owner.error());
  if (*owner) {
    if (auto valid = check_owner(kOwnerMetadata, **owner); !valid) return valid;
    marks.Add(model::owner_tag(**owner));
  }
  const auto restore = value_of(context, kRestoreMetadata);
  if (!restore) return std::unexpected(restore.error());
  if (!*restore) return {};
  if (request.has_snapshot())
    return fail(Code::kInvalidArgument,
                "metadata {} is for CreateLV only: a restore needs a blank volume, and a snapshot "
                "is "
                "not blank",
                kRestoreMetadata)
        .because(reason::kInvalidCombination)
        .with(key::kField, kRestoreMetadata);
  if (auto valid = model::check_transfer_id(kRestoreMetadata, **restore); !valid) return valid;
  marks.Add(model::restore_begun_tag(**restore));
  return {};
}

}  // namespace lvmd::volumes
