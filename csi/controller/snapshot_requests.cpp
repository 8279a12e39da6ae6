#include <algorithm>
#include <utility>
#include <vector>

#include "csi/controller/changes.hpp"
#include "csi/controller/creation.hpp"
#include "csi/controller/paging.hpp"
#include "csi/controller/parameters.hpp"
#include "csi/controller/requests.hpp"
#include "csi/controller/responses.hpp"
#include "lvmd/base/reason.hpp"

namespace lvmd::controller {
namespace {

using reconciler::LogicalVolume;

std::string source_of(const LogicalVolume& snapshot, const ObjectStore& store) {
  const auto source = store.seen().get(snapshot.spec.source);
  return source_volume(snapshot, source ? &*source : nullptr);
}

std::vector<LogicalVolume> snapshots_of(const api::ListSnapshotsRequest& request,
                                        const ObjectStore& store) {
  std::vector<LogicalVolume> all = store.seen().all();
  std::erase_if(all, [&](const LogicalVolume& object) {
    const std::string& handle = object.status.volume_id;
    if (!is_snapshot(object) || handle.empty()) return true;
    if (!request.snapshot_id().empty() && handle != request.snapshot_id()) return true;
    return !request.source_volume_id().empty() &&
           source_of(object, store) != request.source_volume_id();
  });
  return all;
}

}  // namespace

Status handle(const api::CreateSnapshotRequest& request, api::CreateSnapshotResponse& response,
              ObjectStore& store, const Driver& driver, const CallLimit& limit) {
  auto name = object_name(request.name(), "name");
  if (!name) return std::unexpected(std::move(name.error()));
  const auto is_online = wants_online_snapshot(request.parameters());
  if (!is_online) return std::unexpected(is_online.error());
  auto source = find_volume(store, request.source_volume_id(), "source_volume_id");
  if (!source) return std::unexpected(std::move(source.error()));
  const SnapshotRequest checked{.key = {.group = driver.group(), .name = std::move(*name)},
                                .source = std::move(*source),
                                .is_online = *is_online};
  const auto snapshot = create_snapshot(store, checked, limit);
  if (!snapshot) return std::unexpected(snapshot.error());
  if (auto stored = backup_of(*snapshot); !stored) return stored;
  *response.mutable_snapshot() = to_snapshot(*snapshot, request.source_volume_id());
  return {};
}

Status handle(const api::DeleteSnapshotRequest& request, ObjectStore& store,
              const CallLimit& limit) {
  const auto object = find_snapshot(store, request.snapshot_id());
  if (object) return remove(store, *object, limit);
  if (object.error().code == Code::kNotFound) return {};
  return std::unexpected(object.error());
}

Status handle(const api::ListSnapshotsRequest& request, api::ListSnapshotsResponse& response,
              const ObjectStore& store) {
  auto page =
      page_of(snapshots_of(request, store), request.max_entries(), request.starting_token());
  if (!page) return std::unexpected(std::move(page.error()));
  for (const LogicalVolume& object : page->objects)
    *response.add_entries()->mutable_snapshot() = to_snapshot(object, source_of(object, store));
  response.set_next_token(std::move(page->next_token));
  return {};
}

Status handle(const api::GetSnapshotRequest& request, api::GetSnapshotResponse& response,
              ObjectStore& store) {
  const auto object = find_snapshot(store, request.snapshot_id());
  if (!object) return std::unexpected(object.error());
  *response.mutable_snapshot() = to_snapshot(*object, source_of(*object, store));
  return {};
}

}  // namespace lvmd::controller
